"""The memories of one root in ``.autology/memory``, with the same bounds, lock and journal as a project's nodes."""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence
from contextlib import suppress

from autology import private
from autology.core.content.files import Change, Stamp
from autology.files import atomic
from autology.files.notices import Notices
from autology.files.root_files import OwnFiles
from autology.model.memory import MEMORIES, Kind

KEPT = (".autology", ".autology/cache", ".autology/trash", ".autology/memory")
FOLDERS = tuple(f"{MEMORIES}{kind.value}" for kind in Kind)
COMMITS = ".autology/cache/commits"
"""A file that grows by one byte per commit."""
FILE_LIMIT = 2_500_000
"""Maximum bytes of a file: 1 MB of content at the longest encoding, plus the longest frontmatter."""


class MemoryFolder(OwnFiles):
    """The memories below *root*, a project or (*is_private*) the user's own folder; created with the first memory."""

    def __init__(
        self,
        root: str,
        patience: float | None = None,
        notices: Notices | None = None,
        is_private: bool = False,
    ) -> None:
        super().__init__(root, FOLDERS, FILE_LIMIT, patience, notices, is_private)

    def folders(self) -> tuple[int, ...]:
        """Return a value that changes when a file is added, removed or renamed, even within one clock tick.

        Several projects' indexes cover the user's memories, and must notice each other's servers' writes."""
        return (*super().folders(), self._commits())

    def commit(self, changes: Sequence[Change]) -> dict[str, Stamp | None]:
        """Apply all *changes* or none, durably; the lock must be held."""
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
    """Return the folders below *root* that cannot store memories, with the reason; *root* if none exists yet."""
    existing = [path for name in (*KEPT, *FOLDERS) if os.path.isdir(path := os.path.join(root, *name.split("/")))]
    if not existing:
        existing = [root]
        while not os.path.isdir(existing[0]) and os.path.dirname(existing[0]) != existing[0]:
            existing = [os.path.dirname(existing[0])]
        reason = "" if os.access(existing[0], os.W_OK) else os.strerror(errno.EACCES)
        return [(existing[0], reason)] if reason else []
    return refused(existing)


def refused(folders: Sequence[str]) -> list[tuple[str, str]]:
    """Return those of *folders* that are not writable, with the reason; one test write per disk."""
    refusals, disks = [], set()
    for folder in folders:
        reason = "" if os.access(folder, os.W_OK) else os.strerror(errno.EACCES)
        if not reason and (disk := os.stat(folder).st_dev) not in disks:
            disks.add(disk)
            reason = atomic.refusal(folder)
        if reason:
            refusals.append((folder, reason))
    return refusals
