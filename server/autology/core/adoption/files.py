"""The files of a project's nodes: our own, and those of adopted records, as one set of entries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager

from autology.core.adoption.records import Records
from autology.core.content.files import ABSENT, Change, Files, Stamp

OWN = ".autology/"


class AdoptingFiles:
    """The :class:`~autology.core.content.files.Files` of a project with adopted *records* beside its *own* files.

    A record is one entry, at the path of its main file. Its sidecar is none.
    """

    def __init__(self, own: Files, records: Records) -> None:
        self.own = own
        self.records = records

    @property
    def root(self) -> str:
        """The project's folder."""
        return self.own.root

    def scan(self) -> Mapping[str, Stamp]:
        """Return the stamp of every entry."""
        return self.records.scan(self.own.scan())

    def scan_one(self, path: str) -> Stamp:
        """Return the stamp of one entry or file, or ABSENT if there is none; a sidecar is not an entry of its own."""
        if self.records.is_sidecar(path):
            return ABSENT
        return self.own.scan_one(path) if path.startswith(OWN) else self.records.stamp(path)

    def folders(self) -> Sequence[int]:
        """Return a value that changes when a file is added, removed or renamed, or other folders are adopted."""
        return (*self.own.folders(), *self.records.folders.folders())

    def scanned(self) -> Sequence[int]:
        """Return the value that :meth:`folders` had when the last scan began."""
        return (*self.own.scanned(), *self.records.folders.scanned())

    def is_watched(self) -> bool:
        """Whether the system reports every change."""
        folders = self.records.folders
        return self.own.is_watched() and (not folders.chosen()[0] or folders.is_watched())

    def recognise(self, paths: Iterable[str] = ()) -> None:
        """Treat the folders' current state as seen: the caller has just written the files at *paths*."""
        self.own.recognise(path for path in paths if path.startswith(OWN))

    def edited(self) -> Sequence[str]:
        """Return the entries changed since the last call, as far as the system reports it."""
        return list(dict.fromkeys(self.records.owner(path) or path for path in self.own.edited()))

    def read(self, path: str) -> tuple[bytes, Stamp]:
        """Return a single file's bytes and their stamp."""
        return self.own.read(path) if path.startswith(OWN) else self.records.folders.read(path)

    def exists(self) -> bool:
        """Whether there is an ``.autology`` folder."""
        return self.own.exists()

    def create(self) -> None:
        """Create the folders; harmless if they exist."""
        self.own.create()

    def locked(self) -> AbstractContextManager[None]:
        """Hold the root's write lock."""
        return self.own.locked()

    def recover(self) -> None:
        """Complete a dead writer's change."""
        self.own.recover()

    def commit(self, changes: Sequence[Change]) -> Mapping[str, Stamp | None]:
        """Make all *changes* of files or none, durably; return the stamps of the entries that they belong to."""
        stamps = self.own.commit(changes)
        former = {change.path: self.records.owner(change.path) for change in changes}
        touched = self.records.written(stamps, {change.path: change.after for change in changes})
        entries = {path: at for path, at in stamps.items() if not (former[path] or self.records.owner(path))}
        for path in {*touched, *(owner for owner in former.values() if owner)}:
            at = self.records.stamp(path)
            entries[path] = at if at != ABSENT else None
        return entries

    def trashed(self, folder: str = "") -> Sequence[str]:
        """Return the names in the trash, most recently deleted first."""
        return self.own.trashed(folder)

    def project_has(self, path: str) -> bool:
        """Whether the project has a file or folder at *path*."""
        return self.own.project_has(path)

    def content(self, path: str) -> str:
        """Return a hash of the project's file at *path*, "" if it cannot be read."""
        return self.own.content(path)

    def write_projection(self, name: str, data: bytes) -> None:
        """Replace a generated file under ``.autology`` if it differs."""
        self.own.write_projection(name, data)

    def read_projection(self, name: str) -> bytes | None:
        """Return a generated file's bytes, or None."""
        return self.own.read_projection(name)
