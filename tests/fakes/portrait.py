"""All that an index knows, as a value: two indexes of the same files must be equal."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from autology.core.content.collection import Collection
from autology.core.content.files import Files
from autology.core.index.catalogue import Counts, Edge
from autology.core.index.index import Index
from autology.core.nodes.graph import Graph
from autology.core.nodes.node_codec import NodeCodec
from autology.index.sqlite import SqliteIndex
from autology.model.hit import Source
from autology.model.query import Filter, Terms
from autology.text.tokens import query_terms

QUESTIONS = ("note", "text", "context decision", "jwt", "storage cache", "title", "words")


@dataclass(frozen=True)
class Portrait:
    """What an index answers to every question of its port."""

    paths: list[str]
    sources: list[Source]
    listed: list[str]
    edges: list[Edge]
    tags: dict[str, int]
    counts: Counts
    faults: list[tuple[str, str]]
    dangling: list[Edge]
    found: dict[str, list[tuple[str, str, float]]]


def portrait(index: Index) -> Portrait:
    """Return what *index* knows."""
    sources = sorted(index.listed(Filter(), -1, ""), key=lambda source: source.id)
    result = {}
    for question in QUESTIONS:
        hits = index.lexical_candidates(Terms(query_terms(question)), Filter(), False, 1_000)
        result[question] = sorted((hit.source.id, hit.field, round(hit.score, 6)) for hit in hits)
    return Portrait(
        paths=sorted(index.stamps()),
        sources=sources,
        listed=[source.id for source in index.listed(Filter(), -1, "2026-02-01T00:00:00Z")],
        edges=list(index.edges()),
        tags=dict(index.tags()),
        counts=index.counts(),
        faults=list(index.faults()),
        dangling=sorted(index.dangling(1_000), key=lambda edge: (edge.source, edge.type, edge.target)),
        found=result,
    )


def fresh(files: Files, folder: Path) -> Portrait:
    """Return what a new index, made in *folder* from the same *files*, knows."""
    folder.mkdir(parents=True, exist_ok=True)
    index = SqliteIndex(lambda: str(folder / "fresh.sqlite"))
    nodes = Collection(files, files, index, NodeCodec())
    nodes.apply(nodes.changes())
    return portrait(index)


def of_graph(graph: Graph) -> Portrait:
    """Return what a graph's index knows after a look at every file."""
    graph.refresh(walk=True)
    return portrait(graph.index)
