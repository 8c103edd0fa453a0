"""The project's source files: those that version control knows or would take, read and nothing else."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence

from autology.core.ports import Stamp
from autology.files.walking import walk

WALKED = 50_000
"""Files that a walk of a project without version control looks at; it takes half a second."""
_PASSED_OVER = frozenset(
    ".git .hg .svn .jj .autology node_modules bower_components site-packages .venv venv __pycache__ build dist".split()
)


class SourceFolder:
    """The :class:`~autology.core.code.ports.Sources` of the project at *root*; *listed* tells its files, or None."""

    def __init__(self, root: str, listed: Callable[[], Sequence[str] | None]) -> None:
        self._root = os.path.realpath(root)
        self._listed = listed

    def scan(self, endings: Sequence[str]) -> Mapping[str, Stamp]:
        """Return every file that ends in one of *endings*, with its stamp; links are none."""
        listed = self._listed()
        paths = list(self._walked()) if listed is None else listed
        found = {}
        for path in paths:
            if path.endswith(tuple(endings)) and (at := self._stamp(path)):
                found[path] = at
        return found

    def read(self, path: str) -> bytes | None:
        """Return a file's bytes, or None where it is gone or cannot be read."""
        full = os.path.join(self._root, *path.split("/"))
        if not os.path.realpath(full).startswith(os.path.join(self._root, "")):
            return None
        try:
            with open(full, "rb") as file:
                return file.read()
        except OSError:
            return None

    def _stamp(self, path: str) -> Stamp | None:
        try:
            at = os.lstat(os.path.join(self._root, *path.split("/")))
        except (OSError, ValueError):
            return None
        return Stamp(at.st_size, at.st_mtime_ns) if stat.S_ISREG(at.st_mode) else None

    def _walked(self) -> Iterator[str]:
        seen = 0
        for folder, below, names in walk(self._root):
            below[:] = sorted(name for name in below if name not in _PASSED_OVER)
            for name in sorted(names):
                seen += 1
                if seen > WALKED:
                    return
                yield os.path.relpath(os.path.join(folder, name), self._root).replace(os.sep, "/")
