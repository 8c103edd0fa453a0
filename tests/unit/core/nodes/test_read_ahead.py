"""What a server reads ahead of searches: notes, and the vectors of their most common words."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from autology.core.nodes import graph as graph_module
from autology.core.nodes import search
from autology.core.nodes.capture import Material, capture
from autology.core.nodes.search import NodeQuery
from tests.fakes.index import MemoryIndex
from tests.fakes.project import a_graph

CONTENTS = ("The cache holds parsed words.", "The cache is cleared at night.", "Tokens expire. The cache is not asked.")


class Asked(MemoryIndex):
    """Keeps which words' vectors it was asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []

    def word_rows(self, words: Sequence[str]) -> Sequence[bytes]:
        self.words += words
        return super().word_rows(words)


def test_the_vectors_of_the_most_common_words_of_notes_are_read_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph_module, "WORDS_AHEAD", 1)
    index = Asked()
    graph = a_graph(index=index)
    for number, content in enumerate(CONTENTS):
        capture(graph, Material(f"Thing {number}", content, type="concept"))
    query = NodeQuery("when are words cleared from the cache", limit=3)
    before = search.search(graph, query)
    index.words = []
    graph.read_ahead()
    assert index.words in (["cache"], ["thing"])  # each occurs in all of them
    assert search.search(graph, query) == before


def test_reading_ahead_of_no_notes_reads_nothing() -> None:
    index = Asked()
    a_graph(index=index).read_ahead()
    assert index.words == []
