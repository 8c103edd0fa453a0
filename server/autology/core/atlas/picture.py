"""The part of the graph to display: the neighbourhood of a vertex, or the foremost nodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from autology.core.atlas.atlas import TAG, Atlas, Chart, Vertex
from autology.graphs import paths
from autology.model.errors import ValidationError

DEPTH, DEEPEST = 1, 10
SHOWN, MOST = 60, 1_000
"""Vertices by default, and at most: beyond a few hundred the drawing is unreadable."""


@dataclass(frozen=True, slots=True)
class Picture:
    """Vertices, the foremost first, and the links between them by their numbers; *left_out* is the number omitted.

    The first vertex is the *centre*, if there is one.
    """

    vertices: Sequence[Vertex]
    links: Sequence[tuple[int, str, int]]
    centred: bool
    left_out: bool


def picture(atlas: Atlas, centre: str | None = None, depth: int = DEPTH, limit: int = SHOWN) -> Picture:
    """Return what lies within *depth* links of *centre*; without one, the foremost nodes.

    Raises:
        NotFoundError, DocumentNotFoundError, AmbiguousNameError: it names nothing, or several.
        ValidationError: a number is out of range.
    """
    for name, value, highest in (("depth", depth, DEEPEST), ("limit", limit, MOST)):
        if not 1 <= value <= highest:
            raise ValidationError(name, f"{value} is outside 1-{highest}", f"Give a number from 1 to {highest}.")
    return atlas.read_current(lambda chart: _picture(atlas, chart, centre, depth, limit))


def _picture(atlas: Atlas, chart: Chart, centre: str | None, depth: int, limit: int) -> Picture:
    if centre is None:
        shown, more = _top_ranked(chart, limit)
    else:
        start = atlas.vertex(chart, centre, "node")
        reached, more = paths.around(chart.network, start, depth, limit)
        shown = list(reached)
    vertices = atlas.displayed(chart, shown)
    links = sorted(chart.links(shown))
    return Picture([vertices[vertex] for vertex in shown], links, centre is not None, more)


def _top_ranked(chart: Chart, limit: int) -> tuple[list[int], bool]:
    """Return the vertices with the highest rank: nodes and documents, then tags if all fit; and if others are left."""
    vertices = range(len(chart.network))
    ordered = sorted(vertices, key=lambda v: (chart.types[v] == TAG, -chart.ranks[v], chart.titles[v], v))
    return ordered[:limit], len(ordered) > limit
