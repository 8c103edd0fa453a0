"""Ports of what oversees the use of memories: the audit, the rate counter and the daily task."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Event:
    """An audit event: its name, ``info``, ``warn`` or ``error``, and its details."""

    name: str
    level: str
    fields: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class AuditState:
    """The audit's state: whether it is on, where, its files and bytes, and why it cannot be written, or ""."""

    on: bool
    path: str
    files: int = 0
    bytes: int = 0
    trouble: str = ""


class Audit(Protocol):
    """The append-only log of everything done with memories, one line per event."""

    def record(self, events: Sequence[Event]) -> bool:
        """Append *events*, redacted; return whether all were written. Never raises."""

    def entries(self, since: str = "") -> Iterator[Mapping[str, object]]:
        """Yield events since the time *since*, newest first, each with ``time`` and ``event``.

        Malformed lines are yielded as ``unreadable`` entries.
        """

    def state(self) -> AuditState:
        """Return its state without changing anything."""


class Tally(Protocol):
    """A rate counter: an actor's calls within the last minute, by a monotonic clock."""

    def take(self, what: str, most: int) -> float:
        """Count a call of *what* and return 0.0; or, after *most* of them, return the seconds to wait.

        Never raises: if the count cannot be shared with other processes, this one counts alone.
        """


class Daily(Protocol):
    """A task done at most once a day, by one process at a time."""

    def last(self) -> str | None:
        """Return when it was last done, as a stamp."""

    def due(self) -> AbstractContextManager[bool]:
        """Enter true if it is due and no other process does it; leaving the block normally records it as done."""
