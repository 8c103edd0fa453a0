"""Changes for the index: the current state of files, and the port that applies them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from autology.core.content.files import Stamp
from autology.model.entry import NODE, Entry
from autology.model.passage import Passage


@dataclass(frozen=True, slots=True)
class Put:
    """A file in its current state: its entry for the index, and its text cut into passages."""

    path: str
    stamp: Stamp
    entry: Entry
    passages: tuple[Passage, ...]

    @property
    def texts(self) -> list[str]:
        """Its passages as searched, with their headings: a passage's subject is often named only above it."""
        return [f"{self.entry.title}\n{passage.heading}\n{passage.text}" for passage in self.passages]


@dataclass(frozen=True, slots=True)
class Fault:
    """A file that could not be parsed, and why."""

    path: str
    stamp: Stamp
    reason: str
    kind: str = NODE


@dataclass(frozen=True, slots=True)
class Gone:
    """A file that was deleted."""

    path: str


class IndexedFiles(Protocol):
    """The state of the files that an index was last fed with.

    Each call is a transaction of its own: another process may write between two of them, and an index that was deleted
    or damaged meanwhile is replaced by an empty one.
    """

    def keep_open(self) -> AbstractContextManager[None]:
        """Keep the index open for this thread's calls in the block: cheaper, with the same guarantees."""

    def generation(self) -> str:
        """Return the random id of this index; a different one means that it was rebuilt and is behind."""

    def stamps(self, kind: str = NODE) -> Mapping[str, Stamp]:
        """Return the last indexed stamp of every file of that kind."""

    def prepare(self, change: Put, vectors: bool = True) -> Put:
        """Return *change* preprocessed for :meth:`apply`, without its texts.

        It reads and writes nothing, so that a worker process may do it as well. Without *vectors*, the passages are
        found by their words only, until the second pass (:mod:`~autology.core.index.second_pass`).
        """

    def apply(self, changes: Iterable[Put | Fault | Gone]) -> None:
        """Apply *changes*, whether preprocessed by :meth:`prepare` or not, in one transaction."""

    def faults(self, kind: str = NODE) -> Sequence[tuple[str, str]]:
        """Return the unreadable files of that kind as (path, reason)."""

    def set_metadata(self, name: str, text: str) -> None:
        """Store a remark about the index itself; it is deleted with the index."""

    def metadata(self, name: str) -> str:
        """Return the remark stored under *name*, or ""."""
