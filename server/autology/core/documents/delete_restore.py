"""Deleting a document into the trash, with a list of the links that it breaks; and restoring it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from autology.core.content.codec import Trashed
from autology.core.content.draft import Draft
from autology.core.content.files import ABSENT
from autology.core.documents import citations, file_names, former_ids, write_checks
from autology.core.documents.codec import DocumentFile
from autology.core.documents.library import Library
from autology.core.documents.lookup import find
from autology.core.index.catalogue import Edge
from autology.model.errors import DocumentNotFoundError, ValidationError
from autology.model.hit import Source
from autology.model.next_step import Action


@dataclass(frozen=True, slots=True)
class Discarded:
    """The deleted document, its path in the trash, and the links to it."""

    id: str
    path: str
    hash: str
    trash: str
    dangling: tuple[Edge, ...]
    paths: tuple[tuple[str, str], ...]


def delete_document(library: Library, id: str) -> Discarded:
    """Move a document to the trash.

    Raises:
        DocumentNotFoundError, AmbiguousNameError: *id* names nothing, or several.
        ValidationError: it is a node.
        ConflictError, StorageError: nothing was changed.
    """

    def act(draft: Draft[DocumentFile]) -> Discarded:
        source = write_checks.document_source(library, id, Action.DELETE)
        stored = library.stored(source)
        digest = write_checks.hash_of(stored.data)
        edges = citations.touching(library.graph.index, [source.id])
        incoming = tuple(edge for edge in edges if edge.target == source.id != edge.source)
        sources = library.graph.index.by_ids(sorted({edge.source for edge in incoming}))
        now = library.graph.stamp()
        name = library.trash.free(draft, now, digest[:8])
        record = {"path": source.path, "id": source.id, "title": source.title, "deleted": now, "hash": digest}
        draft.discard(stored, name, record)
        paths = tuple((id, source.path) for id, source in sorted(sources.items()))
        return Discarded(source.id, source.path, digest, f"{library.trash.place}/{name}.md", incoming, paths)

    return library.change(act)


def restore(library: Library, name: str) -> Source:
    """Restore a deleted document; *name* is its id, its path or its name in the trash.

    If several were deleted from one path, the last one is restored.

    Raises:
        DocumentNotFoundError: the trash holds no such document.
        ValidationError: its place is taken, or lies in no source any more.
        StorageError: nothing was changed.
    """

    def act(draft: Draft[DocumentFile]) -> Trashed:
        deleted = library.trash.items()
        item = library.trash.named(deleted, library.relative(name)) or _formerly(library, deleted, name)
        if item is None:
            raise DocumentNotFoundError(name, [item.id for item in deleted][:3])
        place = file_names.place(library, item.path, "path")
        if library.files.scan_one(place) != ABSENT:
            step = "Rename or delete that document first; this one stays in the trash."
            raise ValidationError("path", f"{place} exists", step)
        draft.restore(replace(item, path=place), library.trash.data(item))
        return item

    item = library.change(act)
    return library.read_current(lambda: find(library, item.path))


def _formerly(library: Library, deleted: Sequence[Trashed], name: str) -> Trashed | None:
    """Return the last deleted document whose id was *name* before paths became ids."""
    ids = former_ids.former_ids({item.path for item in deleted}, library.files.sources)
    return next((item for item in deleted if ids.get(item.path) == name.strip().lower()), None)
