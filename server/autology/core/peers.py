"""Asking several at once until the time is up: what came is kept, and who did not answer is named."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from queue import Empty, Queue
from typing import Protocol, TypeVar

from autology.model.errors import HubLateError

ASKS = "autology-asks"
"""What a thread is called that asks one of them."""


class Named(Protocol):
    """Somebody who can be asked."""

    @property
    def name(self) -> str:
        """What it is called."""


P = TypeVar("P", bound=Named)
T = TypeVar("T")
Said = tuple[int, list[T] | Exception | None]
"""Which of them, and a part of its answer, what went wrong, or None for the end."""


def gathered(
    peers: Sequence[P], ask: Callable[[P], Iterable[Sequence[T]]], seconds: float
) -> tuple[list[T], list[str]]:
    """Return what all *peers* say within *seconds*, part by part as *ask* yields it; and who did not end, and why."""
    until = time.monotonic() + seconds
    answers: Queue[Said[T]] = Queue()
    for number, peer in enumerate(peers):
        # Daemons: one that hangs in a system call is left behind, and holds up nobody's end.
        threading.Thread(target=_ask, args=(number, peer, ask, answers), name=ASKS, daemon=True).start()
    found: list[T] = []
    silent = set(range(len(peers)))
    heard: set[int] = set()
    notes: list[str] = []

    def late(number: int, seconds: float) -> None:
        some = "answered in part only" if number in heard else "did not answer"
        notes.append(f"the team's {peers[number].name} {some} within {seconds:g} seconds")

    while silent:
        try:
            number, told = answers.get(timeout=max(0.0, until - time.monotonic()))
        except Empty:
            break
        if isinstance(told, list):
            found += told
            heard.add(number)
            continue
        silent.remove(number)
        if isinstance(told, HubLateError):
            late(number, told.seconds)
        elif told is not None:
            some = " wholly" if number in heard else ""
            notes.append(f"the team's {peers[number].name} was not searched{some}: {told}")
    for number in sorted(silent):
        late(number, seconds)
    return found, notes


def _ask(number: int, peer: P, ask: Callable[[P], Iterable[Sequence[T]]], answers: Queue[Said[T]]) -> None:
    try:
        for part in ask(peer):
            answers.put((number, list(part)))
        answers.put((number, None))
    except Exception as error:  # noqa: BLE001 - whatever it is, it is said beside what the others found
        answers.put((number, error))
