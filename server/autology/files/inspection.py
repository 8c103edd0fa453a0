"""Read-only inspection of the ``.autology`` folder: sizes, leftovers, the current writer."""

from __future__ import annotations

import os
from collections.abc import Iterator

from autology.core.doctor import Disk
from autology.files import atomic, journal, lock
from autology.files.memory_folder import FOLDERS
from autology.model.node import NodeType
from autology.walking import walk

_PARTS = ("nodes", "memory", "cache", "trash", "graph")
_WRITTEN = tuple(f".autology{part}" for part in ("", *(f"/{name}" for name in _PARTS), "/trash/memory"))


class FolderInspection:
    """The :class:`~autology.core.doctor.Inspection` of the project at *root*."""

    def __init__(self, root: str) -> None:
        self._root = root

    def look(self) -> Disk:
        """Return what was found."""
        folders = [*_WRITTEN, *(f".autology/nodes/{type.folder}" for type in NodeType), *FOLDERS]
        return Disk(
            sizes={part: sum(_sizes(self._at(f".autology/{part}"))) for part in _PARTS},
            journal=[name for name in _names(self._at(journal.JOURNAL)) if name.endswith(".json")],
            staged=[
                f"{folder}/{name}" for folder in folders for name in _names(self._at(folder)) if atomic.is_staged(name)
            ],
            writer=lock.holder(self._at(".autology/cache/lock")),
            unwritable=[path for path in folders if self._cannot_be_written(path)],
            refusal=self._refusal(),
            ignored=os.path.exists(self._at(".autology/.gitignore")),
        )

    def _cannot_be_written(self, path: str) -> bool:
        full = self._at(path)
        return os.path.isdir(full) and not os.access(full, os.W_OK)

    def _refusal(self) -> str:
        full = self._at(".autology")
        return atomic.refusal(full) if os.path.isdir(full) and os.access(full, os.W_OK) else ""

    def _at(self, path: str) -> str:
        return os.path.join(self._root, *path.split("/"))


def _names(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def _sizes(folder: str) -> Iterator[int]:
    for inner, _, names in walk(folder):
        for name in names:
            try:
                yield os.lstat(os.path.join(inner, name)).st_size
            except OSError:
                continue
