"""Deleting a node into the trash with all its relations, and bringing it back."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from typing import Any

from autology.core import supersession
from autology.core.decided import current, superseded
from autology.core.graph import Draft, Graph, Stored
from autology.core.relate import reactivate, refuse_circle, with_relation, without_relations
from autology.core.sync import decode
from autology.model.errors import AutologyError, NotFoundError, StorageError, UnreadableNodeError
from autology.model.node import Node, NodeStatus, NodeType, Relation, RelationType

TRASH = ".autology/trash"


@dataclass(frozen=True, slots=True)
class Deleted:
    """The node that was deleted, how many relations, from it and to it, went with it, and what holds again."""

    node: Node
    relations: int
    reactivated: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Restored:
    """The node that is back and how many relations, from it and to it, came with it."""

    node: Node
    relations: int


@dataclass(frozen=True, slots=True)
class Trashed:
    """A deleted node, as the trash lists it."""

    id: str
    title: str
    type: str
    deleted: str


def delete(graph: Graph, id: str) -> Deleted:
    """Move a node's file to the trash and remove every relation from and to it, as one.

    Raises:
        NotFoundError: there is no such node.
        StorageError: nothing was changed.
    """

    def act(draft: Draft) -> Deleted:
        stored = draft.read(id)
        node = stored.node
        incoming = discard(draft, stored)
        former = [r.target for r in node.relations if r.type is RelationType.SUPERSEDES]
        titles = graph.titles(former)
        back = tuple(titles[id] for id in former if id in titles and reactivate(draft, id, node.id))
        return Deleted(node, len(node.relations) + incoming, back)

    # Every file is looked at first: a relation to this node must not be overlooked.
    return graph.change(act, walk=True)


def discard(draft: Draft, stored: Stored) -> int:
    """Move a node's file to the trash with every relation that leads to it; return how many did."""
    id = stored.node.id
    incoming: list[dict[str, object]] = []
    for source in sorted({e.source for e in draft.graph.index.edges([id]) if e.source != id}):
        other = draft.read(source)
        lost = [(at, r) for at, r in enumerate(other.node.relations) if r.target == id]
        incoming += [{"source": source, "at": at, **_written(relation)} for at, relation in lost]
        if lost:
            draft.replace(other, without_relations(other.node, id))
    _throw_away(draft, stored.node, stored.path, stored.data, incoming)
    draft.remove(stored)
    return len(incoming)


def restore(graph: Graph, id: str) -> Restored:
    """Bring a deleted node back, with the relations that it had where both ends still exist.

    Raises:
        NotFoundError: the trash holds no such node.
        StorageError: a node with that id exists, or nothing could be written.
    """

    def act(draft: Draft) -> Restored:
        whole = _full_id(graph, id)
        data, record = _from_trash(graph, whole)
        deleted = _readable(data, record.path)
        if graph.index.by_ids([whole]):
            raise StorageError(record.path, "a node with this id exists", "Delete that one first, or keep it.")
        node = _among_the_living(graph, deleted)
        draft.bring_back(record.path, data, node)
        count = len(node.relations) + _relate_again(draft, node, record.incoming)
        _hold_again(draft, record.path)
        for former in (r.target for r in node.relations if r.type is RelationType.SUPERSEDES):
            other = draft.read(former)
            draft.replace(other, superseded(other.node))
        draft.put_aside(f"{TRASH}/{whole}.md", data, None)
        draft.put_aside(f"{TRASH}/{whole}.json", graph.files.read(f"{TRASH}/{whole}.json")[0], None)
        return Restored(node, count)

    return graph.change(act, walk=True)


def trash(graph: Graph) -> list[Trashed]:
    """Return what the trash holds, deleted last first."""
    listed = []
    for id in graph.files.trashed():
        try:
            _, record = _from_trash(graph, id)
        except AutologyError:
            continue
        listed.append(Trashed(id, record.title, record.type, record.deleted))
    return listed


def _throw_away(draft: Draft, node: Node, path: str, data: bytes, incoming: list[dict[str, object]]) -> None:
    files = draft.graph.files
    record = {"path": path, "title": node.title, "type": node.type.value, "deleted": draft.graph.stamp()}
    text = json.dumps({**record, "incoming": incoming}, ensure_ascii=False, indent=1)
    for ending, after in ((".md", data), (".json", text.encode())):
        place = f"{TRASH}/{node.id}{ending}"
        try:
            before: bytes | None = files.read(place)[0]
        except FileNotFoundError:
            before = None
        draft.put_aside(place, before, after)


def _full_id(graph: Graph, id: str) -> str:
    asked = id.strip().lower()
    found = [known for known in graph.files.trashed() if len(asked) >= 8 and known.startswith(asked)]
    if len(found) != 1:
        near = [(item.title, item.type, item.id) for item in trash(graph)][:3]
        raise NotFoundError(id, near, step="" if near else "`autology restore` lists what is in the trash.")
    return found[0]


@dataclass(frozen=True, slots=True)
class _Record:
    path: str
    title: str
    type: str
    deleted: str
    incoming: tuple[tuple[str, int, Relation], ...]  # (source, what place, what it had to the deleted node)


def _from_trash(graph: Graph, id: str) -> tuple[bytes, _Record]:
    name = f"{TRASH}/{id}"
    try:
        data, _ = graph.files.read(f"{name}.md")
        return data, _record(json.loads(graph.files.read(f"{name}.json")[0]), id)
    except FileNotFoundError:
        raise NotFoundError(id) from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise StorageError(f"{name}.json", "cannot be read", f"The node itself is safe in {name}.md.") from None


def _record(read: dict[str, Any], id: str) -> _Record:
    path, title, type, deleted = (str(read[key]) for key in ("path", "title", "type", "deleted"))
    if not _NODE_FILE.match(path):
        raise ValueError  # a repository may bring its own trash along
    return _Record(path, title, type, deleted, tuple(_incoming(e, id) for e in read["incoming"]))


def _incoming(entry: dict[str, Any], id: str) -> tuple[str, int, Relation]:
    return str(entry["source"]), int(entry.get("at", -1)), _read(entry, id)


_NODE_FILE = re.compile(rf"\.autology/nodes/(?:{'|'.join(type.folder for type in NodeType)})/[^./\\][^/\\]*\.md\Z")


def _readable(data: bytes, path: str) -> Node:
    try:
        return decode(data, path)
    except UnreadableNodeError as error:
        raise StorageError(path, error.reason, "Mend the file in the trash by hand, then restore it.") from None


def _among_the_living(graph: Graph, node: Node) -> Node:
    """*node* without the relations to nodes that were deleted after it."""
    alive = graph.index.by_ids([r.target for r in node.relations])
    return replace(node, relations=tuple(r for r in node.relations if r.target in alive))


def _relate_again(draft: Draft, node: Node, incoming: tuple[tuple[str, int, Relation], ...]) -> int:
    count = 0
    for source, at, relation in incoming:
        try:
            other = draft.read(source)
            if relation.type is RelationType.SUPERSEDES:
                refuse_circle(draft.graph, other.node, node)
        except AutologyError:
            continue
        draft.replace(other, _placed(other.node, at, relation))
        count += 1
    return count


def _placed(node: Node, at: int, relation: Relation) -> Node:
    """*node* with *relation* where it stood, so that its file is as it was."""
    related = with_relation(node, relation)
    if at < 0 or len(related.relations) == len(node.relations):
        return related
    return replace(node, relations=(*node.relations[:at], relation, *node.relations[at:]))


def _hold_again(draft: Draft, path: str) -> None:
    """Let the node at *path*, back from the trash, not be superseded by what went to the trash after it."""
    node = draft.nodes[path]
    there = {other.id for other in draft.nodes.values() if other.relation(RelationType.SUPERSEDES, node.id)}
    gone = [id for id in supersession.successors(node) if id not in there]
    for id in gone:
        node = supersession.without_names(node, id)
    if gone and not there and node.status is NodeStatus.SUPERSEDED:
        node = current(node)
    if gone:
        draft.rewrite(path, node)


def _written(relation: Relation) -> dict[str, object]:
    return {
        "type": relation.type.value,
        "confidence": relation.confidence,
        "description": relation.description,
        "extra": dict(relation.extra),
    }


def _read(entry: dict[str, object], target: str) -> Relation:
    extra = entry.get("extra")
    described = entry.get("description")
    return replace(
        Relation(RelationType(str(entry["type"])), target, float(str(entry["confidence"]))),
        description=str(described) if described is not None else None,
        extra=tuple(extra.items()) if isinstance(extra, dict) else (),
    )
