"""The files that nodes are imported from: read, never written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Protocol

from autology.model.next_step import Action, Sentence, do


@dataclass(frozen=True, slots=True)
class Original:
    """A markdown file in its current state.

    *path* is relative to the project's root, or for a file from elsewhere to the parent of the given folder; *changed*
    is its modification time on disk, as a stamp.
    """

    path: str
    text: str
    changed: str
    inside: bool = True

    @property
    def hash(self) -> str:
        """A hash of the text."""
        return text_hash(self.text)


@dataclass(frozen=True, slots=True)
class Refused:
    """A file that cannot be imported, and why."""

    path: str
    reason: str


class Originals(Protocol):
    """The files of the project, and of folders that a user names.

    Links are not followed, and nothing outside the requested folder is read.
    """

    def markdown(self, folder: str, notes: bool = False) -> tuple[Sequence[Original], Sequence[Refused]]:
        """Return every markdown file below *folder*, sorted, and those that cannot be read as text.

        Files in an ``.autology`` are refused, except *notes* of another project.

        Raises:
            StorageError: the folder is missing or cannot be read.
        """

    def text(self, path: str) -> Original | Refused:
        """Return one text file of any kind, from anywhere.

        Raises:
            StorageError: the file is missing.
        """

    def has(self, path: str) -> bool:
        """Whether the project has a file or folder at *path*; links that lead out of it do not count."""


def text_hash(text: str) -> str:
    """Return the SHA-256 of *text* in UTF-8, as hexadecimal digits."""
    return sha256(text.encode("utf-8")).hexdigest()


def in_trash(id: str) -> Sentence:
    """Return why an original is refused whose node, with that *id*, was deleted."""
    return Sentence("its node was deleted and is in the trash; restore it with ", do(Action.RESTORE, id=id))
