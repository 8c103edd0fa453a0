"""Relating two nodes, and removing a relation."""

from __future__ import annotations

from dataclasses import dataclass, replace

from autology.core.index.index import Index
from autology.core.nodes import supersession
from autology.core.nodes.graph import Graph
from autology.core.nodes.node_draft import NodeDraft
from autology.core.nodes.status_transitions import current, superseded
from autology.model.errors import NotFoundError, ValidationError
from autology.model.node import (
    Node,
    NodeStatus,
    Relation,
    RelationType,
    check_confidence,
    check_text,
    relation_type,
)
from autology.text.redaction import redact


@dataclass(frozen=True, slots=True)
class Related:
    """A relation with the titles of its ends; *changed* if anything was written."""

    source: str
    target: str
    type: RelationType
    changed: bool
    reactivated: bool = False


def relation(type: str, description: str | None, confidence: float) -> Relation:
    """Return a validated relation whose target is not resolved yet. Raises ValidationError."""
    text = check_text(description.strip(), "description", 2_000) if description and description.strip() else None
    return Relation(relation_type(type), "", check_confidence(confidence), redact(text)[0] if text else text)


def with_relation(node: Node, added: Relation) -> Node:
    """Return *node* with *added*: the higher confidence wins, a new description replaces the old."""
    old = node.relation(added.type, added.target)
    if old is None:
        return replace(node, relations=(*node.relations, added))
    merged = replace(
        old,
        confidence=max(old.confidence, added.confidence),
        description=added.description if added.description is not None else old.description,
    )
    return replace(node, relations=tuple(merged if r is old else r for r in node.relations))


def without_relations(node: Node, target: str, type: RelationType | None = None) -> Node:
    """Return *node* without its relations to *target*, or only without the one of that *type*."""
    others = tuple(r for r in node.relations if r.target != target or (type is not None and r.type is not type))
    return replace(node, relations=others)


def relate(
    graph: Graph, source: str, target: str, type: str, description: str | None = None, confidence: float = 0.8
) -> Related:
    """Create or strengthen a relation; a supersedes relation marks its target superseded.

    Raises:
        NotFoundError: the source or the target does not exist; the message says which.
        ValidationError: a field is invalid, or nodes would supersede each other in a cycle.
    """
    wanted = relation(type, description, confidence)

    def act(draft: NodeDraft) -> Related:
        start, end = draft.read(source, "source"), draft.read(target, "target")
        if start.entry.id == end.entry.id:
            raise ValidationError("target", "is the same node as the source", "Relate two different nodes.")
        if wanted.type is RelationType.SUPERSEDES:
            refuse_circle(graph.index, start.entry, end.entry)
        node = with_relation(start.entry, replace(wanted, target=end.entry.id))
        if node != start.entry:
            draft.replace(start, node)
        if wanted.type is RelationType.SUPERSEDES:
            if end.entry != superseded(end.entry):
                draft.replace(end, superseded(end.entry))
            supersession.name(draft, start.entry.id, end.entry.id)
        return Related(start.entry.title, end.entry.title, wanted.type, bool(draft.changes))

    return graph.change(act)


def unrelate(graph: Graph, source: str, target: str, type: str) -> Related:
    """Remove a relation; a missing one is not an error.

    A node that nothing supersedes any longer becomes active.

    Raises:
        NotFoundError: the source does not exist and the target does not name it as its successor, or the target neither
    exists nor is related to.
    """
    kind = relation_type(type)

    def act(draft: NodeDraft) -> Related:
        try:
            start = draft.read(source, "source")
        except NotFoundError:
            return _forgotten(draft, source, target, kind)
        end_id, end_title = _target(graph, start.entry, target)
        node = without_relations(start.entry, end_id, kind)
        replaced = kind is RelationType.SUPERSEDES and supersession.name(draft, start.entry.id, end_id, named=False)
        if node != start.entry:
            draft.replace(start, node)
            replaced = kind is RelationType.SUPERSEDES
        reactivated = replaced and reactivate(draft, end_id, start.entry.id)
        return Related(start.entry.title, end_title, kind, bool(draft.changes), reactivated)

    return graph.change(act)


def _forgotten(draft: NodeDraft, source: str, target: str, kind: RelationType) -> Related:
    """Remove the link of the node *target* to the missing *source* as its successor. Raises NotFoundError."""
    try:
        end = draft.read(target, "target")
        named = [name for name in supersession.successors(end.entry) if name == source.strip().lower()]
    except NotFoundError:
        named = []
    if kind is not RelationType.SUPERSEDES or not named:
        draft.read(source, "source")  # says that it is not there
    supersession.name(draft, named[0], end.entry.id, named=False)
    back = reactivate(draft, end.entry.id, named[0])
    return Related(named[0], end.entry.title, kind, bool(draft.changes), back)


def _target(graph: Graph, node: Node, target: str) -> tuple[str, str]:
    try:
        source = graph.source(target, "target")
    except NotFoundError:
        dangling = [r.target for r in node.relations if r.target.startswith(target.strip())]
        if len(set(dangling)) != 1:
            raise
        return dangling[0], dangling[0]
    return source.id, source.title


def superseders(index: Index, id: str) -> list[str]:
    """Return the ids of the nodes that supersede the one with that *id*."""
    edges = index.edges([id])
    return [e.source for e in edges if e.type == RelationType.SUPERSEDES and e.target == id]


def reactivate(draft: NodeDraft, id: str, former: str) -> bool:
    """Make the node *id* active again, now that *former* no longer supersedes it, unless another node does."""
    if any(source != former for source in superseders(draft.graph.index, id)):
        return False
    try:
        stored = draft.read(id)
    except NotFoundError:
        return False
    if stored.entry.status is not NodeStatus.SUPERSEDED:
        return False
    draft.replace(stored, current(stored.entry))
    return True


def refuse_circle(index: Index, newer: Node, older: Node) -> None:
    """Raise if *older* already supersedes *newer*, directly or indirectly."""
    own = [r.target for r in older.relations if r.type is RelationType.SUPERSEDES]  # it may not be indexed yet
    reached = {older.id, *own}
    front = list(reached)
    while front:
        edges = index.edges(front)
        front = [
            e.target
            for e in edges
            if e.type == RelationType.SUPERSEDES and e.source in reached and e.target not in reached
        ]
        reached.update(front)
    if newer.id in reached:
        fits = f"'{older.title}' already supersedes '{newer.title}'; remove that relation first."
        raise ValidationError("target", "the two nodes would supersede each other", fits)
