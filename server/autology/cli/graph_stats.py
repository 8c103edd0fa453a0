"""Graph statistics, printed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from autology.cli.screen import Screen
from autology.core.atlas.atlas import Atlas, Vertex
from autology.core.atlas.stats import GraphStats, RankedVertex, stats
from autology.text.language.plural import counted

LISTED = 5


def show(atlas: Atlas, screen: Screen) -> int:
    """Print the statistics of the graph."""
    result = stats(atlas)
    if screen.json:
        from autology.render.graph import data

        screen.data(data.stats(result))
        return 0
    _counts(result, screen)
    exact = "" if result.starts == result.vertices else f", estimated from {result.starts:,} of {result.vertices:,}"
    _scored("Most referenced (PageRank)", result.ranked, screen)
    _scored(f"Most central (betweenness{exact})", result.between, screen)
    _scored("Hubs", result.hubs, screen)
    _vertices(f"{counted(result.orphans, 'orphan')} (without links)", result.orphaned, screen)
    if result.dangling:
        screen.line(f"{counted(result.dangling, 'dangling link')}", "yellow")
        for edge in result.leading_nowhere[:LISTED]:
            screen.line(f"  {screen.safe(edge.source)} —[{screen.safe(edge.type)}]→ {screen.safe(edge.target)}")
    return 0


def _counts(result: GraphStats, screen: Screen) -> None:
    screen.line(f"{screen.styled(counted(result.vertices, 'node'), 'bold')}: {_listed(result.nodes_by_type, screen)}")
    screen.line(f"{screen.styled(counted(result.edges, 'link'), 'bold')}: {_listed(result.edges_by_type, screen)}")
    parts = f"{counted(len(result.components), 'part')}, the largest of {max(result.components, default=0):,}"
    screen.line(f"{parts}; {result.average_degree:.1f} links per node; density {result.density:.2g}")
    if result.bridges:
        screen.line(f"{counted(result.bridges, 'bridge link')} (removing one splits the graph)")
    screen.line()


def _listed(counts: Mapping[str, int], screen: Screen) -> str:
    return ", ".join(f"{screen.safe(name)} {count:,}" for name, count in counts.items()) or "none"


def _scored(heading: str, listed: Sequence[RankedVertex], screen: Screen) -> None:
    if listed:
        screen.line(heading, "bold")
        for item in listed[:LISTED]:
            screen.line(f"  {item.score:>8.4g}  {screen.safe(item.vertex.title)} ({item.vertex.type})")
        screen.line()


def _vertices(heading: str, listed: Sequence[Vertex], screen: Screen) -> None:
    if listed:
        screen.line(heading, "bold")
        for vertex in listed[:LISTED]:
            screen.line(f"  {screen.safe(vertex.title)} ({vertex.type})")
        screen.line()
