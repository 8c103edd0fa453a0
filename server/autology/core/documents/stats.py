"""Counts of nodes, documents, links and embeddings."""

from __future__ import annotations

from dataclasses import dataclass

from autology.core.documents.library import Library
from autology.model.entry import DOCUMENT


@dataclass(frozen=True, slots=True)
class ContentCounts:
    """Counts of everything that is searched."""

    nodes: int
    documents: int
    edges: int
    embeddings: int
    unreadable: int


def stats(library: Library) -> ContentCounts:
    """Return the counts."""

    def read() -> ContentCounts:
        index = library.graph.index
        counts = index.counts()
        unread = len(index.faults(DOCUMENT))
        return ContentCounts(
            nodes=sum(counts.nodes.values()),
            documents=len(index.stamps(DOCUMENT)) - unread,
            edges=len(index.edges(kind=None)),
            embeddings=index.vector_count(),
            unreadable=counts.faults + unread,
        )

    return library.read_current(read)
