"""The project's ``.autology`` folder: its nodes' files, its trash, what is generated from them."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from autology.core.ports import Change, Stamp
from autology.files import atomic, bounds, journal, lock, regular
from autology.model.errors import StorageError
from autology.model.node import NodeType

NODES = ".autology/nodes"
TRASH = ".autology/trash"
IGNORED = "# What can be made anew from the nodes, or belongs to one machine only.\ncache/\ntrash/\ngraph/\n"
FILE_LIMIT = 8_000_000
"""Bytes of the largest node file read: the longest content allowed, each character at its longest, and room."""

TRASH_LIMIT = 10_000_000
"""Bytes of the largest file in the trash that is read: a document's limit is higher than a node's."""

YOUNG_NS = 20_000_000
"""A file this young may be written again without its stamp changing: clocks of file systems tick every 4 to 10 ms."""


class AutologyFolder:
    """The files of one project, below its *root*."""

    def __init__(self, root: str, patience: float = lock.PATIENCE) -> None:
        self.root = os.path.abspath(root)
        self._patience = patience
        self._swept = False

    def exists(self) -> bool:
        """Whether the project has an ``.autology`` folder."""
        return os.path.isdir(self._at(".autology"))

    def create(self) -> None:
        """Make the folders; harmless when they are there.

        Raises:
            StorageError: they cannot be made.
        """
        folders = [f"{NODES}/{type.folder}" for type in NodeType]
        for folder in (journal.JOURNAL, *folders):
            self._confine(folder)
        try:
            for folder in folders:
                os.makedirs(self._at(folder), exist_ok=True)
            self._make_ready()
        except OSError as error:
            raise StorageError(".autology", error.strerror or str(error), _WRITABLE) from None

    def scan(self) -> dict[str, Stamp]:
        """Return every node's file with its stamp, whatever it holds."""
        found: dict[str, Stamp] = {}
        for type in NodeType:
            folder = f"{NODES}/{type.folder}"
            for entry in self._entries(folder):
                if not entry.name.endswith(".md") or entry.name.startswith("."):
                    continue
                try:
                    facts = entry.stat(follow_symlinks=False)
                except FileNotFoundError:  # removed since the folder was listed
                    continue
                found[f"{folder}/{entry.name}"] = Stamp(facts.st_size, facts.st_mtime_ns)
        return found

    def scan_one(self, path: str) -> Stamp:
        """Return the stamp of one file, or a zero stamp where there is none."""
        return journal.stamp(self.root, path) or Stamp(0, 0)

    def folders(self) -> tuple[int, ...]:
        """Return a value that changes when a node's file is added, removed or renamed."""
        return tuple(self._mtime(f"{NODES}/{type.folder}") for type in NodeType)

    def read(self, path: str) -> tuple[bytes, Stamp]:
        """Return a file's bytes and the stamp they go with.

        A file that was written this very moment gets a stamp that no later look finds again:
        another text of the same length may follow under the same time.

        Raises:
            FileNotFoundError: there is none.
            StorageError: it is a link, lies outside the project, is too large or cannot be read.
        """
        self._confine(path.rpartition("/")[0])
        try:
            limit = TRASH_LIMIT if path.startswith(f"{TRASH}/") else FILE_LIMIT
            data, facts = regular.read(self._at(path), limit)
        except FileNotFoundError:
            raise
        except OSError as error:
            raise StorageError(path, error.strerror or str(error), "Put a readable markdown file there.") from None
        settled = abs(time.time_ns() - facts.st_mtime_ns) > YOUNG_NS
        return data, Stamp(facts.st_size, facts.st_mtime_ns if settled else 0)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the project's write lock; what a dead writer left half done is completed first."""
        with self._locked(self._patience):
            yield

    def mend(self) -> None:
        """Complete what a dead writer left half done, unless somebody is writing or nothing may be written."""
        if not journal.pending(self.root):
            return
        with suppress(StorageError), self._locked(patience=0.0):
            pass

    @contextmanager
    def _locked(self, patience: float) -> Iterator[None]:
        self._confine(journal.JOURNAL)
        try:
            self._make_ready()
        except OSError as error:
            raise StorageError(".autology/cache", error.strerror or str(error), _WRITABLE) from None
        with lock.held(self._at(".autology/cache/lock"), ".autology/cache/lock", patience):
            try:
                recovered = journal.recover(self.root)
                if recovered or not self._swept:
                    self._sweep()
            except OSError as error:
                raise StorageError(".autology", error.strerror or str(error), _WRITABLE) from None
            yield

    def commit(self, changes: Sequence[Change]) -> dict[str, Stamp | None]:
        """Make all *changes* or none, durably; the lock must be held."""
        for change in changes:
            bounds.check_file(self.root, change.path)
        return journal.commit(self.root, changes)

    def trashed(self, folder: str = "") -> list[str]:
        """Return the ids in the trash, or the names in that *folder* of it, the one deleted last first."""
        place = f"{TRASH}/{folder}" if folder else TRASH
        records = [f"{place}/{entry.name}" for entry in self._entries(place) if entry.name.endswith(".json")]
        records.sort(key=lambda path: self.scan_one(path).mtime_ns, reverse=True)
        return [path.rpartition("/")[2].removesuffix(".json") for path in records]

    def project_has(self, path: str) -> bool:
        """Whether the project holds a file or folder at *path*."""
        return os.path.exists(self._at(path))

    def write_projection(self, name: str, data: bytes) -> None:
        """Replace a generated file under ``.autology`` if it differs; nothing depends on it."""
        if self.read_projection(name) != data:
            self._confine(f".autology/{name}".rpartition("/")[0])
            try:
                atomic.write(self._at(f".autology/{name}"), data, durable=False)
            except OSError as error:
                raise StorageError(f".autology/{name}", error.strerror or str(error), _WRITABLE) from None

    def read_projection(self, name: str) -> bytes | None:
        """Return a generated file's bytes, or None."""
        path = f".autology/{name}"
        self._confine(path.rpartition("/")[0])
        try:
            return journal.current(self.root, path)
        except OSError as error:
            raise StorageError(path, error.strerror or str(error), "Remove it: it is made anew.") from None

    def _at(self, path: str) -> str:
        return os.path.join(self.root, *path.split("/"))

    def _make_ready(self) -> None:
        os.makedirs(self._at(journal.JOURNAL), exist_ok=True)
        ignore = self._at(".autology/.gitignore")
        if not os.path.exists(ignore):
            try:
                atomic.write(ignore, IGNORED.encode())
            except FileNotFoundError:
                # Another first writer, who holds the lock already, swept what we had staged; theirs is in place.
                if not os.path.exists(ignore):
                    raise

    def _confine(self, folder: str) -> None:
        bounds.check(self.root, folder)

    def _entries(self, folder: str) -> list[os.DirEntry[str]]:
        try:
            self._confine(folder)
            with os.scandir(self._at(folder)) as entries:
                return list(entries)
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as error:
            raise StorageError(folder, error.strerror or str(error), "Make the folder readable.") from None

    def _mtime(self, folder: str) -> int:
        try:
            return os.stat(self._at(folder)).st_mtime_ns
        except OSError:
            return 0

    def _sweep(self) -> None:
        """Remove what dead writers had staged: whoever holds the lock is the only one who stages."""
        for folder in (*(f"{NODES}/{type.folder}" for type in NodeType), TRASH, ".autology/graph", ".autology"):
            for entry in self._entries(folder):
                if atomic.is_staged(entry.name):
                    atomic.discard(entry.path)
        self._swept = True


_WRITABLE = "Nothing was changed. Make the project's folder writable and try again."
