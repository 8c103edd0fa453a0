"""The whole graph with what a display filters by: types, statuses, tags, clusters."""

from __future__ import annotations

import posixpath
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass

from autology.core.atlas.atlas import TAG, Atlas, Chart, Vertex
from autology.core.atlas.clusters import labels
from autology.core.index.namesakes import marked, namesakes
from autology.model.argument_limits import RESOLUTION
from autology.model.entry import CLIENT_MEMORY, DOCUMENT, INSTRUCTION, NODE
from autology.model.hit import Source
from autology.model.node import NODES
from autology.model.query import Filter

NAMED = 60
"""Maximum clusters with a label: a display has no room for more."""


@dataclass(frozen=True, slots=True)
class DisplayVertex:
    """A node or document; *community* is the number of its cluster, from 1, or 0; *folder* is where its file lies."""

    vertex: Vertex
    status: str
    modified: str
    tags: Sequence[str]
    community: int
    folder: str = ""


@dataclass(frozen=True, slots=True)
class DisplayGraph:
    """Nodes and documents, the links between them by their numbers, and each cluster's label.

    *similar* are the pairs of similar texts, which are no links; None before they are computed.
    """

    vertices: Sequence[DisplayVertex]
    links: Sequence[tuple[int, str, int]]
    communities: Mapping[int, Sequence[str]]
    similar: Sequence[tuple[int, int]] | None = None

    @property
    def is_sparse(self) -> bool:
        """Whether fewer than half of the vertices are linked to another."""
        linked = {end for source, _, target in self.links if source != target for end in (source, target)}
        return 2 * len(linked) < len(self.vertices)


def neighbourhood(graph: DisplayGraph, id: str, steps: int, limit: int) -> tuple[DisplayGraph, bool]:
    """Return the part of *graph* within *steps* links of *id*, which is its first vertex, nearest first.

    At most *limit* vertices; the flag says whether others were left out. An unknown *id* has no vertices.
    """
    start = next((number for number, vertex in enumerate(graph.vertices) if vertex.vertex.id == id), None)
    if start is None:
        return DisplayGraph((), (), {}), False
    beside: dict[int, set[int]] = {}
    for source, _, target in graph.links:
        beside.setdefault(source, set()).add(target)
        beside.setdefault(target, set()).add(source)
    reached = farthest = dict.fromkeys([start])
    for _ in range(steps):
        farthest = dict.fromkeys(
            near for number in farthest for near in sorted(beside.get(number, ())) if near not in reached
        )
        reached = reached | farthest
    shown = list(reached)[:limit]
    numbers = {number: place for place, number in enumerate(shown)}
    links = [
        (numbers[source], type, numbers[target])
        for source, type, target in graph.links
        if source in numbers and target in numbers
    ]
    return DisplayGraph([graph.vertices[number] for number in shown], links, {}), len(reached) > limit


def display_graph(atlas: Atlas) -> DisplayGraph:
    """Return all nodes and documents, but no memories and nothing the client loads. Tags are attributes of nodes."""
    return atlas.read_current(lambda chart: graph_of(atlas, chart))


def graph_of(atlas: Atlas, chart: Chart, only: Container[str] | None = None) -> DisplayGraph:
    """Return the same for the graph *chart*, *only* of those ids if any are given.

    Titles that several have are followed by what tells them apart.
    """
    index, names = atlas.library.graph.index, chart.network.names
    listed = index.listed(Filter(kind=None, kinds=(NODE, DOCUMENT)), -1, "")
    hidden = (INSTRUCTION, CLIENT_MEMORY)
    sources = {
        source.id: source for source in listed if source.type not in hidden and (only is None or source.id in only)
    }
    shown = [v for v, name in enumerate(names) if chart.types[v] != TAG and name in sources]
    numbers = {vertex: number for number, vertex in enumerate(shown)}
    # Labels use displayed vertices only: a label must not reveal a memory.
    groups = [
        members for group in chart.communities(RESOLUTION) if len(members := [v for v in group if v in numbers]) > 1
    ]
    tags: dict[str, list[str]] = {}
    for id, tag in index.tagged():
        tags.setdefault(id, []).append(tag)
    community = {vertex: number for number, group in enumerate(groups[:NAMED], 1) for vertex in group}
    marks = namesakes(sources.values())
    vertices = [
        DisplayVertex(
            Vertex(source.id, marked(source.title, marks.get(source.id)), source.type),
            source.status,
            source.modified,
            tags.get(source.id, ()),
            community.get(vertex, 0),
            _folder(source),
        )
        for vertex in shown
        for source in [sources[names[vertex]]]
    ]
    return DisplayGraph(vertices, chart.links(shown), dict(enumerate(labels(atlas, chart, groups, NAMED), 1)))


def _folder(source: Source) -> str:
    """Return the folder of a source's file; notes in our own folder share one, whatever their types."""
    return NODES.rstrip("/") if source.path.startswith(NODES) else posixpath.dirname(source.path)
