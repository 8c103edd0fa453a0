"""The texts of the notes' files as they were last looked at, so that changes made elsewhere can be undone."""

from __future__ import annotations

import os
from collections.abc import Iterable

from autology.core.content.files import Change
from autology.model.node import NODES

LIMIT = 16_000_000
"""Bytes kept: the texts of some 8,000 notes. Changes of the notes beyond it are reported without an undo."""


class NoteTexts:
    """The texts of the files below *root*, by path."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._texts: dict[str, bytes] = {}
        self._size = 0

    def read(self, paths: Iterable[str]) -> None:
        """Keep the texts of the files at *paths* that are notes of their own, as far as the limit allows."""
        for path in paths:
            if self._size < LIMIT and path.startswith(NODES):
                self._keep(path, self._file(path))

    def change_of(self, path: str) -> Change | None:
        """Return the change of a file since its text was last read, which is read again; None if it is not known."""
        before = self._texts.get(path)
        after = self._file(path) if before is not None else None
        self._keep(path, after)
        return Change(path, before, after) if None not in (before, after) and before != after else None

    def _keep(self, path: str, text: bytes | None) -> None:
        self._size -= len(self._texts.pop(path, b""))
        if text is not None:
            self._texts[path] = text
            self._size += len(text)

    def _file(self, path: str) -> bytes | None:
        try:
            with open(os.path.join(self._root, *path.split("/")), "rb") as file:
                return file.read()
        except OSError:
            return None
