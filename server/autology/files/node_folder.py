"""The project's ``.autology`` folder: node files, trash and generated files."""

from __future__ import annotations

import os
from collections.abc import Callable

from autology.file_notifications import Notices
from autology.files import atomic, journal, safe_read
from autology.files.root_files import JournaledFiles
from autology.model.errors import StorageError
from autology.model.node import NodeType
from autology.text.notes.content_id import content_id

FOLDERS = tuple(f".autology/nodes/{type.folder}" for type in NodeType)
FILE_LIMIT = 8_000_000
"""Maximum bytes of a node file: the longest allowed content at the longest encoding, plus the frontmatter."""
COMPARED = 1_000_000
"""Maximum bytes of a file whose content is compared; longer ones only in part."""


class AutologyFolder(JournaledFiles):
    """The files of one project, below its *root*."""

    def __init__(
        self,
        root: str,
        patience: float | None = None,
        notices: Notices | None = None,
        is_record: Callable[[str], bool] = lambda _: False,
    ) -> None:
        super().__init__(root, FOLDERS, FILE_LIMIT, patience, notices, is_record=is_record)

    def create(self) -> None:
        """Create the folders if missing. Raises StorageError."""
        if all(os.path.isdir(self._at(folder)) for folder in (journal.JOURNAL, *FOLDERS)):
            return
        for folder in (journal.JOURNAL, *FOLDERS):
            self._confine(folder)
        try:
            for folder in FOLDERS:
                os.makedirs(self._at(folder), exist_ok=True)
            self._make_ready()
        except OSError as error:
            raise StorageError(".autology", error.strerror or str(error), journal.MAKE_WRITABLE) from None

    def project_has(self, path: str) -> bool:
        """Whether the project contains a file or folder at *path*."""
        return os.path.exists(self._at(path))

    def content(self, path: str) -> str:
        """Return a content id of the project's file at *path*, "" if it cannot be read."""
        try:
            return content_id(safe_read.read(self._at(path), COMPARED)[0])
        except (OSError, ValueError):
            return ""

    def write_projection(self, name: str, data: bytes) -> None:
        """Write a generated file under ``.autology`` if it changed; it can be regenerated."""
        if self.read_projection(name) != data:
            self._confine(f".autology/{name}".rpartition("/")[0])
            try:
                atomic.write(self._at(f".autology/{name}"), data, durable=False)
            except OSError as error:
                raise StorageError(f".autology/{name}", error.strerror or str(error), journal.MAKE_WRITABLE) from None

    def read_projection(self, name: str) -> bytes | None:
        """Return a generated file's bytes, or None."""
        path = f".autology/{name}"
        self._confine(path.rpartition("/")[0])
        try:
            return journal.current(self.root, path)
        except OSError as error:
            raise StorageError(path, error.strerror or str(error), "Remove it: it is regenerated.") from None
