"""Ports to the index's sources and the relations between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from autology.model.entry import NODE
from autology.model.hit import Source
from autology.model.query import Filter


@dataclass(frozen=True, slots=True)
class Named:
    """A source with its aliases, besides its id and path."""

    id: str
    path: str
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Edge:
    """A relation between two nodes, as the index stores it."""

    source: str
    type: str
    target: str
    confidence: float
    description: str | None = None


@dataclass(frozen=True, slots=True)
class Counts:
    """The index's counts."""

    nodes: Mapping[str, int]
    statuses: Mapping[str, int]
    relations: Mapping[str, int]
    dangling: int
    faults: int


class Catalogue(Protocol):
    """The indexed sources, by what identifies them."""

    def by_prefix(self, prefix: str, limit: int) -> Sequence[Source]:
        """Return the sources whose id begins with *prefix*."""

    def by_ids(self, ids: Sequence[str]) -> Mapping[str, Source]:
        """Return the sources with these ids."""

    def by_title(self, titles: Sequence[str]) -> Sequence[Source]:
        """Return the sources with one of these titles, ignoring case."""

    def by_name(self, names: Sequence[str], kind: str) -> Sequence[Named]:
        """Return the sources of that kind with one of *names* as an alias, ignoring case."""

    def named(self, kind: str) -> Sequence[Named]:
        """Return every source of that kind with its aliases."""

    def by_origin(self) -> Mapping[str, str]:
        """Return node ids by the path of the record that they were imported from."""

    def of_session(self, sessions: Sequence[str], limit: int) -> Sequence[str]:
        """Return ids of nodes captured in one of these sessions."""

    def listed(self, where: Filter, limit: int, recent: str) -> Sequence[Source]:
        """Return the sources that pass *where*: current before superseded, confident and *recent* ones first."""

    def changed(self) -> Mapping[str, str]:
        """Return how each sealed decision differs from the accepted one, by its id."""


class Relations(Protocol):
    """The edges between sources, and what nodes have in common."""

    def edges(
        self, ids: Sequence[str] | None = None, limit: int | None = None, kind: str | None = NODE
    ) -> Sequence[Edge]:
        """Return the edges of that kind that touch one of *ids*, or all of them, at most *limit*; sorted."""

    def linked(self, ids: Sequence[str], most: int) -> Sequence[Edge]:
        """Return the edges of every kind, but not to tags, that touch one of *ids*.

        None of an id that more than *most* of them touch: such a hub is not distinctive, and would be slow.
        """

    def note_edges(self, ids: Sequence[str], most: int) -> Sequence[Edge]:
        """Return edges from nodes and memories that touch one of *ids*, at most *most* of each; sorted."""

    def dangling(self, limit: int) -> Sequence[Edge]:
        """Return edges whose target is not a node."""

    def tags(self) -> Mapping[str, int]:
        """Return every tag with the number of its nodes."""

    def tagged(self) -> Sequence[tuple[str, str]]:
        """Return the id of every node with each of its tags, sorted."""

    def sharing(
        self, tags: Sequence[str], references: Sequence[str], words: Sequence[str], limit: int
    ) -> Sequence[str]:
        """Return ids of nodes that share a tag, a reference or a title word, most shared first."""

    def counts(self) -> Counts:
        """Return the index's counts."""


class RelationLines(Protocol):
    """The relations of nodes as text, made where no thread waits for it."""

    def relation_lines(self, most: int | None = None) -> str | None:
        """Return a JSON object a line for each edge of a node, sorted by source, target and type.

        None if there are more than *most*: they are not read then.
        """
