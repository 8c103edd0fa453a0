"""Walking a folder tree of any depth: ``os.walk`` is recursive before Python 3.12."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator


def walk(top: str, onerror: Callable[[OSError], None] | None = None) -> Iterator[tuple[str, list[str], list[str]]]:
    """Yield (folder, names of folders in it, names of files in it) from *top* down, as ``os.walk`` does.

    Folders that the caller removes from the list are not walked; links are yielded among the folders and not followed.
    A folder that cannot be listed is skipped and its error passed to *onerror*.
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
