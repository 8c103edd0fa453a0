"""Port to the folders that hold a project's adopted records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from autology.core.content.files import Stamp

if TYPE_CHECKING:
    from autology.core.records.collection import Correction


class RecordFolders(Protocol):
    """The files in the folders that the project's configuration names; their texts are cached by their stamps."""

    def chosen(self) -> tuple[str, Sequence[Correction]]:
        """Return the configuration of records as text, "" if it names none, and what it says by folder."""

    def problems(self) -> Sequence[str]:
        """Return what of that configuration cannot be used, and the next step."""

    def folders(self) -> Sequence[int]:
        """Return a value that changes when a file is added, removed or renamed, or other folders are chosen."""

    def scanned(self) -> Sequence[int]:
        """Return the value that :meth:`folders` had when the last scan began."""

    def is_watched(self) -> bool:
        """Whether the system reports every change since the last scan, which :meth:`folders` then shows."""

    def scan_one(self, path: str) -> Stamp:
        """Return the stamp of one file, or ABSENT if there is none."""

    def read(self, path: str) -> tuple[bytes, Stamp]:
        """Return a file's bytes and their stamp. Raises FileNotFoundError, StorageError."""

    def scan(self) -> Mapping[str, Stamp]:
        """Return the stamp of every file in the chosen folders that may be a record, its second file, or explain it."""

    def head(self, path: str, size: int) -> str | None:
        """Return the first *size* bytes of the file at *path* as text; None if it is not readable text."""

    def text(self, path: str) -> str | None:
        """Return the whole text of the file at *path*; None if it is not readable text."""
