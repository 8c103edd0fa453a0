"""Folders that keep originals on purpose."""

from __future__ import annotations

_ARCHIVES = frozenset("archive archived archives attic deprecated historical history obsolete old superseded".split())


def is_archived(path: str) -> bool:
    """Whether the file at *path* lies in a folder, or below one, that is named for what is over."""
    return not _ARCHIVES.isdisjoint(part.strip("_.").lower() for part in path.split("/")[:-1])
