"""A project's files in memory, with the same promises as those on disk."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count

from autology.core.content.files import Change, Stamp
from autology.model.errors import ConflictError
from autology.model.node import NodeType
from autology.text.notes.content_id import content_id

FOLDERS = tuple(f".autology/nodes/{type.folder}" for type in NodeType)
TRASH = ".autology/trash"


class MemoryFiles:
    """The :class:`~autology.core.content.files.Files` of a project that is on no disk."""

    root = "/in/memory"

    def __init__(self) -> None:
        self.held: dict[str, tuple[bytes, Stamp]] = {}
        self.project: set[str] = set()
        self._made = False
        self._clock = count(1)
        self._changed = dict.fromkeys(FOLDERS, 0)
        self._edited: set[str] = set()
        self._scanned: Sequence[int] = ()
        self._lock = threading.Lock()

    # ---- what a person does beside the use cases ----------------------------------------------------

    def save(self, path: str, data: bytes) -> None:
        """Write a file as an editor would."""
        if path not in self.held:
            self._touch(path)
        elif self._is_node(path):
            self._edited.add(path)
        self.held[path] = (data, Stamp(len(data), next(self._clock)))

    def remove(self, path: str) -> None:
        """Remove a file as a person would."""
        del self.held[path]
        self._touch(path)

    # ---- the port -------------------------------------------------------------------------------------

    def exists(self) -> bool:
        return self._made

    def create(self) -> None:
        self._made = True

    def scan(self) -> Mapping[str, Stamp]:
        self._scanned = self.folders()
        return {path: stamp for path, (_, stamp) in self.held.items() if self._is_node(path)}

    def recover(self) -> None:
        pass

    def scan_one(self, path: str) -> Stamp:
        return self.held[path][1] if path in self.held else Stamp(0, 0)

    def folders(self) -> Sequence[int]:
        return tuple(self._changed.values())

    def scanned(self) -> Sequence[int]:
        return self._scanned

    def is_watched(self) -> bool:
        return False

    def recognise(self, paths: Iterable[str] = ()) -> None:
        pass

    def edited(self) -> Sequence[str]:
        result, self._edited = sorted(self._edited), set()
        return result

    def read(self, path: str) -> tuple[bytes, Stamp]:
        if path not in self.held:
            raise FileNotFoundError(path)
        return self.held[path]

    @contextmanager
    def locked(self) -> Iterator[None]:
        self._made = True
        with self._lock:
            yield

    def commit(self, changes: Sequence[Change]) -> Mapping[str, Stamp | None]:
        for change in changes:
            before, _ = self.held.get(change.path, (None, None))
            if before != change.before:
                raise ConflictError(change.path)
        for change in changes:
            if change.after is not None:
                self.held.pop(change.path, None)
                self.save(change.path, change.after)
            elif change.path in self.held:
                self.remove(change.path)
        return {change.path: self.held[change.path][1] if change.after is not None else None for change in changes}

    def trashed(self, folder: str = "") -> Sequence[str]:
        place = f"{TRASH}/{folder}" if folder else TRASH
        records = [(stamp.mtime_ns, path) for path, (_, stamp) in self.held.items() if self._is_record(path, place)]
        return [path.rpartition("/")[2].removesuffix(".json") for _, path in sorted(records, reverse=True)]

    def content(self, path: str) -> str:
        return content_id(self.held[path][0]) if path in self.held else ""

    def project_has(self, path: str) -> bool:
        return any(held == path or held.startswith(f"{path}/") for held in self.project | self.held.keys())

    def write_projection(self, name: str, data: bytes) -> None:
        self.save(f".autology/{name}", data)

    def read_projection(self, name: str) -> bytes | None:
        return self.held.get(f".autology/{name}", (None, None))[0]

    def _is_node(self, path: str) -> bool:
        folder, _, name = path.rpartition("/")
        return folder in FOLDERS and name.endswith(".md") and not name.startswith(".")

    def _is_record(self, path: str, place: str) -> bool:
        return path.rpartition("/")[0] == place and path.endswith(".json")

    def _touch(self, path: str) -> None:
        folder = path.rpartition("/")[0]
        if folder in self._changed:
            self._changed[folder] = next(self._clock)
