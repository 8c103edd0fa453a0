"""The memories of one root: ``.autology/memory``, with the same bounds, lock and journal as a project's nodes."""

from __future__ import annotations

from autology.files import lock
from autology.files.own import OwnFiles
from autology.model.memory import Kind

FOLDERS = tuple(f".autology/memory/{kind.value}" for kind in Kind)
FILE_LIMIT = 2_500_000
"""Bytes of the largest file read: 1 MB of content, the longest frontmatter, each character at its longest, and room."""


class MemoryFolder(OwnFiles):
    """The memories below *root*, a project or the user's own folder; made when the first is written."""

    def __init__(self, root: str, patience: float = lock.PATIENCE) -> None:
        super().__init__(root, FOLDERS, FILE_LIMIT, patience)
