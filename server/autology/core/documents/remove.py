"""Deleting a document into the trash, and naming the links that lead nowhere then."""

from __future__ import annotations

from dataclasses import dataclass

from autology.core.content.draft import Draft
from autology.core.documents import citations, writing
from autology.core.documents.codec import DocumentFile
from autology.core.documents.library import Library
from autology.core.ports import Edge


@dataclass(frozen=True, slots=True)
class Discarded:
    """The document that went, where it lies now, and the links that led to it."""

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
        source = writing.document_source(library, id, "autology_delete")
        stored = library.stored(source)
        digest = writing.hash_of(stored.data)
        edges = citations.touching(library.graph.index, [source.id])
        incoming = tuple(edge for edge in edges if edge.target == source.id != edge.source)
        sources = library.graph.index.by_ids(sorted({edge.source for edge in incoming}))
        now = library.graph.stamp()
        name = library.trash.free(draft, now, digest[:8])
        record = {"path": source.path, "id": source.id, "title": source.title, "deleted": now, "hash": digest}
        draft.discard(stored, name, record)
        paths = tuple((id, found.path) for id, found in sorted(sources.items()))
        return Discarded(source.id, source.path, digest, f"{library.trash.place}/{name}.md", incoming, paths)

    return library.change(act)
