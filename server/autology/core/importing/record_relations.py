"""Relations between imported records, from the links in their texts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from autology.model.node import DecisionStatus, NodeType, Relation, RelationType
from autology.text.adr.link_kinds import LinkKind
from autology.text.adr.links import RecordLink
from autology.text.adr.record import Record
from autology.text.adr.resolve import resolve

CONFIDENCE = 0.9
"""Confidence of a relation that a record itself states: that of the record's own node."""

_NOT_DECIDED = (DecisionStatus.PROPOSED, DecisionStatus.REJECTED)


@dataclass(frozen=True, slots=True)
class RecordRelation:
    """A relation between the records at two paths, with the sentence that states it.

    *replaces* if it marks its target as superseded: a proposed record's does not.
    """

    source: str
    type: RelationType
    target: str
    text: str
    replaces: bool = False

    @property
    def key(self) -> tuple[str, RelationType, str]:
        """What tells it from others."""
        return self.source, self.type, self.target

    @property
    def ends(self) -> frozenset[str]:
        """The two paths."""
        return frozenset((self.source, self.target))

    def relation(self, target: str) -> Relation:
        """Return it as a relation to the node *target*."""
        return Relation(self.type, target, CONFIDENCE, " ".join(self.text.split()) or None)


def relations(records: Mapping[str, Record], types: Mapping[str, NodeType]) -> list[RecordRelation]:
    """Return the relations between *records*, by path; each pair and type once, stronger before weaker."""
    unique: dict[tuple[str, RelationType, str], RecordRelation] = {}
    for path, record in records.items():
        for link in record.links:
            target = resolve(link, path, records)
            if target is None or target == path:
                continue
            relation = _relation(link, path, target, records, types)
            unique.setdefault(relation.key, relation)
    replaced = {relation.ends for relation in unique.values() if _supersedes(relation)}
    return [relation for relation in unique.values() if _supersedes(relation) or relation.ends not in replaced]


def without_cycles(proposed: Iterable[RecordRelation], existing: Iterable[tuple[str, str]]) -> list[RecordRelation]:
    """Return the relations, with supersessions that would close a cycle turned into mere relations.

    *existing* are the (newer, older) pairs that the graph already has, by path.
    """
    older: dict[str, set[str]] = {}
    for newer, old in existing:
        older.setdefault(newer, set()).add(old)
    accepted = []
    for relation in proposed:
        if _supersedes(relation):
            if is_reachable(older, relation.target, relation.source):
                accepted.append(replace(relation, type=RelationType.RELATES_TO, replaces=False))
                continue
            older.setdefault(relation.source, set()).add(relation.target)
        accepted.append(relation)
    return accepted


def _relation(
    link: RecordLink, path: str, target: str, records: Mapping[str, Record], types: Mapping[str, NodeType]
) -> RecordRelation:
    forward = link.kind not in (LinkKind.SUPERSEDED_BY, LinkKind.AMENDED_BY)
    newer, older = (path, target) if forward else (target, path)
    status = records[newer].decision_status
    decisions = types[newer] is types[older] is NodeType.DECISION
    replacing = link.kind in (LinkKind.SUPERSEDES, LinkKind.SUPERSEDED_BY)
    if replacing and decisions and status is not DecisionStatus.REJECTED:
        return RecordRelation(newer, RelationType.SUPERSEDES, older, link.text, status not in _NOT_DECIDED)
    return RecordRelation(newer, RelationType.RELATES_TO, older, link.text)


def _supersedes(relation: RecordRelation) -> bool:
    return relation.type is RelationType.SUPERSEDES


def is_reachable(edges: Mapping[str, Iterable[str]], start: str, goal: str) -> bool:
    """Whether *edges* lead from *start* to *goal*."""
    visited, front = {start}, [start]
    while front:
        at = front.pop()
        if at == goal:
            return True
        following = set(edges.get(at, ())) - visited
        visited |= following
        front += following
    return False
