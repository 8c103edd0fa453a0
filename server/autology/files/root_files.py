"""Files of a folder with an ``.autology`` in it, whatever they contain: bounds, lock, journal, trash."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress

from autology import private_files
from autology.core.content.files import ABSENT, Change, Stamp
from autology.file_notifications import Notices
from autology.files import atomic, folder_facts, journal, lock, path_checks, safe_read
from autology.files.folder_facts import Facts
from autology.files.watched_folder import Reporting
from autology.model.errors import StorageError
from autology.walking import displayable

TOP = ".autology"
TRASH = ".autology/trash"
IGNORED = "# Rebuilt from the nodes, or local to one machine.\ncache/\ntrash/\ngraph/\n"
TRASH_LIMIT = 10_000_000
"""Maximum bytes of a file read from the trash: documents may be larger than nodes."""


class JournaledFiles(Reporting):
    """The files in *folders*, folders below *root*; files larger than *limit* bytes are not read.

    *notices* reports changes to long-running callers. Private folders are only accessible to their user. Another
    process's writes are counted in the file *counter*, if there is one. Changes are made to these files, to documents,
    and to what *is_record* says is an adopted record's."""

    def __init__(
        self,
        root: str,
        folders: Sequence[str],
        limit: int,
        patience: float | None = None,
        notices: Notices | None = None,
        is_private: bool = False,
        counter: str = "",
        is_record: Callable[[str], bool] = lambda _: False,
    ) -> None:
        self.root = os.path.abspath(root)
        self._folders = tuple(folders)
        self._paths = [self._at(path) for path in (*folders, counter) if path]
        self._scanned: tuple[int, list[Facts]] = (0, [])
        self._unnamed = 0
        self._limit = limit
        self._patience = patience
        self._swept = False
        self._may_hold_staged = True  # whether a kept folder may: the last scan looked at every name
        super().__init__(notices)
        self._is_private = is_private
        self._is_record = is_record
        self._misnamed: frozenset[str] = frozenset()
        if is_private:
            private_files.restrict(self._at(TOP))

    def exists(self) -> bool:
        """Whether there is an ``.autology`` folder."""
        return os.path.isdir(self._at(".autology"))

    def scan(self) -> dict[str, Stamp]:
        """Return the stamp of every file in the kept folders."""
        stamps: dict[str, Stamp] = {}
        misnamed: set[str] = set()
        staged = False
        if self._notices:
            self._notices.begin()
            self._sort_reports()
        self._scanned = (self._unnamed, self._facts())
        for folder in self._folders:
            if self._notices:
                self._notices.watch(folder)
            for entry in self._entries(folder):
                if not _is_kept(entry.name):
                    staged = staged or atomic.is_staged(entry.name)
                    continue
                try:
                    facts = entry.stat(follow_symlinks=False)
                except FileNotFoundError:  # removed since the folder was listed
                    continue
                path = f"{folder}/{entry.name}"
                shown = displayable(path)
                if shown != path:
                    misnamed.add(shown)
                elif facts.st_nlink > 1 and self._notices:
                    self._notices.watch_linked(path)
                stamps[shown] = Stamp(facts.st_size, facts.st_mtime_ns)
        self._misnamed = frozenset(misnamed)
        self._may_hold_staged = staged
        return stamps

    def scan_one(self, path: str) -> Stamp:
        """Return the stamp of one file, or ABSENT where there is none."""
        return journal.stamp(self.root, path) or ABSENT

    def folders(self) -> tuple[int, ...]:
        """Return a value that changes when a file is added, removed or renamed and :meth:`edited` does not name it."""
        self._sort_reports()
        return self._value(self._unnamed, self._facts())

    def scanned(self) -> tuple[int, ...]:
        """Return the value that :meth:`folders` had when the last scan began."""
        return self._value(*self._scanned)

    def recognise(self, paths: Iterable[str] = ()) -> None:
        """Treat what the caller has just written at *paths* as seen."""
        if self._notices:
            self._notices.forgive(paths)

    def _facts(self) -> list[Facts]:
        return [folder_facts.look(path) for path in self._paths]

    def _value(self, unnamed: int, facts: Sequence[Facts]) -> tuple[int, ...]:
        if self.is_watched():
            return (unnamed, *folder_facts.identities(facts))
        return folder_facts.states(facts)

    def _sort_reports(self) -> None:
        """Collect the reported files; those that cannot be named only count."""
        if not self._notices:
            return
        with self._notices.lock:
            reported = self._notices.reported()
            for path in (*reported.files, *reported.folders):
                if not _is_kept(path.rpartition("/")[2]):
                    continue
                if displayable(path) == path:
                    self._edited.add(path)
                else:
                    self._unnamed += 1

    def read(self, path: str) -> tuple[bytes, Stamp]:
        """Return a file's bytes and stamp, as :func:`safe_read.read_stamped` does with files in the project."""
        if path in self._misnamed:
            raise StorageError(path, "has a name that is not UTF-8", "It is skipped: rename it.")
        self._confine(path.rpartition("/")[0])
        limit = TRASH_LIMIT if path.startswith(f"{TRASH}/") else self._limit
        return safe_read.read_stamped(path, self._at(path), limit)

    def recover(self) -> None:
        """Complete what a dead writer left unfinished, unless another writer is active or the folder is read-only."""
        if not journal.pending(self.root):
            return
        with suppress(StorageError), self.locked(patience=0.0):
            pass

    @contextmanager
    def locked(self, patience: float | None = None) -> Iterator[None]:
        """Hold the project's write lock, after completing what a dead writer left unfinished."""
        self._confine(journal.JOURNAL)
        try:
            self._make_ready()
        except OSError as error:
            raise StorageError(".autology/cache", error.strerror or str(error), journal.MAKE_WRITABLE) from None
        wait = self._patience if patience is None else patience
        with lock.held(self._at(".autology/cache/lock"), ".autology/cache/lock", wait):
            try:
                recovered = journal.recover(self.root, self._is_record)
                if recovered or not self._swept:
                    self._sweep(self._folders if recovered or self._may_hold_staged else ())
                    self._identify()
            except OSError as error:
                raise StorageError(".autology", error.strerror or str(error), journal.MAKE_WRITABLE) from None
            yield

    def commit(self, changes: Sequence[Change]) -> dict[str, Stamp | None]:
        """Apply all *changes* or none, durably; the lock must be held."""
        for change in changes:
            path_checks.check_file(self.root, change.path, self._is_record)
        return journal.commit(self.root, changes)

    def trashed(self, folder: str = "") -> list[str]:
        """Return the ids in the trash, or the names in its subfolder *folder*, most recently deleted first."""
        place = f"{TRASH}/{folder}" if folder else TRASH
        records = [f"{place}/{entry.name}" for entry in self._entries(place) if entry.name.endswith(".json")]
        records.sort(key=lambda path: self.scan_one(path).mtime_ns, reverse=True)
        return [path.rpartition("/")[2].removesuffix(".json") for path in records]

    def _at(self, path: str) -> str:
        return os.path.join(self.root, *path.split("/"))

    def _make_ready(self) -> None:
        if self._is_private:
            private_files.folder(self._at(journal.JOURNAL), self._at(TOP))
        else:
            os.makedirs(self._at(journal.JOURNAL), exist_ok=True)
        ignore = self._at(".autology/.gitignore")
        if not os.path.exists(ignore):
            try:
                atomic.write(ignore, IGNORED.encode())
            except FileNotFoundError:
                # Another first writer, who already holds the lock, swept our staged file; its own is in place.
                if not os.path.exists(ignore):
                    raise

    def _identify(self) -> None:
        """Give a project without a repository an id, which survives moving its folder."""
        place = self._at(".autology/project")
        if not os.path.lexists(place) and not _in_repository(self.root):
            atomic.write(place, f"{os.urandom(16).hex()}\n".encode())

    def _confine(self, folder: str) -> None:
        path_checks.check(self.root, folder)

    def _entries(self, folder: str) -> list[os.DirEntry[str]]:
        try:
            self._confine(folder)
            with os.scandir(self._at(folder)) as entries:
                return list(entries)
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as error:
            raise StorageError(folder, error.strerror or str(error), "Make the folder readable.") from None

    def _sweep(self, folders: Sequence[str]) -> None:
        """Remove files that dead writers staged in *folders* and beside: only the lock's holder stages files."""
        for folder in (*folders, TRASH, ".autology/graph", ".autology"):
            for entry in self._entries(folder):
                if atomic.is_staged(entry.name):
                    atomic.discard(entry.path)
        self._swept = True


def _is_kept(name: str) -> bool:
    return name.endswith(".md") and not name.startswith(".")


def _in_repository(folder: str) -> bool:
    at = os.path.realpath(folder)
    while not os.path.lexists(os.path.join(at, ".git")):
        at, below = os.path.dirname(at), at
        if at == below:
            return False
    return True
