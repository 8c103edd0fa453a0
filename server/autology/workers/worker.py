"""The worker's main loop: read jobs, write results, until the stream ends."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import IO, Any

from autology.core.long_work import without_garbage_collection
from autology.workers.frames import receive, send
from autology.workers.packing import packed


def work(
    greeting: bytes, makes: Mapping[str, Callable[[Any], object]], requests: IO[bytes], replies: IO[bytes]
) -> None:
    """Send *greeting*, then reply to each job from *requests*, a kind and its arguments, using the function in *makes*.

    A failure ends the worker: the parent then runs the job itself and reports the error.
    """
    with without_garbage_collection(), suppress(BrokenPipeError):  # the parent is gone
        send(replies, greeting)
        while (data := receive(requests)) is not None:
            kind, job = json.loads(data)
            send(replies, packed(makes[kind](job)))
