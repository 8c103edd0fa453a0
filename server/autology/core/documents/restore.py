"""Bringing a deleted document back from the trash, and listing what lies there."""

from __future__ import annotations

import json
from dataclasses import dataclass

from autology.core.documents import writing
from autology.core.documents.library import Library
from autology.core.documents.remove import TRASH
from autology.core.documents.writing import Draft
from autology.core.ports import Stamp
from autology.model.errors import AutologyError, DocumentNotFoundError, StorageError, ValidationError

FOLDER = TRASH.rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class TrashedDocument:
    """A deleted document: the *name* it has in the trash, what it was, and when it went."""

    name: str
    id: str
    path: str
    title: str
    deleted: str


@dataclass(frozen=True, slots=True)
class RestoredDocument:
    """The document that is back, and the hash of its bytes."""

    id: str
    path: str
    title: str
    hash: str


def trash(library: Library) -> list[TrashedDocument]:
    """Return the documents in the trash, deleted last first."""
    found = []
    for name in library.graph.files.trashed(FOLDER):
        try:
            found.append(_record(library, name))
        except AutologyError:
            continue
    return sorted(found, key=lambda item: item.deleted, reverse=True)


def restore(library: Library, asked: str) -> RestoredDocument:
    """Put a deleted document back where it lay; *asked* is its id, its path or its name in the trash.

    Of several that were deleted from one place the last one comes back.

    Raises:
        DocumentNotFoundError: the trash holds no such document.
        ValidationError: its place is taken, or lies in no source any more.
        StorageError: nothing was changed.
    """

    def act(draft: Draft) -> TrashedDocument:
        item = _meant(library, asked)
        place = writing.place(library, item.path, "path")
        if library.files.scan_one(place) != Stamp(0, 0):
            taken = f"{place} exists"
            raise ValidationError("path", taken, "Rename or delete that document first; this one stays in the trash.")
        files = library.graph.files
        data = files.read(f"{TRASH}/{item.name}.md")[0]
        draft.set(place, None, data)
        for ending in (".md", ".json"):
            draft.set(f"{TRASH}/{item.name}{ending}", files.read(f"{TRASH}/{item.name}{ending}")[0], None)
        return item

    item = writing.change(library, act)
    back = library.asked(lambda: library.stored(library.find(item.path)))
    return RestoredDocument(back.source.id, back.source.path, back.source.title, writing.hash_of(back.data))


def _meant(library: Library, asked: str) -> TrashedDocument:
    name = library.relative(asked).removeprefix(f"{TRASH}/").removesuffix(".md")
    path = library.relative(asked)
    there = trash(library)
    for item in there:
        if item.name == name or asked.strip() == item.id or path == item.path:
            return item
    raise DocumentNotFoundError(asked, [item.id for item in there][:3])


def _record(library: Library, name: str) -> TrashedDocument:
    place = f"{TRASH}/{name}.json"
    try:
        told = json.loads(library.graph.files.read(place)[0])
        id, path, title, deleted = (told[key] for key in ("id", "path", "title", "deleted"))
    except (FileNotFoundError, ValueError, KeyError, TypeError, RecursionError):
        raise StorageError(place, "cannot be read", f"The document itself is safe in {TRASH}/{name}.md.") from None
    if not all(isinstance(value, str) for value in (id, path, title, deleted)):
        raise StorageError(place, "cannot be read", f"The document itself is safe in {TRASH}/{name}.md.")
    return TrashedDocument(name, id, path, title, deleted)
