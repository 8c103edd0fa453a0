"""Calls: the project's changes as they happen, as a stream or one at a time."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

from autology.web.change_watch import INTERVAL
from autology.web.project import PageProject

Json = dict[str, Any]

HEARTBEAT = 5.0
"""Seconds of silence after which the stream sends an empty line, so that both ends notice a broken connection."""


def changes(project: PageProject, after: int | None = None) -> Json:
    """Return the events after the number *after*, and the latest number; without *after*, the number alone."""
    if after is None:
        return {"events": [], "number": project.feed.number}
    events = project.feed.after(after)
    return {"events": events, "number": events[-1]["number"] if events else after}


def stream(project: PageProject, after: int | None) -> Iterator[bytes]:
    """Yield server-sent events, without end: first the latest number, then each change as it is noticed."""
    number = project.feed.number if after is None else after
    yield _event({"number": number, "events": []})
    sent = time.monotonic()
    while True:
        if events := project.feed.after(number):
            number = events[-1]["number"]
            yield _event({"number": number, "events": events})
            sent = time.monotonic()
        elif time.monotonic() - sent >= HEARTBEAT:
            yield b":\n\n"
            sent = time.monotonic()
        time.sleep(INTERVAL)


def _event(data: Json) -> bytes:
    return b"data: " + json.dumps(data, ensure_ascii=True).encode() + b"\n\n"
