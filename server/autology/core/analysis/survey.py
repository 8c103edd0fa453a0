"""Everything that the checks examine, read once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from autology.core.analysis.finding import Subject
from autology.core.documents import citations
from autology.core.index.catalogue import Edge
from autology.core.nodes.drift import Drift, drifts
from autology.core.nodes.graph import Graph
from autology.core.nodes.version_control import History
from autology.graphs.network import Network, network
from autology.model.node import Node
from autology.model.query import Filter


@dataclass(frozen=True)
class Survey:
    """A project's nodes with their paths, relations, and what version control knows about its files."""

    graph: Graph
    history: History
    nodes: Mapping[str, Node]
    paths: Mapping[str, str]
    edges: Sequence[Edge]

    @cached_property
    def unusable_settings(self) -> Sequence[str]:
        """What of the configuration that adopts records cannot be used: what it means may be missing here."""
        return self.graph.records.problems if self.graph.records else ()

    @cached_property
    def outgoing(self) -> Mapping[str, Sequence[Edge]]:
        """The relations of each node."""
        return _by(self.edges, [edge.source for edge in self.edges])

    @cached_property
    def incoming(self) -> Mapping[str, Sequence[Edge]]:
        """The incoming relations of each node."""
        return _by(self.edges, [edge.target for edge in self.edges])

    @cached_property
    def linked(self) -> frozenset[str]:
        """The ids of what has a relation, links to something that exists in its text, or is linked to by a text."""
        index = self.graph.index
        known = {source.id for source in index.listed(Filter(kind=None), -1, "")}
        in_texts = (*citations.every(index), *citations.of_documents(index, known))
        edges = (*self.edges, *(edge for edge in in_texts if edge.target in known))
        return frozenset(end for edge in edges for end in (edge.source, edge.target))

    @cached_property
    def network(self) -> Network:
        """The nodes and their relations to each other, by id."""
        arcs = ((edge.source, edge.type, edge.target) for edge in self.edges)
        there = (arc for arc in arcs if arc[0] in self.nodes and arc[2] in self.nodes)
        return network(there, self.nodes)

    @cached_property
    def drifts(self) -> Mapping[str, Sequence[Drift]]:
        """The drifted references of each node; empty without version control."""
        return drifts(self.nodes.values(), self.history)

    @cached_property
    def moved(self) -> Mapping[str, str]:
        """New paths of referenced files that were moved."""
        named = dict.fromkeys(path for node in self.nodes.values() for path in node.references)
        return self.history.moved([path for path in named if not self.graph.files.project_has(path)])

    @cached_property
    def files(self) -> Sequence[str] | None:
        """The project's files that version control does not ignore; None without version control."""
        return self.history.files()

    def subject(self, id: str, needle: str = "") -> Subject:
        """Return the node of that id as a finding's subject, at the first line that contains *needle*."""
        node, path = self.nodes[id], self.paths[id]
        return Subject(node.title, path, id, self._line(path, needle) if needle else 1)

    def title(self, id: str) -> str:
        """Return the title of the node of that id, or the id if it is missing."""
        return self.nodes[id].title if id in self.nodes else id

    def _line(self, path: str, needle: str) -> int:
        try:
            data, _ = self.graph.files.read(path)
        except OSError:
            return 1
        at = data.find(needle.encode("utf-8"))
        return data.count(b"\n", 0, at) + 1 if at >= 0 else 1


def survey(graph: Graph, history: History) -> Survey:
    """Read everything that the checks of the project examine."""
    read = graph.readable(graph.index.listed(Filter(), -1, ""))
    nodes = {node.id: node for node, _ in sorted(read, key=lambda pair: (pair[0].created, pair[0].title, pair[0].id))}
    return Survey(graph, history, nodes, {node.id: source.path for node, source in read}, graph.index.edges())


def _by(edges: Sequence[Edge], ends: Sequence[str]) -> Mapping[str, Sequence[Edge]]:
    by_end: dict[str, list[Edge]] = {}
    for edge, end in zip(edges, ends, strict=True):
        by_end.setdefault(end, []).append(edge)
    return by_end
