"""Notes that an older version made of records: a copy that still agrees becomes the sidecar of the adopted record."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from autology.core.importing import record_node
from autology.core.importing.originals import Original, text_hash
from autology.core.nodes.delete_restore import delete
from autology.model.node import DecisionStatus, Node, NodeStatus, NodeType, node_path
from autology.model.query import Filter
from autology.text.notes import sidecar
from autology.text.notes.charset import UnreadableTextError, decode

if TYPE_CHECKING:
    from autology.core.nodes.graph import Graph
    from autology.core.nodes.node_draft import NodeDraft

_OF_IMPORT = ("origin", "origin_lead", "origin_frontmatter", "origin_hash", "record_number", "frozen", "frozen_parts")
"""The fields of a copy that say nothing about an adopted record."""


@dataclass(frozen=True, slots=True)
class Copy:
    """A note with the text of the adopted *record*; *agrees* if nobody changed it since."""

    node: Node
    path: str
    record: str
    agrees: bool


def find(graph: Graph) -> list[Copy]:
    """Return the notes that were imported from records that are adopted now."""
    records = graph.records
    if records is None or not records.snapshot.records:
        return []
    copies = []
    for node, source in graph.readable(graph.index.listed(Filter(), -1, "")):
        origin = node.extra.get("origin")
        if not node.record and isinstance(origin, str) and records.get(origin):
            copies.append(Copy(node, source.path, origin, _agrees(graph, node, origin)))
    return copies


def adopt(graph: Graph) -> int:
    """Turn the copies that agree into sidecars, under their ids; return how many."""
    copies = [copy for copy in find(graph) if copy.agrees and not graph.records.sidecar_of(copy.record)]  # type: ignore[union-attr]
    if not copies:
        return 0

    def act(draft: NodeDraft) -> int:
        for copy in copies:
            _turn(graph, draft, copy)
        return len(copies)

    return graph.change(act)


def join(graph: Graph) -> int:
    """Let the records stand for the copies that differ from them; return how many.

    The record takes over a copy's id, tags and relations. The copy's text goes to the trash as a note with an id of its
    own, which can be restored. Copies of records that have a sidecar already stay: each has relations of its own.
    """
    records = graph.records
    first = {copy.record: copy for copy in reversed(find(graph)) if not copy.agrees}
    differing = [copy for copy in first.values() if records and not records.sidecar_of(copy.record)]
    if not differing:
        return 0

    def act(draft: NodeDraft) -> list[str]:
        archived = []
        for copy in differing:
            own = {key: value for key, value in copy.node.extra.items() if key not in _OF_IMPORT}
            apart = replace(copy.node, id=graph.new_id(), relations=(), extra=MappingProxyType(own))
            archived.append(draft.create(apart).id)
            _turn(graph, draft, copy)
        return archived

    for id in graph.change(act):
        delete(graph, id)
    return len(differing)


def _turn(graph: Graph, draft: NodeDraft, copy: Copy) -> None:
    """Let *draft* replace the file of *copy* by a sidecar."""
    source = graph.index.by_ids([copy.node.id])[copy.node.id]
    stored = graph.stored(source)
    retained = sidecar.written(_as_sidecar(graph, copy, stored.entry))
    path = node_path(NodeType.DECISION, copy.node.id)
    if path == stored.path:
        draft.stage(path, stored.data, retained)
    else:
        draft.stage(stored.path, stored.data, None)
        draft.stage(path, None, retained)


def _as_sidecar(graph: Graph, copy: Copy, node: Node) -> Node:
    original = Original(copy.record, record_node.text_of(node), node.modified, True)
    imported = _as_imported(original, node, graph.files.project_has)
    own = {key: value for key, value in node.extra.items() if key not in _OF_IMPORT}
    return replace(
        node,
        type=NodeType.DECISION,
        content="",
        status=NodeStatus.ACTIVE,
        decision_status=None,
        references=tuple(path for path in node.references if path not in imported.references),
        source="record",
        extra=MappingProxyType({**own, sidecar.RECORD: copy.record}),
    )


def _as_imported(original: Original, node: Node, has: Callable[[str], bool]) -> Node:
    record = record_node.read(original.text, original.path)
    return record_node.node_of(record, original, has, node.type)


def _agrees(graph: Graph, node: Node, path: str) -> bool:
    """Whether *node* says nothing that the record at *path* does not say."""
    text = record_node.text_of(node)
    if not record_node.is_as_imported(node):
        try:
            now = decode(graph.files.read(path)[0]).text
        except (OSError, UnreadableTextError):
            return False
        if text_hash(text) != text_hash(now):
            return False
    imported = _as_imported(Original(path, text, node.modified, True), node, graph.files.project_has)
    superseded = DecisionStatus.SUPERSEDED in (node.decision_status, imported.decision_status)
    return node.title == imported.title and (superseded or node.decision_status in (None, imported.decision_status))
