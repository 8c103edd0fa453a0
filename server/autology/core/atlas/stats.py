"""The graph in numbers: how much, how dense, what matters most, what stands alone, what leads nowhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from autology.core.atlas.atlas import TAG, Atlas, Chart, Place
from autology.core.ports import Edge
from autology.graphs import shape

LISTED = 10
"""Of each sort, those shown; the counts say how many there are."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A vertex with what it is listed for."""

    place: Place
    score: float


@dataclass(frozen=True, slots=True)
class GraphStats:
    """Counts and the first of each sort; *dangling* are links to what is not there."""

    nodes_by_type: Mapping[str, int]
    edges_by_type: Mapping[str, int]
    density: float
    average_degree: float
    components: Sequence[int]
    orphans: int
    orphaned: Sequence[Place]
    hubs: Sequence[Scored]
    bridges: int
    bridging: Sequence[tuple[Place, Place]]
    dangling: int
    leading_nowhere: Sequence[Edge]
    ranked: Sequence[Scored]
    between: Sequence[Scored]
    starts: int
    vertices: int

    @property
    def nodes(self) -> int:
        """All vertices: nodes, documents and tags."""
        return self.vertices

    @property
    def edges(self) -> int:
        """All links, those that lead nowhere too."""
        return sum(self.edges_by_type.values())


def stats(atlas: Atlas) -> GraphStats:
    """Return the graph in numbers."""
    return atlas.asked(lambda chart: _stats(atlas, chart))


def _stats(atlas: Atlas, chart: Chart) -> GraphStats:
    graph = chart.network
    every = range(len(graph))
    alone = [vertex for vertex in shape.orphans(graph) if chart.types[vertex] != TAG]
    hubs = [vertex for vertex in shape.hubs(graph, len(graph)) if chart.types[vertex] != TAG][:LISTED]
    ranked = chart.ranked(every, chart.ranks, LISTED)
    between = chart.ranked(every, chart.between.shares, LISTED)
    cuts = [cut for cut in chart.bridges if TAG not in (chart.types[cut[0]], chart.types[cut[1]])]
    cut = [end for pair in cuts[:LISTED] for end in pair]
    shown = atlas.places(chart, sorted({*alone[:LISTED], *hubs, *ranked, *between, *cut}))
    counts = Counter(chart.types)
    return GraphStats(
        nodes_by_type=dict(sorted(counts.items(), key=lambda item: (-item[1], item[0]))),
        edges_by_type=chart.edges_by_type,
        density=shape.density(graph),
        average_degree=2 * graph.arcs / len(graph) if len(graph) else 0.0,
        components=[len(part) for part in chart.components],
        orphans=len(alone),
        orphaned=[shown[vertex] for vertex in alone[:LISTED]],
        hubs=[Scored(shown[vertex], graph.degree(vertex)) for vertex in hubs],
        bridges=len(cuts),
        bridging=[(shown[one], shown[other]) for one, other in cuts[:LISTED]],
        dangling=len(chart.dangling),
        leading_nowhere=chart.dangling[:LISTED],
        ranked=[Scored(shown[vertex], chart.ranks[vertex]) for vertex in ranked],
        between=[Scored(shown[vertex], chart.between.shares[vertex]) for vertex in between],
        starts=chart.between.starts,
        vertices=len(graph),
    )
