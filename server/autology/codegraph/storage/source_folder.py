"""The project's source files, read only: those that version control tracks or would track."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence

from autology.core.content.files import Stamp
from autology.walking import walk

MAX_WALKED = 50_000
"""Files that are looked at in a project without version control; that takes half a second."""
_SKIPPED_FOLDERS = frozenset(
    ".git .hg .svn .jj .autology node_modules bower_components site-packages .venv venv __pycache__ build dist".split()
)


class SourceFolder:
    """The source files below *root*; *tracked* returns the paths known to version control, None without one.

    Paths are relative to the root and separated by ``/``.
    """

    def __init__(self, root: str, tracked: Callable[[], Sequence[str] | None]) -> None:
        self._root = os.path.realpath(root)
        self._tracked = tracked

    def scan(self, endings: Sequence[str]) -> Mapping[str, Stamp]:
        """Return every regular file that ends in one of *endings*, with its stamp; links are skipped."""
        tracked = self._tracked()
        paths = self._walk() if tracked is None else tracked
        return {path: stamp for path in paths if path.endswith(tuple(endings)) and (stamp := self._stamp(path))}

    def read(self, path: str) -> bytes | None:
        """Return the content of a file; None where it is gone, unreadable or outside of the project."""
        file = os.path.join(self._root, *path.split("/"))
        if not os.path.realpath(file).startswith(os.path.join(self._root, "")):
            return None
        try:
            with open(file, "rb") as stream:
                return stream.read()
        except OSError:
            return None

    def _stamp(self, path: str) -> Stamp | None:
        try:
            status = os.lstat(os.path.join(self._root, *path.split("/")))
        except (OSError, ValueError):
            return None
        return Stamp(status.st_size, status.st_mtime_ns) if stat.S_ISREG(status.st_mode) else None

    def _walk(self) -> Iterator[str]:
        looked_at = 0
        for folder, folders, files in walk(self._root):
            folders[:] = sorted(name for name in folders if name not in _SKIPPED_FOLDERS)
            for file in sorted(files):
                looked_at += 1
                if looked_at > MAX_WALKED:
                    return
                yield os.path.relpath(os.path.join(folder, file), self._root).replace(os.sep, "/")
