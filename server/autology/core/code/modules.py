"""Which file of the project an import leads to."""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Iterable, Sequence

from autology.model.code import Import

INIT = "__init__"


class Modules:
    """The files of a project by the names that they can be imported under.

    What lies in a package is named from the folder around the outermost one; everything also from the project's root.
    A file that lies in none is imported by its own name from its folder.
    """

    def __init__(self, paths: Iterable[str]) -> None:
        self._paths = frozenset(paths)
        self._packages = {posixpath.dirname(path) for path in self._paths if _stem(path) == INIT}
        self._named: dict[str, list[str]] = defaultdict(list)
        for path in sorted(self._paths):
            for name in self._names(path):
                self._named[name].append(path)
        self._tops = {name.partition(".")[0] for name in self._named}

    def knows(self, name: str) -> bool:
        """Whether what begins as *name* does may be the project's own."""
        return name.partition(".")[0] in self._tops

    def file(self, name: str, importer: str) -> str | None:
        """Return the file that *name* means in the file *importer*: of several, the one that lies nearest."""
        found = self._named.get(name, ())
        return min(found, key=lambda path: (-shared(path, importer), path)) if found else None

    def imported(self, told: Import, importer: str) -> str:
        """Return the whole name of the module that an import in *importer* names."""
        if not told.level:
            return told.module
        folder = posixpath.dirname(importer)
        for _ in range(told.level - 1):
            folder = posixpath.dirname(folder)
        return ".".join(part for part in (*folder.split("/"), *told.module.split(".")) if part)

    def _names(self, path: str) -> Iterable[str]:
        whole = path[: path.rindex(".")].split("/")
        if whole[-1] == INIT:
            whole = whole[:-1]
        names = {".".join(whole)}
        folder = posixpath.dirname(path)
        top = folder
        while top in self._packages and top:
            top = posixpath.dirname(top)
        depth = len(top.split("/")) if top else 0
        names.add(".".join(whole[depth:]))
        return sorted(name for name in names if name)


def _stem(path: str) -> str:
    return posixpath.basename(path).partition(".")[0]


def shared(path: str, other: str) -> int:
    """How many folders two files have in common."""
    parts: Sequence[tuple[str, str]] = list(zip(path.split("/")[:-1], other.split("/")[:-1], strict=False))
    return next((number for number, (one, two) in enumerate(parts) if one != two), len(parts))
