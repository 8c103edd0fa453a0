"""The part of the graph to display: the neighbourhood of a vertex, or the foremost nodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from autology.core.atlas.atlas import TAG, Atlas, Chart, Place, within
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

    places: Sequence[Place]
    links: Sequence[tuple[int, str, int]]
    centred: bool
    left_out: bool


def picture(atlas: Atlas, centre: str | None = None, depth: int = DEPTH, most: int = SHOWN) -> Picture:
    """Return what lies within *depth* links of *centre*; without one, the foremost nodes.

    Raises:
        NotFoundError, DocumentNotFoundError, AmbiguousNameError: it names nothing, or several.
        ValidationError: a number is out of range.
    """
    for name, value, limit in (("depth", depth, DEEPEST), ("limit", most, MOST)):
        if not 1 <= value <= limit:
            raise ValidationError(name, f"{value} is outside 1-{limit}", f"Give a number from 1 to {limit}.")
    return atlas.asked(lambda chart: _picture(atlas, chart, centre, depth, most))


def _picture(atlas: Atlas, chart: Chart, centre: str | None, depth: int, most: int) -> Picture:
    if centre is None:
        shown, more = _top_ranked(chart, most)
    else:
        start = atlas.vertex(chart, centre, "node")
        reached, more = paths.around(chart.network, start, depth, most)
        shown = list(reached)
    places = atlas.places(chart, shown)
    numbers = {vertex: number for number, vertex in enumerate(shown)}
    links = [(numbers[s], chart.network.types[type], numbers[t]) for s, type, t in within(chart, shown)]
    return Picture([places[vertex] for vertex in shown], sorted(links), centre is not None, more)


def _top_ranked(chart: Chart, most: int) -> tuple[list[int], bool]:
    """Return the vertices with the highest rank: nodes and documents, and tags if all fit."""
    every = range(len(chart.network))
    ranks = chart.ranks
    texts = sorted((v for v in every if chart.types[v] != TAG), key=lambda v: (-ranks[v], chart.titles[v], v))
    tags = sorted((v for v in every if chart.types[v] == TAG), key=lambda v: (-ranks[v], chart.titles[v], v))
    shown = [*texts, *tags][:most]
    return shown, len(shown) < len(chart.network)
