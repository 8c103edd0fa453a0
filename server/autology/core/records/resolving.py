"""Finding the record that a link or a number means: among all records of a project, the nearest one."""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from urllib.parse import unquote

from autology.core.records.units import Unit
from autology.text.records.file_names import nearest, parsed
from autology.text.records.outline import FORMS
from autology.text.slug import without_fragment

_REPOSITORY = re.compile(r"https?://[^/]+/.+?/(?:-/)?(?:blob|tree|raw|edit)/[^/]+/(?P<path>.+)")
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_NO_RECORD = re.compile(
    r"/(?:pull|pulls|issues?|commit|discussions?|compare|merge_requests|releases|wiki)/", re.IGNORECASE
)
_ENDINGS = (*FORMS, ".html", ".htm")


class Resolver:
    """The records of a project by path, name and number."""

    def __init__(self, units: Iterable[tuple[Unit, int | None]]) -> None:
        self._paths: dict[str, str] = {}
        self._names: defaultdict[str, list[str]] = defaultdict(list)
        self._numbers: defaultdict[int, list[str]] = defaultdict(list)
        self._prefixes: dict[str, str] = {}
        self._units: dict[str, Unit] = {}
        for unit, number in units:
            self._units[unit.path] = unit
            for path in (*unit.paths, unit.id_path):
                self._paths[path] = unit.path
            self._names[unit.stem.lower()].append(unit.path)
            self._prefixes[unit.path] = _plain(parsed(unit.stem).prefix)
            if number is not None:
                self._numbers[number].append(unit.path)

    def by_target(self, target: str, source: str) -> str | None:
        """Return the record that a link in the file *source* leads to; None if it leads elsewhere."""
        plain = unquote(without_fragment(target)).strip()
        if not plain:
            return None
        if repository := _REPOSITORY.match(plain):
            return self._in_repository(repository["path"], source)
        if _URL.match(plain) or plain.startswith("//"):
            return None if _NO_RECORD.search(plain) else self._by_name(plain, source, numbers=False)
        if plain.startswith("/"):
            return self._by_path(plain.lstrip("/"), source)
        joined = posixpath.normpath(posixpath.join(posixpath.dirname(source), plain))
        return self._exact(joined) or self._by_path(plain, source)

    def _in_repository(self, path: str, source: str) -> str | None:
        """Return the record that a web address with *path* leads to: it may be another repository's.

        There, a record of that number is another one, but in a folder of the same name it may be one renamed here.
        """
        if located := self._by_path(path, source, numbers=False):
            return located
        located = self._by_path(path, source)
        unit = self._units.get(located or "")
        folder = path.rstrip("/").rpartition("/")[0].rpartition("/")[2]
        above = path.rstrip("/").rpartition("/")[0].rpartition("/")[0].rpartition("/")[2]
        return located if unit and unit.folder.rpartition("/")[2] in (folder, above) else None

    def by_number(self, number: int, source: str, prefix: str = "") -> str | None:
        """Return the record of *number* nearest to *source*; None without one, or if two are equally near.

        With *prefix*, as in ``RFC 13``, those that are named by another are left out, unless none is named by it. A
        number that *source* has itself means no other record.
        """
        paths: Sequence[str] = self._numbers.get(number, ())
        wanted = _plain(prefix)
        if wanted and wanted in self._prefixes.values():
            paths = [path for path in paths if self._prefixes[path] in (wanted, "")]
        return None if source in paths else nearest(source, paths)

    def number_elsewhere(self, target: str, source: str) -> int | None:
        """Return the number of the file in another repository that *target* leads to: without a link, too, the text in
        *source* means that one by it. None if it leads to a record here, or to no numbered file."""
        plain = without_fragment(target)
        repository = _REPOSITORY.match(plain)
        if repository is None or self.by_target(target, source) is not None:
            return None
        return parsed(posixpath.basename(repository["path"].rstrip("/"))).number

    def _exact(self, path: str) -> str | None:
        trimmed = path.rstrip("/")
        return next(
            (self._paths[one] for one in (trimmed, *(trimmed + ending for ending in FORMS)) if one in self._paths), None
        )

    def _by_path(self, path: str, source: str, *, numbers: bool = True) -> str | None:
        parts = posixpath.normpath(path).split("/")
        for depth in range(len(parts)):
            if located := self._exact("/".join(parts[depth:])):
                return located
        return self._by_name(path, source, numbers=numbers)

    def _by_name(self, path: str, source: str, *, numbers: bool) -> str | None:
        """Return the record whose file or folder has the last name in *path*, else the number of that name."""
        names = [name for name in path.rstrip("/").split("/") if name not in ("", ".", "..")]
        for name in names[-1:-3:-1]:
            ending = next((ending for ending in _ENDINGS if name.lower().endswith(ending)), "")
            stem = name[: len(name) - len(ending)] if ending else name
            if located := nearest(source, self._names.get(stem.lower(), ())):
                return located
            own = parsed(stem)
            if numbers and own.number is not None and own.date is None and (ending or own.words):
                return nearest(source, self._numbers.get(own.number, ()))
            if ending and stem.lower() not in ("readme", "index"):
                return None
        return None


def _plain(prefix: str) -> str:
    return re.sub(r"[\s_-]+", " ", prefix.lower())
