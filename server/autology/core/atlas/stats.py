"""Graph statistics: size, density, most important nodes, orphans, dangling links."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from autology.core.atlas.atlas import TAG, Atlas, Chart, Vertex
from autology.core.index.catalogue import Edge
from autology.graphs import shape

LISTED = 10
"""Entries listed of each sort; the counts are complete."""


@dataclass(frozen=True, slots=True)
class RankedVertex:
    """A vertex with the score it is listed for."""

    vertex: Vertex
    score: float


@dataclass(frozen=True, slots=True)
class GraphStats:
    """Counts and the first of each sort; *dangling* are links whose target is missing."""

    nodes_by_type: Mapping[str, int]
    edges_by_type: Mapping[str, int]
    density: float
    average_degree: float
    components: Sequence[int]
    orphans: int
    orphaned: Sequence[Vertex]
    hubs: Sequence[RankedVertex]
    bridges: int
    bridging: Sequence[tuple[Vertex, Vertex]]
    dangling: int
    leading_nowhere: Sequence[Edge]
    ranked: Sequence[RankedVertex]
    between: Sequence[RankedVertex]
    starts: int
    vertices: int

    @property
    def edges(self) -> int:
        """All links, dangling ones included."""
        return sum(self.edges_by_type.values())


def stats(atlas: Atlas) -> GraphStats:
    """Return the graph's statistics."""
    return atlas.read_current(lambda chart: _stats(atlas, chart))


def _stats(atlas: Atlas, chart: Chart) -> GraphStats:
    graph = chart.network
    every = range(len(graph))
    alone = [vertex for vertex in shape.orphans(graph) if chart.types[vertex] != TAG]
    hubs = [vertex for vertex in shape.hubs(graph, len(graph)) if chart.types[vertex] != TAG][:LISTED]
    ranked = chart.ranked(every, chart.ranks, LISTED)
    between = chart.ranked(every, chart.between.shares, LISTED)
    cuts = [cut for cut in chart.bridges if TAG not in (chart.types[cut[0]], chart.types[cut[1]])]
    cut = [end for pair in cuts[:LISTED] for end in pair]
    shown = atlas.displayed(chart, sorted({*alone[:LISTED], *hubs, *ranked, *between, *cut}))
    counts = Counter(chart.types)
    return GraphStats(
        nodes_by_type=dict(sorted(counts.items(), key=lambda item: (-item[1], item[0]))),
        edges_by_type=chart.edges_by_type,
        density=shape.density(graph),
        average_degree=2 * graph.arcs / len(graph) if len(graph) else 0.0,
        components=[len(part) for part in chart.components],
        orphans=len(alone),
        orphaned=[shown[vertex] for vertex in alone[:LISTED]],
        hubs=[RankedVertex(shown[vertex], graph.degree(vertex)) for vertex in hubs],
        bridges=len(cuts),
        bridging=[(shown[one], shown[other]) for one, other in cuts[:LISTED]],
        dangling=len(chart.dangling),
        leading_nowhere=chart.dangling[:LISTED],
        ranked=[RankedVertex(shown[vertex], chart.ranks[vertex]) for vertex in ranked],
        between=[RankedVertex(shown[vertex], chart.between.shares[vertex]) for vertex in between],
        starts=chart.between.starts,
        vertices=len(graph),
    )
