"""The project's ``.autology`` folder: its nodes' files, its trash, what is generated from them."""

from __future__ import annotations

import os

from autology.files import atomic, journal, regular
from autology.files.notices import Notices
from autology.files.own import OwnFiles
from autology.model.errors import StorageError
from autology.model.node import NodeType
from autology.text.contents import content_id

FOLDERS = tuple(f".autology/nodes/{type.folder}" for type in NodeType)
FILE_LIMIT = 8_000_000
"""Bytes of the largest node file read: the longest content allowed, each character at its longest, and room."""
COMPARED = 1_000_000
"""Bytes of the largest file that is told from what it was: of a longer one not all is compared."""


class AutologyFolder(OwnFiles):
    """The files of one project, below its *root*."""

    def __init__(self, root: str, patience: float | None = None, notices: Notices | None = None) -> None:
        super().__init__(root, FOLDERS, FILE_LIMIT, patience, notices)

    def create(self) -> None:
        """Make the folders; harmless when they are there.

        Raises:
            StorageError: they cannot be made.
        """
        for folder in (journal.JOURNAL, *FOLDERS):
            self._confine(folder)
        try:
            for folder in FOLDERS:
                os.makedirs(self._at(folder), exist_ok=True)
            self._make_ready()
        except OSError as error:
            raise StorageError(".autology", error.strerror or str(error), journal.WRITABLE) from None

    def project_has(self, path: str) -> bool:
        """Whether the project holds a file or folder at *path*."""
        return os.path.exists(self._at(path))

    def content(self, path: str) -> str:
        """Return what tells the content of the project's file at *path* from others, "" where none can be read."""
        try:
            return content_id(regular.read(self._at(path), COMPARED)[0])
        except (OSError, ValueError):
            return ""

    def write_projection(self, name: str, data: bytes) -> None:
        """Replace a generated file under ``.autology`` if it differs; nothing depends on it."""
        if self.read_projection(name) != data:
            self._confine(f".autology/{name}".rpartition("/")[0])
            try:
                atomic.write(self._at(f".autology/{name}"), data, durable=False)
            except OSError as error:
                raise StorageError(f".autology/{name}", error.strerror or str(error), journal.WRITABLE) from None

    def read_projection(self, name: str) -> bytes | None:
        """Return a generated file's bytes, or None."""
        path = f".autology/{name}"
        self._confine(path.rpartition("/")[0])
        try:
            return journal.current(self.root, path)
        except OSError as error:
            raise StorageError(path, error.strerror or str(error), "Remove it: it is made anew.") from None
