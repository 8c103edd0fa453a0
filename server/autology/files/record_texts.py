"""The texts of a project's files, read for records: heads and whole, without following links."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Sequence

from autology.text.notes.charset import UnreadableTextError, decode
from autology.walking import walk

FILE_LIMIT = 4_000_000
"""Maximum bytes of a text, as for imported files."""
WALK_LIMIT = 50_000
"""Maximum files walked in a project without version control; that takes half a second."""
_SKIPPED = frozenset(
    ".git .hg .svn .jj .autology node_modules bower_components site-packages .venv venv __pycache__".split()
)
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


class ProjectTexts:
    """The :class:`~autology.core.records.collection.Texts` of the project at *root*.

    *tracked* returns the paths that version control tracks or would track, None without one.
    """

    def __init__(self, root: str, tracked: Callable[[], Sequence[str] | None]) -> None:
        self._root = os.path.realpath(root)
        self._tracked = tracked

    def paths(self) -> list[str]:
        """Return the paths of all files, from the root, that version control does not ignore."""
        tracked = self._tracked()
        return self._walked() if tracked is None else sorted(set(tracked))

    def head(self, path: str, size: int) -> str | None:
        """Return the first *size* bytes of the file at *path* as text; None if it is not readable text."""
        data = self._read(path, size)
        if data is None:
            return None
        for shorter in range(4):  # the last character may have been cut
            try:
                return decode(data[: len(data) - shorter]).text
            except UnreadableTextError:
                if len(data) < size:
                    return None
        return None

    def text(self, path: str) -> str | None:
        """Return the whole text of the file at *path*; None if it is not readable text."""
        data = self._read(path, FILE_LIMIT + 1)
        if data is None or len(data) > FILE_LIMIT:
            return None
        try:
            return decode(data).text
        except UnreadableTextError:
            return None

    def _read(self, path: str, size: int) -> bytes | None:
        full = os.path.join(self._root, *path.split("/"))
        try:
            # A linked folder may lead out of the project; the file itself is opened without following links.
            folder = os.path.realpath(os.path.dirname(full))
            if folder != self._root and not folder.startswith(os.path.join(self._root, "")):
                return None
            handle = os.open(full, _FLAGS)
            try:
                if not stat.S_ISREG(os.fstat(handle).st_mode):
                    return None
                with os.fdopen(handle, "rb", closefd=False) as file:
                    return file.read(size)
            finally:
                os.close(handle)
        except (OSError, ValueError):
            return None

    def _walked(self) -> list[str]:
        paths: list[str] = []
        for folder, folders, files in walk(self._root):
            folders[:] = sorted(name for name in folders if name not in _SKIPPED)
            for file in sorted(files):
                paths.append(os.path.relpath(os.path.join(folder, file), self._root).replace(os.sep, "/"))
                if len(paths) >= WALK_LIMIT:
                    return paths
        return paths
