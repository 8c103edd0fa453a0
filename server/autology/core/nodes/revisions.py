"""The revisions of a file in version control: a port, and the texts of two of them compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from autology.text.documents.readable_diff import Comparison, compare
from autology.text.redaction import redact


@dataclass(frozen=True, slots=True)
class Revision:
    """A commit that changed a file: its id, time as a stamp, author, subject, and the file's *path* in it."""

    id: str
    at: str
    author: str
    subject: str
    path: str


@dataclass(frozen=True, slots=True)
class FileRevisions:
    """The commits that changed a file, latest first; *more* if there are older ones, *shallow* if the clone is."""

    revisions: tuple[Revision, ...]
    more: bool
    shallow: bool


class Revisions(Protocol):
    """The history of single files in version control."""

    def of(self, path: str, limit: int) -> FileRevisions | None:
        """Return the last *limit* commits that changed the file at *path*; None without version control.

        Renames are followed.

        Raises:
            StorageError: it takes too long.
        """

    def text(self, revision: Revision) -> str | None:
        """Return the file's text in *revision*; None if it was deleted there, is too large or not a text."""


def compared(before: str, after: str, path: str) -> Comparison:
    """Return what changed between two texts of the file at *path*, without secrets."""
    return compare(redact(before)[0], redact(after)[0], path)
