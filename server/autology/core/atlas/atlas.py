"""The project's current graph, built once for each state of the index."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

from autology.core.documents import citations
from autology.core.documents.document import tag_id
from autology.core.documents.library import Library
from autology.core.documents.lookup import find
from autology.core.index.catalogue import Edge
from autology.core.index.index import Index
from autology.core.index.worded_relations import as_worded
from autology.graphs import communities, importance, shape
from autology.graphs.network import Network, network
from autology.model.errors import DocumentNotFoundError, NotFoundError, ValidationError
from autology.model.query import Filter
from autology.text.markdown.links import TAGGED_AS

TAG = "tag"
"""The type of a vertex that is a tag; its id is the tag with a `#` in front."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Vertex:
    """A vertex as it is displayed."""

    id: str
    title: str
    type: str


@dataclass(frozen=True)
class Chart:
    """The graph with its vertices' data, and the dangling links; measures are computed once."""

    network: Network
    types: Sequence[str]
    titles: Sequence[str]
    dangling: Sequence[Edge]
    _groups: dict[float, list[list[int]]] = field(default_factory=dict)

    @cached_property
    def ranks(self) -> Sequence[float]:
        """Every vertex's PageRank."""
        return importance.pagerank(self.network)

    @cached_property
    def between(self) -> importance.Betweenness:
        """Every vertex's betweenness centrality."""
        return importance.betweenness(self.network)

    @cached_property
    def components(self) -> Sequence[Sequence[int]]:
        """The connected components."""
        return shape.components(self.network)

    @cached_property
    def bridges(self) -> Sequence[tuple[int, int]]:
        """The links whose removal splits the graph."""
        return shape.bridges(self.network)

    @cached_property
    def edges_by_type(self) -> Mapping[str, int]:
        """The number of links of each type, dangling ones included."""
        own = Counter(label >> 1 for label in self.network.labels)
        counts = Counter({self.network.types[type]: many // 2 for type, many in own.items()})
        counts.update(edge.type for edge in self.dangling)
        return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))

    def communities(self, resolution: float) -> list[list[int]]:
        """Return the communities at that *resolution*."""
        if resolution not in self._groups:
            if len(self._groups) > 7:
                self._groups.clear()
            self._groups[resolution] = communities.communities(self.network, resolution)
        return self._groups[resolution]

    def ranked(self, vertices: Sequence[int], scores: Sequence[float], limit: int) -> list[int]:
        """Return the nodes and documents among *vertices* with the highest *scores*, at most *limit*; without tags."""
        shown = [vertex for vertex in vertices if self.types[vertex] != TAG and scores[vertex] > 0]
        return sorted(shown, key=lambda vertex: (-scores[vertex], self.titles[vertex], vertex))[:limit]

    def links(self, vertices: Sequence[int]) -> list[tuple[int, str, int]]:
        """Return the links between *vertices* as (source, type, target), with indexes into *vertices*."""
        numbers = {vertex: number for number, vertex in enumerate(vertices)}
        graph = self.network
        return [
            (numbers[vertex], graph.types[graph.labels[at] >> 1], numbers[graph.ends[at]])
            for vertex in vertices
            for at in range(graph.offsets[vertex], graph.offsets[vertex + 1])
            if not graph.labels[at] & 1 and graph.ends[at] in numbers
        ]


class Atlas:
    """The graph of one project; *state* changes whenever its index does."""

    def __init__(self, library: Library, state: Callable[[], str]) -> None:
        self.library = library
        self._state = state
        self._lock = threading.Lock()
        self._chart: Chart | None = None
        self._chart_state = ""

    def read_current(self, read: Callable[[Chart], T]) -> T:
        """Return the result of *read* for the graph, after bringing the index up to date with the files."""
        return self.library.read_current(lambda: read(self._current()))

    def _current(self) -> Chart:
        with self._lock:
            state = self._state()
            if self._chart is None or state != self._chart_state:
                self._chart = chart(self.library.graph.index)
                self._chart_state = state
            return self._chart

    def vertex(self, chart: Chart, wanted: str, role: str) -> int:
        """Return the vertex called *wanted*: a node or document by id or name, or a tag with or without `#`.

        Raises:
            NotFoundError, DocumentNotFoundError, AmbiguousNameError: nothing, or several, are called so.
        """
        name = wanted.strip()
        tag = chart.network.numbers.get(f"#{tag_id(name.lstrip('#'))}")
        if name.startswith("#") and tag is not None:
            return tag
        if not name:
            raise ValidationError(role, "is empty", "Give the id of a node, a document or a tag.")
        try:
            number = chart.network.numbers.get(self._id(name))
        except (DocumentNotFoundError, NotFoundError):
            if tag is None:
                raise
            number = tag
        if number is None:
            raise DocumentNotFoundError(wanted)  # it appeared or disappeared meanwhile
        return number

    def _id(self, name: str) -> str:
        try:
            return find(self.library, name).id
        except DocumentNotFoundError as unknown:
            try:
                return self.library.graph.source(name).id
            except NotFoundError:
                raise unknown from None

    def displayed(self, chart: Chart, vertices: Sequence[int]) -> dict[int, Vertex]:
        """Return how *vertices* are displayed."""
        names = chart.network.names
        titles = self.library.graph.titles([names[v] for v in vertices if chart.types[v] != TAG])
        return {v: Vertex(names[v], titles.get(names[v], names[v]), chart.types[v]) for v in vertices}


def chart(index: Index) -> Chart:
    """Return the graph of *index*: relations, resolved links in texts, and tags."""
    listed = index.listed(Filter(kind=None), -1, "")
    types = {source.id: source.type for source in listed}
    titles = {source.id: source.title for source in listed}
    links: list[tuple[str, str, str]] = []
    dangling: list[Edge] = []
    for edge in (*as_worded(index.edges()), *citations.every(index)):
        links.append((edge.source, edge.type, edge.target)) if edge.target in types else dangling.append(edge)
    for edge in citations.of_documents(index, types):
        if edge.target in types and edge.description is not None:
            links.append((edge.source, edge.type, edge.target))
        elif citations.is_tag(edge):
            links.append((edge.source, edge.type, f"#{tag_id(edge.target)}"))
        else:
            dangling.append(edge)
    links += [(id, TAGGED_AS, f"#{tag_id(tag)}") for id, tag in index.tagged()]
    graph = network(links, types)
    names = graph.names
    return Chart(
        graph, [types.get(name, TAG) for name in names], [titles.get(name, name) for name in names], tuple(dangling)
    )
