"""The memories of one root: ``.autology/memory``, with the same bounds, lock and journal as a project's nodes."""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence
from contextlib import suppress

from autology import private
from autology.core.ports import Change, Stamp
from autology.files import atomic
from autology.files.notices import Notices
from autology.files.own import OwnFiles
from autology.model.memory import MEMORIES, Kind

KEPT = (".autology", ".autology/cache", ".autology/trash", ".autology/memory")
FOLDERS = tuple(f"{MEMORIES}{kind.value}" for kind in Kind)
COMMITS = ".autology/cache/commits"
"""A file with a byte for each commit."""
FILE_LIMIT = 2_500_000
"""Bytes of the largest file read: 1 MB of content, the longest frontmatter, each character at its longest, and room."""


class MemoryFolder(OwnFiles):
    """The memories below *root*, a project or the user's own folder, *is_private*; made when the first is written."""

    def __init__(
        self,
        root: str,
        patience: float | None = None,
        notices: Notices | None = None,
        is_private: bool = False,
    ) -> None:
        super().__init__(root, FOLDERS, FILE_LIMIT, patience, notices, is_private)

    def folders(self) -> tuple[int, ...]:
        """Return a value that changes when a file is added, removed or renamed, by us even within a tick of the clock.

        Several projects' indexes know the user's memories, and none of them knows what another one's server wrote.
        """
        return (*super().folders(), self._commits())

    def commit(self, changes: Sequence[Change]) -> dict[str, Stamp | None]:
        """Make all *changes* or none, durably; the lock must be held."""
        with (
            suppress(OSError),
            open(self._at(COMMITS), "ab", opener=private.opener) as file,
        ):  # without it, the folders' times tell
            file.write(b".")
        return super().commit(changes)

    def _commits(self) -> int:
        try:
            return os.stat(self._at(COMMITS)).st_size
        except OSError:
            return 0


def unwritable(root: str) -> list[tuple[str, str]]:
    """Return the folders below *root* that take no memories, each with why; where there are none yet, *root*."""
    there = [path for name in (*KEPT, *FOLDERS) if os.path.isdir(path := os.path.join(root, *name.split("/")))]
    if not there:
        there = [root]
        while not os.path.isdir(there[0]) and os.path.dirname(there[0]) != there[0]:
            there = [os.path.dirname(there[0])]
        reason = "" if os.access(there[0], os.W_OK) else os.strerror(errno.EACCES)
        return [(there[0], reason)] if reason else []
    return refused(there)


def refused(folders: Sequence[str]) -> list[tuple[str, str]]:
    """Return those of *folders* that take no files, each with why; of each disk one is written to, to see that."""
    found, disks = [], set()
    for folder in folders:
        reason = "" if os.access(folder, os.W_OK) else os.strerror(errno.EACCES)
        if not reason and (disk := os.stat(folder).st_dev) not in disks:
            disks.add(disk)
            reason = atomic.refusal(folder)
        if reason:
            found.append((folder, reason))
    return found
