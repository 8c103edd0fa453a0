"""Patterns of folders, as the user excludes them from what is read."""

from __future__ import annotations

from fnmatch import fnmatch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


def is_excluded(folder: str, patterns: Iterable[str]) -> bool:
    """Return whether one of *patterns* matches *folder* or a folder above it."""
    path = folder.replace("\\", "/").rstrip("/")
    return any(fnmatch(path, pattern) or fnmatch(path, f"{pattern.rstrip('/')}/*") for pattern in patterns)
