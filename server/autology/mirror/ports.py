"""Ports of the mirror: the folder that machines share, and this machine's answers to mined candidates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol

Place = tuple[str, str]
"""A machine's name, and the name of a file of it."""


class SharedFolder(Protocol):
    """A folder with a subfolder for each machine, in which only that machine writes, and each file once.

    What lies there was written by others: names are as they are, and a file may be torn, or changed.
    """

    place: str
    """What a person calls it."""

    def files(self) -> Mapping[str, Mapping[str, int]]:
        """Return the bytes of each regular file, by machine and name; nothing if the folder does not exist.

        Raises:
            StorageError: it cannot be read.
        """

    def read(self, places: Sequence[Place]) -> Iterator[tuple[Place, bytes | None]]:
        """Yield the bytes of files, in order; None for one that cannot be read, or is too large.

        Raises:
            StorageError: the folder cannot be read.
        """

    def write(self, machine: str, files: Iterable[tuple[str, bytes]]) -> None:
        """Write files of *machine*, each wholly or not at all, readable by the user only. Raises StorageError."""


class Answers(Protocol):
    """The answers to mined candidates."""

    def lines(self) -> Sequence[str]:
        """Return each answer: a candidate's id and what was answered. Raises StorageError."""

    def add(self, id: str, answer: str) -> None:
        """Remember an answer durably. Raises StorageError."""
