"""Querying all servers at once with a deadline: partial results, and the servers that failed or timed out."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from queue import Empty, Queue
from typing import TypeVar

from autology.model.errors import AutologyError, HubLateError
from autology.model.next_step import Sentence

THREAD_NAME = "autology-asks"
"""The name of the threads that query servers."""


T = TypeVar("T")
Query = tuple[str, Callable[[], Iterable[Sequence[T]]]]
"""The name of a server, and a function that yields its results in parts."""
Message = tuple[int, list[T] | Exception | None]
"""The number of a server, with a part of its results, its error, or None at the end."""


def fan_out(queries: Sequence[Query[T]], seconds: float) -> tuple[list[T], list[str]]:
    """Return the results of all *queries* that arrive within *seconds*, and a message for each unfinished one."""
    until = time.monotonic() + seconds
    messages: Queue[Message[T]] = Queue()
    for number, (_, query) in enumerate(queries):
        # Daemon threads: one that hangs in a system call must not keep the process alive.
        threading.Thread(target=_run, args=(number, query, messages), name=THREAD_NAME, daemon=True).start()
    results: list[T] = []
    unfinished = set(range(len(queries)))
    partial: set[int] = set()
    notes: list[str] = []

    def note_timeout(number: int, seconds: float) -> None:
        answered = "answered only partly" if number in partial else "did not answer"
        notes.append(f"the team's {queries[number][0]} {answered} within {seconds:g} seconds")

    while unfinished:
        try:
            number, message = messages.get(timeout=max(0.0, until - time.monotonic()))
        except Empty:
            break
        if isinstance(message, list):
            results += message
            partial.add(number)
            continue
        unfinished.remove(number)
        if isinstance(message, HubLateError):
            note_timeout(number, message.seconds)
        elif message is not None:
            extent = " completely" if number in partial else ""
            reason = message.message if isinstance(message, AutologyError) else str(message)
            notes.append(Sentence(f"the team's {queries[number][0]} was not searched{extent}: ", reason))
    for number in sorted(unfinished):
        note_timeout(number, seconds)
    return results, notes


def _run(number: int, query: Callable[[], Iterable[Sequence[T]]], messages: Queue[Message[T]]) -> None:
    try:
        for part in query():
            messages.put((number, list(part)))
        messages.put((number, None))
    except Exception as error:  # noqa: BLE001 - reported beside the results of the other servers
        messages.put((number, error))
