"""Capturing a decision as the next record of an adopted collection, instead of a note of ours."""

from __future__ import annotations

from dataclasses import replace

from autology.core.content.files import Change
from autology.core.nodes.graph import Graph
from autology.core.nodes.node_draft import NodeDraft
from autology.model.errors import StorageError
from autology.model.node import TURN, Node, NodeStatus


def create(graph: Graph, folder: str, node: Node) -> tuple[Node | None, str]:
    """Write *node*, a decision, as a record of the collection in *folder*; return it as read from there.

    If none can be written there that reads the same again, nothing is left of it: None is returned, and the reason.

    Raises:
        ValidationError: there is no such collection.
        StorageError: the disk refused.
    """
    from autology.core.adoption.new_record import compose  # patterns that other captures need not load
    from autology.text.records.composing import NotComposableError

    assert graph.records is not None
    graph.refresh(walk=True)
    try:
        new = compose(graph.records, folder, node, graph.now().date())
    except NotComposableError as error:
        return None, str(error)
    for change in new.changes:
        if graph.files.project_has(change.path):
            return None, f"{change.path} exists already"
    _commit(graph, new.changes)
    one = graph.records.get(new.path)
    if one is not None and (one.title, one.decision_status) == (new.title, new.status):
        return graph.stored(graph.source(new.id)).entry, ""
    _commit(graph, [Change(change.path, change.after, None) for change in new.changes])
    what = "is not recognised as one of its records" if one is None else "reads differently there"
    return None, f"what was written as {new.path} {what}"


def completed(draft: NodeDraft, record: Node, node: Node) -> Node:
    """Add to the *record* that was just written what its form has no place for: tags, relations, references."""
    stored = draft.read(record.id)
    turn = {TURN: node.extra[TURN]} if TURN in node.extra else {}
    targets = {relation.key for relation in node.relations}
    wanted = replace(
        stored.entry,
        tags=node.tags,
        references=node.references,
        confidence=node.confidence,
        session=node.session,
        status=NodeStatus.ACTIVE,
        relations=(*node.relations, *(one for one in stored.entry.relations if one.key not in targets)),
        modified=node.modified,
        extra={**stored.entry.extra, **turn},
    )
    return draft.replace(stored, wanted, amended=True)


def _commit(graph: Graph, changes: list[Change] | tuple[Change, ...]) -> None:
    with graph.files.locked():
        graph.files.commit(changes)
    if graph.written is not None:
        graph.written(changes)
    try:
        graph.refresh(walk=True)
    except StorageError:
        if not any(change.after is None for change in changes):
            raise
