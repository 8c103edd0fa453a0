"""The files that nodes are imported from: read, never written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Original:
    """A markdown file as it is now.

    *path* is the one from the project's root, or for a file from elsewhere the one from the
    parent of the folder that was given; *changed* is its last change on disk, as a stamp.
    """

    path: str
    text: str
    changed: str
    inside: bool = True

    @property
    def hash(self) -> str:
        """What tells this text from any other."""
        return text_hash(self.text)


@dataclass(frozen=True, slots=True)
class Refused:
    """A file that cannot be brought in, and why."""

    path: str
    reason: str


class Originals(Protocol):
    """The files of the project, and of folders that somebody names.

    Links are not followed, nothing outside the folder asked for is read.
    """

    def markdown(self, folder: str, notes: bool = False) -> tuple[Sequence[Original], Sequence[Refused]]:
        """Return every markdown file below *folder*, sorted, and those that cannot be read as text.

        What lies in an ``.autology`` is refused, but for *notes* of another project.

        Raises:
            StorageError: there is no such folder, or it cannot be read.
        """

    def text(self, path: str) -> Original | Refused:
        """Return one text file of any kind, from anywhere.

        Raises:
            StorageError: there is no such file.
        """

    def has(self, path: str) -> bool:
        """Whether the project holds a file or folder at *path*, links out of it not counted."""

    def files(self) -> Sequence[str]:
        """Return the project's files as a bounded walk finds them, for projects without version control."""


def text_hash(text: str) -> str:
    """Return the SHA-256 of *text* in UTF-8, as hexadecimal digits."""
    return sha256(text.encode("utf-8")).hexdigest()
