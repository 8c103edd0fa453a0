"""The graph in numbers, printed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from autology.cli.screen import Screen
from autology.core.atlas.atlas import Atlas, Place
from autology.core.atlas.stats import GraphStats, Scored, stats
from autology.text.counted import counted

LISTED = 5


def show(atlas: Atlas, screen: Screen) -> int:
    """Print what the graph measures."""
    found = stats(atlas)
    if screen.json:
        from autology.drawn import data

        screen.data(data.stats(found))
        return 0
    _counts(found, screen)
    exact = "" if found.starts == found.vertices else f", estimated from {found.starts:,} of {found.vertices:,} nodes"
    _scored("Most pointed to (PageRank)", found.ranked, screen)
    _scored(f"Most between others (betweenness{exact})", found.between, screen)
    _scored("Hubs", found.hubs, screen)
    _places(f"{counted(found.orphans, 'orphan')} without a link", found.orphaned, screen)
    if found.dangling:
        screen.line(screen.styled(f"{counted(found.dangling, 'link')} to what is not there", "yellow"))
        for edge in found.leading_nowhere[:LISTED]:
            screen.line(f"  {screen.safe(edge.source)} —[{screen.safe(edge.type)}]→ {screen.safe(edge.target)}")
    return 0


def _counts(found: GraphStats, screen: Screen) -> None:
    screen.line(f"{screen.styled(counted(found.nodes, 'node'), 'bold')}: {_listed(found.nodes_by_type, screen)}")
    screen.line(f"{screen.styled(counted(found.edges, 'link'), 'bold')}: {_listed(found.edges_by_type, screen)}")
    parts = f"{counted(len(found.components), 'part')}, the largest of {max(found.components, default=0):,}"
    screen.line(f"{parts}; {found.average_degree:.1f} links a node; density {found.density:.2g}")
    if found.bridges:
        screen.line(f"{counted(found.bridges, 'link')} between nodes and documents without which a part falls apart")
    screen.line()


def _listed(counts: Mapping[str, int], screen: Screen) -> str:
    return ", ".join(f"{screen.safe(name)} {many:,}" for name, many in counts.items()) or "none"


def _scored(heading: str, listed: Sequence[Scored], screen: Screen) -> None:
    if listed:
        screen.line(screen.styled(heading, "bold"))
        for each in listed[:LISTED]:
            screen.line(f"  {each.score:>8.4g}  {screen.safe(each.place.title)} ({each.place.type})")
        screen.line()


def _places(heading: str, listed: Sequence[Place], screen: Screen) -> None:
    if listed:
        screen.line(screen.styled(heading, "bold"))
        for each in listed[:LISTED]:
            screen.line(f"  {screen.safe(each.title)} ({each.type})")
        screen.line()
