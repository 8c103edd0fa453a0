"""Deleting a node into the trash with all its relations, and bringing it back."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from autology.core.adoption.container import split
from autology.core.content.codec import Stored, Trashed
from autology.core.content.trash import BEGINNING
from autology.core.nodes import supersession
from autology.core.nodes.graph import Graph
from autology.core.nodes.node_codec import Incoming, incoming, recorded
from autology.core.nodes.node_draft import NodeDraft
from autology.core.nodes.relate import reactivate, refuse_circle, with_relation
from autology.core.nodes.status_transitions import current, superseded
from autology.model.errors import AmbiguousNameError, AutologyError, NotFoundError, StorageError, UnreadableNodeError
from autology.model.next_step import Action, Sentence, do
from autology.model.node import Node, NodeStatus, NodeType, Relation, RelationType


@dataclass(frozen=True, slots=True)
class Deleted:
    """The deleted node, the number of its relations in both directions, and the nodes that are active again.

    *files* are those of the project that a deleted record consisted of.
    """

    node: Node
    relations: int
    reactivated: tuple[str, ...] = ()
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Restored:
    """The restored node and the number of its relations in both directions."""

    node: Node
    relations: int


def delete(graph: Graph, id: str) -> Deleted:
    """Move a node's file to the trash and remove every relation from and to it, in one commit.

    Raises:
        NotFoundError: there is no such node.
        StorageError: nothing was changed.
    """

    def act(draft: NodeDraft) -> Deleted:
        stored = draft.read(id)
        node = stored.entry
        incoming = discard(draft, stored)
        own = (r for r in node.relations if not r.is_derived)
        former = [r.target for r in own if r.type is RelationType.SUPERSEDES]
        titles = graph.titles(former)
        back = tuple(titles[id] for id in former if id in titles and reactivate(draft, id, node.id))
        files = tuple(part.path for part in split(stored.data).parts if part.data is not None) if node.record else ()
        return Deleted(node, len(node.relations) + incoming, back, files)

    # All files are checked first: a relation to this node must not be overlooked.
    return graph.change(act, walk=True)


def discard(draft: NodeDraft, stored: Stored[Node]) -> int:
    """Move a node's file to the trash with every relation to it; return how many there were."""
    id = stored.entry.id
    lost_relations: list[dict[str, object]] = []
    for source in sorted({e.source for e in draft.graph.index.edges([id]) if e.source != id}):
        other = draft.read(source)
        own = [(at, r) for at, r in enumerate(other.entry.relations) if not r.is_derived]
        lost = [(at, r) for at, r in own if r.target == id]  # what a record's own text says is its own matter
        lost_relations += [recorded(source, at, relation) for at, relation in lost]
        if lost:
            retained = tuple(r for r in other.entry.relations if r.target != id or r.is_derived)
            draft.replace(other, replace(other.entry, relations=retained))
    node, deleted = stored.entry, draft.graph.stamp()
    record = {"path": stored.path, "title": node.title, "type": node.type.value, "deleted": deleted}
    draft.discard(stored, id, {**record, "incoming": lost_relations})
    return len(lost_relations)


def restore(graph: Graph, id: str) -> Restored:
    """Restore the deleted node that *id* names, with its relations whose other end still exists.

    Raises:
        NotFoundError: the trash holds no such node.
        AmbiguousNameError: it is the title of several there.
        StorageError: a node with that id exists, or nothing could be written.
    """

    def act(draft: NodeDraft) -> Restored:
        item = trashed(graph, id)
        if graph.records is not None and graph.records.is_record(item.path):
            return _restore_record(graph, draft, item)
        try:
            data = graph.trash.data(item)
            deleted = graph.codec.parse(data, item.path)
        except FileNotFoundError:
            raise NotFoundError(item.id) from None
        except UnreadableNodeError as error:
            step = "Fix the file in the trash by hand, then restore it."
            raise StorageError(item.path, error.reason, step) from None
        if graph.index.by_ids([item.id]):
            raise StorageError(item.path, "a node with this id exists", "Delete that one first, or keep it.")
        node = _among_the_living(graph, deleted)
        node, data = draft.codec.edit(Stored(deleted, item.path, data), node)
        draft.restore(item, data, node)
        count = len(node.relations) + _relate_again(draft, node, incoming(item))
        _hold_again(draft, item.path)
        for older in (r.target for r in node.relations if r.type is RelationType.SUPERSEDES):
            other = draft.read(older)
            draft.replace(other, superseded(other.entry))
        return Restored(node, count)

    restored = graph.change(act, walk=True)
    return _read_again(graph, restored) if restored.node.record else restored


def trashed(graph: Graph, id: str) -> Trashed:
    """Return the deleted node with that id, with an id that begins so, or with that title.

    Raises:
        NotFoundError: the trash holds no such node, or several whose ids begin so.
        AmbiguousNameError: several there have that title.
    """
    prefix = id.strip().lower()
    names = [name for name in graph.files.trashed() if len(prefix) >= BEGINNING and name.startswith(prefix)]
    if not names:
        names = [item.name for item in graph.trash.items() if item.title.strip().lower() == prefix]
        if len(names) > 1:
            raise AmbiguousNameError(id.strip(), [(name, "deleted") for name in names], "deleted nodes")
    if len(names) != 1:
        near = [(item.title, item.type, item.id) for item in graph.trash.items()][:3]
        step = "" if near else Sentence(do(Action.RESTORE), " lists what is in the trash.")
        raise NotFoundError(id, near, step=step)
    return graph.trash.item(names[0])


def _restore_record(graph: Graph, draft: NodeDraft, item: Trashed) -> Restored:
    """Put the files of a deleted record back, with the relations to it; it is read again with its collection."""
    try:
        data = graph.trash.data(item)
        parts = list(split(data).parts)
    except FileNotFoundError:
        raise NotFoundError(item.id) from None
    except ValueError:
        raise StorageError(item.path, "is damaged in the trash", "Restore it from version control.") from None
    for part in parts:
        if part.data is not None and graph.files.project_has(part.path):
            raise StorageError(part.path, "exists", "Rename or remove that file first, or keep it.")
    node = Node(item.id, NodeType.DECISION, item.title, "", item.deleted, item.deleted, record=item.path)
    draft.restore(item, data)
    return Restored(node, _relate_again(draft, node, incoming(item)))


def _read_again(graph: Graph, restored: Restored) -> Restored:
    """Return the record *restored* as its collection has it now, with the relations that it states itself."""
    with suppress(AutologyError):  # it is restored, even if it cannot be read now
        graph.refresh(walk=True)
        node = graph.stored(graph.source(restored.node.id)).entry
        return Restored(node, len(node.relations) + restored.relations)
    return restored


def _among_the_living(graph: Graph, node: Node) -> Node:
    """Return *node* without its relations to nodes deleted later."""
    alive = graph.index.by_ids([r.target for r in node.relations])
    return replace(node, relations=tuple(r for r in node.relations if r.target in alive))


def _relate_again(draft: NodeDraft, node: Node, incoming: Sequence[Incoming]) -> int:
    count = 0
    for source, at, relation in incoming:
        try:
            other = draft.read(source)
            if relation.type is RelationType.SUPERSEDES:
                refuse_circle(draft.graph.index, other.entry, node)
        except AutologyError:
            continue
        draft.replace(other, _placed(other.entry, at, relation))
        count += 1
    return count


def _placed(node: Node, at: int, relation: Relation) -> Node:
    """Return *node* with *relation* at its former position, so that its file is unchanged."""
    related = with_relation(node, relation)
    if at < 0 or len(related.relations) == len(node.relations):
        return related
    return replace(node, relations=(*node.relations[:at], relation, *node.relations[at:]))


def _hold_again(draft: NodeDraft, path: str) -> None:
    """Remove from the restored node at *path* the successors that were deleted after it."""
    node = draft.entries[path]
    there = {other.id for other in draft.entries.values() if other.relation(RelationType.SUPERSEDES, node.id)}
    gone = [id for id in supersession.successors(node) if id not in there]
    for id in gone:
        node = supersession.without_names(node, id)
    if gone and not there and node.status is NodeStatus.SUPERSEDED:
        node = current(node)
    if gone:
        draft.rewrite(path, node)
