"""Records with two sidecars: made when one clone renamed a record before the other first named it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from autology.core.adoption.record_facts import Beside
from autology.core.nodes.relate import with_relation
from autology.model.errors import NotFoundError, StorageError
from autology.model.node import SUPERSEDED_BY, Node, Relation
from autology.text.notes import sidecar
from autology.text.notes.frontmatter import texts

if TYPE_CHECKING:
    from autology.core.adoption.records import Records
    from autology.core.nodes.graph import Graph
    from autology.core.nodes.node_draft import NodeDraft


def find(records: Records) -> Iterator[tuple[Beside, Beside]]:
    """Yield the sidecars whose record has another one, and that other one.

    The record at the path that a sidecar names is gone, and one with the same title in the same folder, the only one
    there, has the other sidecar.
    """
    snapshot = records.snapshot
    for one in records.orphans():
        if one.record in snapshot.records:
            other = records.sidecar_of(one.record)
        else:
            folder = one.record.rpartition("/")[0]
            every = (record for record in snapshot.records.values() if record.title == one.title)
            same = [record.path for record in every if folder in _folders(record.path, record.id_path)]
            other = records.sidecar_of(same[0]) if len(same) == 1 else None
        if other is not None and other.path != one.path:
            yield one, other


def join(graph: Graph) -> int:
    """Move what a record's second sidecar adds into its first one, and relations to its id with it; return how many."""
    pairs = list(find(graph.records)) if graph.records is not None else []
    if not pairs:
        return 0

    def act(draft: NodeDraft) -> int:
        return sum(_join(graph, draft, one, other) for one, other in pairs)

    return graph.change(act, walk=True)


def _join(graph: Graph, draft: NodeDraft, one: Beside, other: Beside) -> bool:
    try:
        data = graph.files.read(one.path)[0]
        stored = draft.read(other.id)
    except (NotFoundError, StorageError):  # it went meanwhile, or cannot be read: the doctor names it
        return False
    added = sidecar.read(data)
    if added is None or one.id == other.id:
        return False
    draft.replace(stored, _united(stored.entry, added), amended=True)
    draft.stage(one.path, data, None)
    for source in {edge.source for edge in graph.index.edges([one.id]) if edge.target == one.id}:
        if source not in (one.id, other.id):
            naming = draft.read(source)
            draft.replace(naming, _naming(naming.entry, one.id, other.id), amended=True)
    return True


def _united(node: Node, added: Node) -> Node:
    """Return *node* with everything that *added* has; where both say something, the later of the two counts."""
    relations = (r for r in added.relations if r.target not in (node.id, added.id))
    for relation in relations:
        node = with_relation(node, relation)
    first, then = (node, added) if added.modified >= node.modified else (added, node)
    extra = {**first.extra, **then.extra}
    extra.pop(sidecar.RECORD, None)
    return replace(
        node,
        tags=tuple(dict.fromkeys((*node.tags, *added.tags))),
        references=tuple(dict.fromkeys((*node.references, *added.references))),
        confidence=then.confidence,
        modified=then.modified,
        extra=extra,
    )


def _naming(node: Node, former: str, now: str) -> Node:
    """Return *node* with its relations and links to *former* leading to *now*."""

    def lead(relation: Relation) -> Relation:
        return replace(relation, target=now) if relation.target == former else relation

    united = replace(node, relations=())
    for relation in map(lead, node.relations):
        united = with_relation(united, relation)
    extra = dict(node.extra)
    if links := list(texts(extra.get(SUPERSEDED_BY))):
        extra[SUPERSEDED_BY] = [link.replace(former, now) for link in links]
    return replace(united, extra=extra)


def _folders(path: str, id_path: str) -> tuple[str, str]:
    return path.rpartition("/")[0], id_path.rpartition("/")[0]
