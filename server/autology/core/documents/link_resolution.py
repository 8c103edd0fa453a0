"""Resolving names of documents: links as Obsidian resolves them, requests more generously."""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from autology.core.index.catalogue import Named
from autology.model.node import is_uuid4
from autology.text.markdown import links
from autology.text.markdown.links import Mention
from autology.text.slug import TEXTS, key, slug, without_ending

_PLACED = re.compile(r"\.{1,2}/|[/~]|[A-Za-z]:/")


@dataclass(frozen=True, slots=True)
class DocumentReference:
    """A caller's name for a document.

    *path* is the name as a path from the project's root, "" if it leads out of the project; *rooted* if it begins at a
    known folder, so that it is not the end of another path.
    """

    text: str
    path: str
    rooted: bool

    @property
    def is_file(self) -> bool:
        """Whether it has a document's extension."""
        return self.path.lower().endswith(TEXTS) or self.text.lower().endswith(TEXTS)

    @property
    def has_folder(self) -> bool:
        """Whether it includes a folder."""
        return self.rooted or "/" in self.path

    @classmethod
    def read(cls, text: str, root: str) -> DocumentReference:
        """Return what *text* names in the project at *root*."""
        name = text.strip()
        plain = name.replace("\\", "/")
        inner = plain.removeprefix(root.replace("\\", "/").rstrip("/") + "/")
        path = posixpath.normpath(inner) if inner else ""
        outside = path.startswith(("../", "/", "~")) or path in ("", ".", "..") or re.match(r"[A-Za-z]:/", path)
        return cls(name, "" if outside else path, inner != plain or _PLACED.match(inner) is not None)


class Names:
    """The names of all documents, or of those that one query is about."""

    def __init__(self, every: Iterable[Named] = ()) -> None:
        self._by_path: dict[str, Named] = {}
        self._by_id: dict[str, Named] = {}
        self._waiting: dict[str, Named] = {}  # added, but not in the tables below
        self._files: dict[str, list[Named]] = {}  # by path without ending, folded
        self._stems: dict[str, list[Named]] = {}
        self._slugs: dict[str, list[Named]] = {}
        self._titles: dict[str, list[Named]] = {}
        for named in every:
            self.add(named)

    def __iter__(self) -> Iterator[Named]:
        return iter(self._by_path.values())

    def at(self, path: str) -> Named | None:
        """Return the document whose file lies at *path*."""
        return self._by_path.get(path)

    def add(self, named: Named) -> None:
        """Add a document, or update its names."""
        self.remove(named.path)
        self._by_path[named.path] = named
        self._by_id[named.id] = named
        self._waiting[named.path] = named

    def remove(self, path: str) -> None:
        """Forget a document."""
        named = self._by_path.pop(path, None)
        if named is None:
            return
        if self._by_id.get(named.id) is named:
            del self._by_id[named.id]
        if self._waiting.pop(path, None) is not None:
            return
        for table, name in self._entries(named):
            table[name].remove(named)

    def _settle(self) -> None:
        """Enter what was added into the tables: of 30,000 names, most are never looked up by a command."""
        waiting, self._waiting = self._waiting, {}
        for named in waiting.values():
            for table, name in self._entries(named):
                table.setdefault(name, []).append(named)

    def _entries(self, named: Named) -> Iterable[tuple[dict[str, list[Named]], str]]:
        file = key(without_ending(named.path))
        yield self._files, file
        yield self._stems, file.rpartition("/")[2]
        yield self._slugs, slug(file.rpartition("/")[2])
        for name in named.names:
            yield self._titles, name

    # ---- links -----------------------------------------------------------------------------------

    def target(self, mention: Mention, source: str) -> str:
        """Return the id that a link in the file at *source* leads to; if there is none, the link's text."""
        named = self.leads_to(mention, source)
        if named:
            return named.id
        if mention.form in (links.PATH, links.ANGLE):
            return _joined(source, mention.target) or mention.target
        name = mention.target.strip()
        return name.lower() if is_uuid4(name.lower()) else name

    def leads_to(self, mention: Mention, source: str, by_title: bool = True) -> Named | None:
        """Return the document that a link in the file at *source* leads to: by file name, else *by_title* or alias."""
        target = mention.target.strip().replace("\\", "/")
        if mention.form in (links.PATH, links.ANGLE) or target.startswith(("./", "../")):
            named = self._file(_joined(source, target), source)
            return named or self._nearest(target.lstrip("./"), source, by_title)
        return self._nearest(target, source, by_title)

    def _nearest(self, target: str, source: str, by_title: bool) -> Named | None:
        name = without_ending(target.strip("/"))
        if not name:
            return None
        candidates = self._matching(name, target.startswith("/"), by_title)
        folder = source.rpartition("/")[0]
        ending = _ending(source)
        return min(
            candidates,
            key=lambda c: (not _inside(c.path, folder), _ending(c.path) != ending, len(c.path), c.path),
            default=None,
        )

    def _matching(self, name: str, absolute: bool = False, by_title: bool = True) -> Sequence[Named]:
        """Return the documents that *name* can mean, by the first criterion that matches any."""
        self._settle()
        plain = key(name)
        last = plain.rpartition("/")[2]
        if same := self._files.get(plain, []):
            return same
        files = [c for c in self._stems.get(last, []) if _ends(key(without_ending(c.path)), plain)]
        if files or absolute:
            return files
        slug_name = slug(name)
        slugged = [
            c
            for c in self._slugs.get(slug_name.rpartition("/")[2], [])
            if slug_name and _ends(slug(without_ending(c.path)), slug_name)
        ]
        if slugged:
            return slugged
        return self._titles.get(plain, []) if by_title else []

    def _file(self, path: str | None, source: str) -> Named | None:
        if path is None:
            return None
        exact = self._by_path.get(path)
        if exact:
            return exact
        self._settle()
        # Of files that differ in their extension, the one in the form of the file with the link.
        ending = _ending(path) or _ending(source)
        same = self._files.get(key(without_ending(path)), [])
        return min(same, key=lambda named: _ending(named.path) != ending, default=None)

    # ---- questions -------------------------------------------------------------------------------

    def matching(self, reference: DocumentReference, alone: bool = False) -> Sequence[Named]:
        """Return the documents that *reference* can mean: by id, path, title, alias, or the last part of an id or path.

        A path to a file means that file or nothing. With *alone*, for callers that write, a folder must match exactly,
        too, and a bare name must be unambiguous.
        """
        if exact := self.exact(reference):
            return [exact]
        self._settle()
        path = without_ending(reference.path)
        beside = self._files.get(key(path), []) if path else []
        if reference.has_folder and reference.is_file:
            return [] if alone else [named for named in beside if key(named.path) == key(reference.path)]
        here = [named for named in beside if without_ending(named.path) == path or not alone]
        if here and (reference.has_folder or not alone):
            return here
        if reference.rooted or (alone and reference.has_folder):
            candidates: Iterable[Named] = self._titles.get(key(reference.text), [])
        elif alone:
            candidates = (*here, *self._bearing(path))
        else:
            candidates = self._matching(path)
        return list({named.path: named for named in candidates}.values())

    def exact(self, reference: DocumentReference) -> Named | None:
        """Return the document whose id or path *reference* is."""
        if named := self._by_id.get(reference.text) or self._by_id.get(reference.text.lower()):
            return named
        if named := self._by_path.get(reference.path):
            return named
        self._settle()
        composed = unicodedata.normalize("NFC", reference.path)
        alike = self._files.get(key(without_ending(reference.path)), []) if reference.is_file else []
        return next((named for named in alike if unicodedata.normalize("NFC", named.path) == composed), None)

    def _bearing(self, name: str) -> Iterable[Named]:
        """Return the documents called *name*: by file name, last part of the id, title or alias."""
        self._settle()
        last = slug(name)
        slugged = (named for named in self._slugs.get(last, []) if last)
        return (*self._stems.get(key(name), []), *slugged, *self._titles.get(key(name), []))


def lookup_names(text: str, path: str | None = None) -> list[str]:
    """Return the names to look up in the index for *text*, which as a path is *path*."""
    path = without_ending((text.replace("\\", "/").removeprefix("./") if path is None else path).strip("/"))
    last = path.rpartition("/")[2]
    return [name for name in dict.fromkeys((text, path, last, slug(last))) if name]


def renamed_target(mention: Mention, source: str, moved: Named, names: Names, by_title: bool) -> str | None:
    """Return the target with which a link in the file at *source* leads to *moved*; None if it does already.

    With *by_title*, a title or alias is enough, because the link used one before.
    """
    if names.leads_to(mention, source, by_title) is moved:
        return None
    if mention.form in (links.PATH, links.ANGLE):
        return posixpath.relpath(moved.path, source.rpartition("/")[0] or ".")
    ending = mention.target[len(without_ending(mention.target)) :]
    path = without_ending(moved.path)
    parts = path.split("/")
    for count in range(2 if "/" in mention.target else 1, len(parts) + 1):
        shorter = "/".join(parts[-count:])
        if names.leads_to(Mention(mention.type, shorter, 0, 0, links.WIKI), source) is moved:
            return shorter + ending
    return path + ending


def _joined(source: str, target: str) -> str | None:
    """Return the path of *target*, relative to the file at *source*; None if it is outside the project."""
    if target.startswith("/"):
        path = posixpath.normpath(target.lstrip("/"))
    else:
        path = posixpath.normpath(posixpath.join(source.rpartition("/")[0], target))
    return None if path.startswith("../") or path in ("..", ".") else path


def _ending(path: str) -> str:
    return path[len(without_ending(path)) :].lower()


def _inside(path: str, folder: str) -> bool:
    return not folder or path.startswith(f"{folder}/")


def _ends(path: str, ending: str) -> bool:
    return path == ending or path.endswith(f"/{ending}")
