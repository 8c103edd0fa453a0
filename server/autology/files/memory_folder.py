"""The memories of one root in ``.autology/memory``, with the same bounds, lock and journal as a project's nodes."""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence
from contextlib import suppress

from autology import private_files
from autology.core.content.files import Change, Stamp
from autology.file_notifications import Notices
from autology.files import atomic
from autology.files.root_files import JournaledFiles
from autology.model.memory import MEMORIES, Kind

KEPT = (".autology", ".autology/cache", ".autology/trash", ".autology/memory")
FOLDERS = tuple(f"{MEMORIES}{kind.value}" for kind in Kind)
COMMITS = ".autology/cache/commits"
"""A file that grows by one byte per commit: several projects' indexes cover the user's memories, and must notice each
other's servers' writes even within one clock tick, where the system does not report them."""
FILE_LIMIT = 2_500_000
"""Maximum bytes of a file: 1 MB of content at the longest encoding, plus the longest frontmatter."""


class MemoryFolder(JournaledFiles):
    """The memories below *root*, a project or (*is_private*) the user's own folder; created with the first memory."""

    def __init__(
        self,
        root: str,
        patience: float | None = None,
        notices: Notices | None = None,
        is_private: bool = False,
    ) -> None:
        super().__init__(root, FOLDERS, FILE_LIMIT, patience, notices, is_private, COMMITS)

    def commit(self, changes: Sequence[Change]) -> dict[str, Stamp | None]:
        """Apply all *changes* or none, durably; the lock must be held."""
        with (
            suppress(OSError),
            open(self._at(COMMITS), "ab", opener=private_files.opener) as file,
        ):  # without it, the folders' times tell
            file.write(b".")
        return super().commit(changes)


def has_memories(*roots: str) -> bool:
    """Whether any memories were ever stored below *roots*; cheap, without side effects."""
    return any(os.path.isdir(os.path.join(root, ".autology", "memory")) for root in roots)


def unwritable(root: str) -> list[tuple[str, str]]:
    """Return the folders below *root* that cannot store memories, with the reason; *root* if none exists yet.

    One page is written per disk, if memories exist.
    """
    folders = [path for name in (*KEPT, *FOLDERS) if os.path.isdir(path := os.path.join(root, *name.split("/")))]
    refusals, disks = [], set()
    while not folders and not os.path.isdir(root) and os.path.dirname(root) != root:
        root = os.path.dirname(root)
    for folder in folders or [root]:
        reason = "" if os.access(folder, os.W_OK) else os.strerror(errno.EACCES)
        if not reason and folders and (disk := os.stat(folder).st_dev) not in disks:
            disks.add(disk)
            reason = atomic.refusal(folder)
        if reason:
            refusals.append((folder, reason))
    return refusals
