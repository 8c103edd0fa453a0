"""Ports to the files of a project and of the user: reading them, and committing changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import NamedTuple, Protocol


class Stamp(NamedTuple):
    """A file's state, comparable without reading it.

    A tuple: a walk over all files makes and compares two per file, in a fifth of a dataclass's time.
    """

    size: int
    mtime_ns: int


ABSENT = Stamp(0, 0)
"""The stamp of a missing file."""


@dataclass(frozen=True, slots=True)
class Change:
    """One file changing from *before* to *after*; None stands for no file."""

    path: str
    before: bytes | None
    after: bytes | None


class Watched(Protocol):
    """Files that are read, and whose changes are detected without reading them.

    Paths are relative to the *root* and ``/``-separated.
    """

    @property
    def root(self) -> str:
        """The project's folder, or the user's own."""

    def scan_one(self, path: str) -> Stamp:
        """Return the stamp of one file, or ABSENT if there is none."""

    def folders(self) -> Sequence[int]:
        """Return a value that changes when a file is added, removed or renamed and :meth:`edited` does not name it."""

    def scanned(self) -> Sequence[int]:
        """Return the value that :meth:`folders` had when the last scan began: nothing that happened since is in it."""

    def is_watched(self) -> bool:
        """Whether the system reports every change since the last scan, so that nothing else need be checked."""

    def edited(self) -> Sequence[str]:
        """Return the files that the system reports as changed since the last call.

        With :meth:`is_watched`, these and a change of :meth:`folders` are everything; otherwise there may be more.
        """

    def recognise(self, paths: Iterable[str] = ()) -> None:
        """Treat the folders' current state as seen: the caller has just written the files at *paths*."""

    def read(self, path: str) -> tuple[bytes, Stamp]:
        """Return a file's bytes and their stamp.

        Raises:
            FileNotFoundError: there is none.
            StorageError: it lies outside the root, is a link, is too large or cannot be read.
        """


class RootFiles(Watched, Protocol):
    """Our own files in a root's ``.autology`` folder, the source of truth."""

    def exists(self) -> bool:
        """Whether there is an ``.autology`` folder."""

    def scan(self) -> Mapping[str, Stamp]:
        """Return the stamp of every file, whatever it contains."""

    def locked(self) -> AbstractContextManager[None]:
        """Hold the root's write lock, after completing the interrupted change of a dead writer."""

    def recover(self) -> None:
        """Complete a dead writer's change, unless another writer is active or the folder is read-only."""

    def commit(self, changes: Sequence[Change]) -> Mapping[str, Stamp | None]:
        """Make all *changes* or none, durably; the lock must be held.

        Raises:
            ConflictError: a file differs from a change's *before*; nothing was written.
            StorageError: the disk refused; nothing was written.
        """

    def trashed(self, folder: str = "") -> Sequence[str]:
        """Return the ids in the trash, or the names in its subfolder *folder*, most recently deleted first."""


class Files(RootFiles, Protocol):
    """A project's nodes, and the files generated from them."""

    def create(self) -> None:
        """Create the folders; harmless if they exist. Raises StorageError."""

    def project_has(self, path: str) -> bool:
        """Whether the project has a file or folder at *path*."""

    def content(self, path: str) -> str:
        """Return a hash of the project's file at *path*, "" if it cannot be read."""

    def write_projection(self, name: str, data: bytes) -> None:
        """Replace a generated file under ``.autology`` if it differs; nothing depends on it."""

    def read_projection(self, name: str) -> bytes | None:
        """Return a generated file's bytes, or None."""
