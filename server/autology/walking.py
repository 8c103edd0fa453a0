"""Walking folder trees of any depth, with names of any bytes: ``os.walk`` is recursive before Python 3.12."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator


def walk(top: str, onerror: Callable[[OSError], None] | None = None) -> Iterator[tuple[str, list[str], list[str]]]:
    """Yield (folder, subfolder names, file names) from *top* down, as ``os.walk`` does.

    Subfolder names that the caller removes are not walked; links are yielded as folders but not followed. A folder that
    cannot be listed is passed to *onerror* and skipped.
    """
    waiting = [top]
    while waiting:
        folder = waiting.pop()
        inner: list[str] = []
        names: list[str] = []
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    (inner if _is_folder(entry) else names).append(entry.name)
        except OSError as error:
            if onerror is not None:
                onerror(error)
            continue
        yield folder, inner, names
        below = [os.path.join(folder, name) for name in inner]
        waiting += [path for path in reversed(below) if not os.path.islink(path)]


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def displayable(path: str) -> str:
    """Return *path*, with escapes if its name is not UTF-8."""
    return path if path.isascii() else path.encode("utf-8", "backslashreplace").decode()
