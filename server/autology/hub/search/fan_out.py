"""Querying all servers at once with a deadline: partial results, and the servers that failed or timed out."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from queue import Empty, Queue
from typing import Protocol, TypeVar

from autology.model.errors import AutologyError, HubLateError
from autology.model.next_step import Sentence

THREAD_NAME = "autology-asks"
"""The name of the threads that query servers."""


class Named(Protocol):
    """Anything with a name for messages."""

    @property
    def name(self) -> str:
        """The name."""


P = TypeVar("P", bound=Named)
T = TypeVar("T")
Message = tuple[int, list[T] | Exception | None]
"""The number of a server, with a part of its results, its error, or None at the end."""


def fan_out(
    servers: Sequence[P], query: Callable[[P], Iterable[Sequence[T]]], seconds: float
) -> tuple[list[T], list[str]]:
    """Return the results of all *servers* that arrive within *seconds*, and a message for each that did not finish.

    *query* yields a server's results part by part.
    """
    until = time.monotonic() + seconds
    messages: Queue[Message[T]] = Queue()
    for number, server in enumerate(servers):
        # Daemon threads: one that hangs in a system call must not keep the process alive.
        threading.Thread(target=_run, args=(number, server, query, messages), name=THREAD_NAME, daemon=True).start()
    results: list[T] = []
    unfinished = set(range(len(servers)))
    partial: set[int] = set()
    notes: list[str] = []

    def note_timeout(number: int, seconds: float) -> None:
        answered = "answered in part only" if number in partial else "did not answer"
        notes.append(f"the team's {servers[number].name} {answered} within {seconds:g} seconds")

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
            wholly = " wholly" if number in partial else ""
            reason = message.message if isinstance(message, AutologyError) else str(message)
            notes.append(Sentence(f"the team's {servers[number].name} was not searched{wholly}: ", reason))
    for number in sorted(unfinished):
        note_timeout(number, seconds)
    return results, notes


def _run(number: int, server: P, query: Callable[[P], Iterable[Sequence[T]]], messages: Queue[Message[T]]) -> None:
    try:
        for part in query(server):
            messages.put((number, list(part)))
        messages.put((number, None))
    except Exception as error:  # noqa: BLE001 - reported beside the results of the other servers
        messages.put((number, error))
