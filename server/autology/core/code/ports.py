"""What the code graph needs from the outside, each as a small promise."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from autology.core.ports import Stamp
from autology.model.code import Facts

Parser = Callable[[str], Facts]
"""Returns what a file's text says; never runs it, and reports what it cannot read as the facts' fault.

Raises:
    ParsingError: it cannot read any file, as it is.
"""


class Languages(Protocol):
    """What reads files in other languages than Python, as it is installed now."""

    def parsers(self) -> Mapping[str, Parser]:
        """Return what reads files, by their endings; nothing where nothing is installed."""

    def named(self) -> Mapping[str, str]:
        """Return which language the files are in that could be read, by their endings."""

    def missing(self) -> str:
        """Return why other languages are not read, and what changes it."""


class Sources(Protocol):
    """The project's own source files: read, never written or run.

    Paths are relative to the project's root and ``/``-separated. What version control ignores is none of them.
    """

    def scan(self, endings: Sequence[str]) -> Mapping[str, Stamp]:
        """Return every file that ends in one of these, with its stamp."""

    def read(self, path: str) -> bytes | None:
        """Return a file's bytes, or None where it is gone or cannot be read."""


class Store(Protocol):
    """What was read from each file, kept apart from everything else; can always be made anew from the files."""

    def known(self) -> Mapping[str, Stamp]:
        """Return what was read, with the stamp that it goes with."""

    def facts(self, paths: Sequence[str]) -> Mapping[str, Facts]:
        """Return what was read of these files, as far as it is there and sound."""

    def keep(self, read: Mapping[str, tuple[Stamp, Facts]], gone: Sequence[str]) -> None:
        """Take in what was read, and forget what is gone; a disk that refuses is no reason to fail."""
