"""The whole graph with what a display filters by: types, statuses, tags, clusters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from autology.core.atlas.atlas import TAG, Atlas, Chart, Place
from autology.core.atlas.clusters import labels
from autology.model.entry import DOCUMENT, NODE
from autology.model.options import RESOLUTION
from autology.model.query import Filter

NAMED = 60
"""Clusters with a label: a display has no room for more."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A node or document; *community* is the number of its cluster, from 1, or 0."""

    place: Place
    status: str
    modified: str
    tags: Sequence[str]
    community: int


@dataclass(frozen=True, slots=True)
class Whole:
    """Nodes and documents, the links between them by their numbers, and each cluster's label."""

    spots: Sequence[Spot]
    links: Sequence[tuple[int, str, int]]
    communities: Mapping[int, Sequence[str]]


def whole(atlas: Atlas) -> Whole:
    """Return all nodes and documents. Tags are attributes of their nodes; memories are private and left out."""
    return atlas.asked(lambda chart: of(atlas, chart))


def of(atlas: Atlas, chart: Chart) -> Whole:
    """Return the same for the graph *chart*."""
    index, graph = atlas.library.graph.index, chart.network
    sources = {source.id: source for source in index.listed(Filter(kind=None, kinds=(NODE, DOCUMENT)), -1, "")}
    shown = [v for v, name in enumerate(graph.names) if chart.types[v] != TAG and name in sources]
    numbers = {vertex: number for number, vertex in enumerate(shown)}
    # Labels use displayed vertices only: a label must not reveal a memory.
    groups = [
        members for group in chart.communities(RESOLUTION) if len(members := [v for v in group if v in numbers]) > 1
    ]
    tags: dict[str, list[str]] = {}
    for id, tag in index.tagged():
        tags.setdefault(id, []).append(tag)
    named = dict(enumerate(labels(atlas, chart, groups, NAMED), 1))
    community = {vertex: number for number, group in enumerate(groups[:NAMED], 1) for vertex in group}
    spots = [
        Spot(
            Place(source.id, source.title, source.type),
            source.status,
            source.modified,
            tags.get(source.id, ()),
            community.get(vertex, 0),
        )
        for vertex in shown
        for source in [sources[graph.names[vertex]]]
    ]
    links = [
        (numbers[vertex], graph.types[graph.labels[at] >> 1], numbers[graph.ends[at]])
        for vertex in shown
        for at in range(graph.offsets[vertex], graph.offsets[vertex + 1])
        if not graph.labels[at] & 1 and graph.ends[at] in numbers
    ]
    return Whole(spots, links, named)
