"""Port to the whole index, for use cases that need several of its parts."""

from __future__ import annotations

from typing import Protocol

from autology.core.index.catalogue import Catalogue, RelationLines, Relations
from autology.core.index.changes import IndexedFiles
from autology.core.index.embedding_queue import EmbeddingQueue
from autology.core.index.retrieval import TextSearch, VectorSearch, WordStatistics
from autology.core.index.second_pass import SecondPass


class SearchIndex(IndexedFiles, Catalogue, Relations, TextSearch, VectorSearch, Protocol):
    """An index that encodes passages while indexing them, or :class:`Index`."""


class Index(SearchIndex, RelationLines, WordStatistics, EmbeddingQueue, SecondPass, Protocol):
    """A disposable projection of the files; it can always be rebuilt from them."""
