"""Relations in the words of the records that state them: one that amends another is not merely related to it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from autology.core.index.catalogue import Edge
from autology.model.node import RelationType
from autology.model.relation_words import ACTIVE, PASSIVE


def as_worded(edges: Iterable[Edge]) -> list[Edge]:
    """Return *edges* with the wording of a record as their type, from the record that changes the other.

    What both records say is one edge. A mere relation between two notes is one edge, whichever states it, and none
    between records of which one changes the other.
    """
    worded: dict[tuple[str, str, str], Edge] = {}
    for edge in map(_worded, edges):
        worded.setdefault((edge.source, edge.type, edge.target), edge)
    joined = {frozenset((source, target)) for source, type, target in worded if type in ACTIVE}
    retained = []
    for (source, type, target), edge in worded.items():
        pair = frozenset((source, target))
        if type == RelationType.RELATES_TO:
            if pair in joined:
                continue
            joined.add(pair)
        retained.append(edge)
    return retained


def _worded(edge: Edge) -> Edge:
    if edge.type != RelationType.RELATES_TO or edge.description is None:
        return edge
    if edge.description in ACTIVE:
        return replace(edge, type=edge.description)
    if active := PASSIVE.get(edge.description):
        return replace(edge, type=active, source=edge.target, target=edge.source)
    return edge
