"""Pairs of texts that are similar, for a display of the graph: computed for it, never stored, and no relations."""

from __future__ import annotations

from dataclasses import replace

from autology.core.atlas.display import DisplayGraph
from autology.core.index.retrieval import VectorSearch
from autology.graphs.similarity import pairs_to_draw
from autology.model.entry import DOCUMENT, NODE
from autology.model.query import Filter
from autology.ranking.mean_vectors import centred, nearest

LEAST = 0.35
"""The cosine from which two texts are similar (decision 63: of pairs from 0.35 to 0.40 two thirds made sense to a
reader, of those above 0.45 nearly nine in ten)."""
NEAREST = 6
"""The nearest texts of each that are considered."""
PASSAGES = 100_000
"""Maximum passages read, 25 MB of vectors; the newest."""
MOST = 2_000
"""Maximum texts compared: 1,000 take 0.2 s of processor time, 2,000 take 0.7 s; in a larger drawing, pairs are lost."""


def with_similar(index: VectorSearch, graph: DisplayGraph) -> DisplayGraph:
    """Return *graph* with its similar pairs: none between linked ones, none in a graph of more than MOST texts.

    Texts whose vectors the index lacks so far are not compared.
    """
    if len(graph.vertices) > MOST:
        return replace(graph, similar=())
    rows: dict[str, list[bytes]] = {vertex.vertex.id: [] for vertex in graph.vertices}
    for id, row in index.vectors(Filter(kind=None, kinds=(NODE, DOCUMENT)), PASSAGES):
        if id in rows:
            rows[id].append(row)
    near = nearest(centred([*rows.values()]), LEAST, NEAREST)
    return replace(graph, similar=pairs_to_draw(near, [(source, target) for source, _, target in graph.links]))
