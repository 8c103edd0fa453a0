"""Merging two nodes that say the same."""

from __future__ import annotations

from dataclasses import dataclass, replace

from autology.core.content.codec import Stored
from autology.core.nodes.delete_restore import discard
from autology.core.nodes.graph import Graph
from autology.core.nodes.node_draft import NodeDraft
from autology.core.nodes.pins import pin
from autology.core.nodes.relate import refuse_circle, superseders, with_relation
from autology.core.nodes.status_transitions import current
from autology.core.nodes.update import Fields, checked, redacted
from autology.model.errors import ConflictError, ValidationError
from autology.model.node import TAG_LIMIT, Node, Relation, RelationType


@dataclass(frozen=True, slots=True)
class Combined:
    """The remaining node, the trashed one, and how many relations were redirected."""

    node: Node
    gone: Node
    relations: int


def combine(
    graph: Graph, target: str, source: str, fields: Fields, versions: tuple[str, str] | None = None
) -> Combined:
    """Merge the node *source* into *target*, and move *source* to the trash, atomically.

    *fields* win; tags and references that they do not set are the union of both. Relations from and to *source* move to
    *target*, but a supersession of *source* is dropped. With *versions* only if both files still match these.

    Raises:
        NotFoundError: unknown node.
        ValidationError: a field is invalid, or both are the same node.
        ConflictError, StorageError: nothing was changed.
    """
    fields, _ = redacted(fields)
    values = checked(fields)

    def act(draft: NodeDraft) -> Combined:
        stays, goes = draft.read(target, "target"), draft.read(source, "source")
        if stays.entry.id == goes.entry.id:
            raise ValidationError("source", "is the same node", "Name two different nodes.")
        _refuse_others(versions, stays, goes)
        sources = sorted({e.source for e in graph.index.edges([goes.entry.id]) if e.target == goes.entry.id})
        moved = [(id, r) for id in sources for r in draft.read(id).entry.relations if r.target == goes.entry.id]
        discard(draft, goes)
        changed = sum(_led_on(draft, id, relation, stays.entry.id) for id, relation in moved)
        node = draft.read(stays.entry.id).entry
        for relation in goes.entry.relations:
            taken = _taken_over(graph, node, relation, goes.entry.id)
            changed += taken != node
            node = taken
        node = replace(node, **{**_of_both(node, goes.entry), **values}, modified=graph.stamp())
        draft.replace(stays, pin(node, graph.files.content))
        return Combined(node, goes.entry, changed)

    return graph.change(act, walk=True)


def _refuse_others(versions: tuple[str, str] | None, stays: Stored[Node], goes: Stored[Node]) -> None:
    for version, stored in zip(versions or (), (stays, goes), strict=False):
        if version != stored.version:
            raise ConflictError(stored.path)


def _led_on(draft: NodeDraft, source: str, relation: Relation, target: str) -> bool:
    """Redirect a relation of *source* to *target*, where that makes sense; return whether it was."""
    if source == target or relation.type is RelationType.SUPERSEDES:
        return False
    stored = draft.read(source)
    draft.replace(stored, with_relation(stored.entry, replace(relation, target=target)))
    return True


def _taken_over(graph: Graph, node: Node, relation: Relation, former: str) -> Node:
    """Return *node* with a relation of the node *former*, which is to be part of it."""
    if relation.target == node.id:
        freed = relation.type is RelationType.SUPERSEDES and superseders(graph.index, node.id) == [former]
        return current(node) if freed else node
    if relation.type is RelationType.SUPERSEDES:
        sources = graph.index.by_ids([relation.target])
        if relation.target in sources:
            refuse_circle(graph.index, node, graph.stored(sources[relation.target]).entry)
    return with_relation(node, relation)


def _of_both(node: Node, other: Node) -> dict[str, tuple[str, ...]]:
    tags = tuple(dict.fromkeys((*node.tags, *other.tags)))[:TAG_LIMIT]
    return {"tags": tags, "references": tuple(dict.fromkeys((*node.references, *other.references)))}
