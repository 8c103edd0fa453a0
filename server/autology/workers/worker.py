"""What a worker does: it reads jobs and writes what it made of them, until nobody asks any more."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import IO, Any

from autology.workers.frames import receive, send


def work(greeting: bytes, makes: Mapping[str, Callable[[Any], object]], asked: IO[bytes], told: IO[bytes]) -> None:
    """Say *greeting*, then answer what is *asked*, a kind and a job, with what the one of *makes* for it returns.

    What fails ends the worker: whoever asked does it there, and meets what is wrong.
    """
    with suppress(BrokenPipeError):  # whoever asked is gone
        send(told, greeting)
        while (data := receive(asked)) is not None:
            kind, job = json.loads(data)
            send(told, pickle.dumps(makes[kind](job), pickle.HIGHEST_PROTOCOL))
