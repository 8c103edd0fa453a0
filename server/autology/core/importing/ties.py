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
class Tie:
    """A relation between the records at two paths, with the sentence that states it.

    *replaces* if it marks its target as superseded: a proposed record's does not.
    """

    source: str
    type: RelationType
    target: str
    text: str
    replaces: bool = False

    def relation(self, target: str) -> Relation:
        """Return it as a relation to the node *target*."""
        return Relation(self.type, target, CONFIDENCE, " ".join(self.text.split()) or None)


def ties(records: Mapping[str, Record], types: Mapping[str, NodeType]) -> list[Tie]:
    """Return the relations between *records*, by path; each pair and type once, stronger before weaker."""
    unique: dict[tuple[str, str, str], Tie] = {}
    for path, record in records.items():
        for link in record.links:
            target = resolve(link, path, records)
            if target is None or target == path:
                continue
            tie = _tie(link, path, target, records, types)
            unique.setdefault((tie.source, tie.type, tie.target), tie)
    replaced = {frozenset((tie.source, tie.target)) for tie in unique.values() if _supersedes(tie)}
    return [tie for tie in unique.values() if _supersedes(tie) or frozenset((tie.source, tie.target)) not in replaced]


def without_cycles(proposed: Iterable[Tie], existing: Iterable[tuple[str, str]]) -> list[Tie]:
    """Return the ties, with supersessions that would close a cycle turned into mere relations.

    *existing* are the (newer, older) pairs that the graph already has, by path.
    """
    older: dict[str, set[str]] = {}
    for newer, old in existing:
        older.setdefault(newer, set()).add(old)
    accepted = []
    for tie in proposed:
        if _supersedes(tie):
            if _is_reachable(older, tie.target, tie.source):
                accepted.append(replace(tie, type=RelationType.RELATES_TO, replaces=False))
                continue
            older.setdefault(tie.source, set()).add(tie.target)
        accepted.append(tie)
    return accepted


def _tie(link: RecordLink, path: str, target: str, records: Mapping[str, Record], types: Mapping[str, NodeType]) -> Tie:
    forward = link.kind not in (LinkKind.SUPERSEDED_BY, LinkKind.AMENDED_BY)
    newer, older = (path, target) if forward else (target, path)
    status = records[newer].decision_status
    decisions = types[newer] is types[older] is NodeType.DECISION
    replacing = link.kind in (LinkKind.SUPERSEDES, LinkKind.SUPERSEDED_BY)
    if replacing and decisions and status is not DecisionStatus.REJECTED:
        return Tie(newer, RelationType.SUPERSEDES, older, link.text, status not in _NOT_DECIDED)
    return Tie(newer, RelationType.RELATES_TO, older, link.text)


def _supersedes(tie: Tie) -> bool:
    return tie.type is RelationType.SUPERSEDES


def _is_reachable(edges: Mapping[str, set[str]], start: str, goal: str) -> bool:
    visited, front = {start}, [start]
    while front:
        at = front.pop()
        if at == goal:
            return True
        following = edges.get(at, set()) - visited
        visited |= following
        front += following
    return False
