"""Port to the folders of documents that a project searches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from autology.core.content.files import Stamp, Watched
from autology.core.documents.exclusions import Rule

DEFAULT, EVERYTHING, HERE = "*", "**", "."
"""The special sources: the project's texts but what rules leave out, all its texts, the files in its root alone."""

WHOLE = (DEFAULT, EVERYTHING, HERE)
"""Those that begin at the project's root."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Which texts are documents: the *sources*, patterns that are left out of them, and, of what rules leave out of the
    default source, names of rules that are off and patterns of texts that are taken all the same."""

    sources: Sequence[str] = (DEFAULT,)
    excludes: Sequence[str] = ()
    includes: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Scan:
    """The contents of the sources: documents by path, their folders, and missing sources.

    Unreadable files and folders are among the files; reading one says why.
    """

    files: Mapping[str, Stamp]
    folders: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


class Documents(Watched, Protocol):
    """The texts of a project's sources: a person's own, read as they are."""

    @property
    def sources(self) -> Sequence[str]:
        """The folders that are searched, and special sources."""

    def scan(self) -> Scan:
        """Return every document with its stamp, the folders, and the missing sources."""

    def left_out(self) -> Mapping[Rule, int]:
        """Return how many texts each rule leaves out."""

    def source_of(self, path: str) -> str | None:
        """Return the source that contains *path*; None if none does or it is excluded."""
