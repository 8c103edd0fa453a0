"""The documents of a project together with the client's own memory of it, which lies elsewhere."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from autology.core.content.files import ABSENT, Stamp
from autology.core.documents.exclusions import Rule
from autology.core.documents.sources import Scan
from autology.files import atomic, safe_read
from autology.files.documents import DocumentFolder
from autology.model.errors import StorageError
from autology.text.documents.client_memory import PREFIX, is_client_memory
from autology.walking import displayable

FILE_LIMIT = 1_000_000
"""Maximum bytes of a text: the client loads 25,000 of its first one."""
FILES = 1_000
"""Maximum texts; the client keeps some ten."""


def strike(folder: str, name: str, number: int, written: str, archive: str) -> None:
    """Remove line *number*, from 1, of the text *name* in *folder*, if it is *written* like that; add it to *archive*.

    Raises:
        StorageError: it is not, or the disk refused; nothing was changed.
    """
    full = os.path.join(folder, name)
    try:
        data = safe_read.read(full, FILE_LIMIT)[0]
        lines = data.split(b"\n")
        if not 0 < number <= len(lines) or lines[number - 1].rstrip(b"\r").decode("utf-8", "replace") != written:
            raise StorageError(name, "was changed meanwhile", "List the lines again, and name the one that is meant.")
        os.makedirs(os.path.dirname(archive), mode=0o700, exist_ok=True)
        with open(archive, "a", encoding="utf-8", newline="") as file:
            file.write(json.dumps({"file": full, "line": number, "text": written}, ensure_ascii=False) + "\n")
            file.flush()
            os.fsync(file.fileno())
        os.replace(atomic.stage(full, b"\n".join([*lines[: number - 1], *lines[number:]])), full)
    except OSError as error:
        raise StorageError(name, error.strerror or str(error), "Remove the line by hand.") from None


class DocumentsAndClientMemory:
    """The :class:`~autology.core.documents.sources.Documents` in *project*, and the texts of the client's memory.

    *locate* returns the folder of the memory, None if it is switched off; *configs* are the files that decide it.
    Links are not followed there, and nothing is written.
    """

    def __init__(self, project: DocumentFolder, locate: Callable[[], str | None], configs: Sequence[str]) -> None:
        self.project = project
        self._locate = locate
        self._configs = configs
        self._folder: str | None = None
        self._located_at: tuple[int, ...] | None = None
        self._stamps: Mapping[str, Stamp] = {}
        self._scanned: tuple[int, ...] = ()

    @property
    def root(self) -> str:
        """The project's folder."""
        return self.project.root

    @property
    def sources(self) -> Sequence[str]:
        """The folders that are searched, and special sources."""
        return self.project.sources

    def scan(self) -> Scan:
        """Return every text with its stamp, the project's folders, and the missing sources."""
        self._scanned = self._state()
        self._stamps = self._listed()
        scan = self.project.scan()
        own = {path: at for path, at in scan.files.items() if not is_client_memory(path)}
        return replace(scan, files={**own, **self._stamps})

    def left_out(self) -> Mapping[Rule, int]:
        """Return how many of the project's texts each rule leaves out."""
        return self.project.left_out()

    def source_of(self, path: str) -> str | None:
        """Return the source that contains *path*; the client's memory is in none."""
        return None if is_client_memory(path) else self.project.source_of(path)

    def scan_one(self, path: str) -> Stamp:
        """Return the stamp of one file, or ABSENT if there is none."""
        if not is_client_memory(path):
            return self.project.scan_one(path)
        try:
            facts = os.lstat(self._at(path))
        except (OSError, ValueError):
            return ABSENT
        return Stamp(facts.st_size, facts.st_mtime_ns)

    def read(self, path: str) -> tuple[bytes, Stamp]:
        """Return a text's bytes and stamp. Raises FileNotFoundError, StorageError."""
        if not is_client_memory(path):
            return self.project.read(path)
        if ".." in path or self._current() is None:
            raise StorageError(path, "is not in the client's memory", "It is skipped.")
        return safe_read.read_stamped(path, self._at(path), FILE_LIMIT)

    def folders(self) -> Sequence[int]:
        """Return a value that changes when a text comes or goes, or others are to be looked at."""
        return (*self.project.folders(), *self._state())

    def scanned(self) -> Sequence[int]:
        """Return the value that :meth:`folders` had when the last scan began."""
        return (*self.project.scanned(), *self._scanned)

    def is_watched(self) -> bool:
        """Whether every change since the last scan is reported: the client's few texts are looked at each time."""
        return self.project.is_watched()

    def edited(self) -> Sequence[str]:
        """Return the texts that changed since they were scanned, as far as that is known."""
        changed = [path for path, at in self._stamps.items() if self.scan_one(path) != at]
        return (*self.project.edited(), *changed)

    def recognise(self, paths: Iterable[str] = ()) -> None:
        """Treat the folders' current state as seen: the caller has just written documents at *paths*."""
        self.project.recognise(paths)

    def _state(self) -> tuple[int, ...]:
        folder = self._current()
        return (*(self._located_at or ()), safe_read.mtime(folder) if folder else 0)

    def _current(self) -> str | None:
        at = tuple(map(safe_read.mtime, self._configs))
        if at != self._located_at:
            self._folder, self._located_at = self._locate(), at
        return self._folder

    def _listed(self) -> dict[str, Stamp]:
        folder = self._current()
        files: dict[str, Stamp] = {}
        try:
            with os.scandir(folder or "") as entries:
                for entry in sorted(entries, key=lambda entry: (entry.name != "MEMORY.md", entry.name)):
                    is_text = entry.name.lower().endswith(".md") and entry.is_file(follow_symlinks=False)
                    if is_text and displayable(entry.name) == entry.name and len(files) < FILES:
                        facts = entry.stat(follow_symlinks=False)
                        files[PREFIX + entry.name] = Stamp(facts.st_size, facts.st_mtime_ns)
        except OSError:  # the client remembers nothing here
            return {}
        return files

    def _at(self, path: str) -> str:
        return os.path.join(self._current() or os.devnull, path.removeprefix(PREFIX))
