"""An adopted record as a node: its own text and fields, and what its sidecar adds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from autology.core.adoption.container import Container
from autology.core.adoption.record_facts import Adopted
from autology.core.adoption.records import Records
from autology.model.errors import UnreadableNodeError
from autology.model.node import DERIVED, DecisionStatus, Node, NodeStatus, NodeType, Relation, RelationType
from autology.text.notes import sidecar
from autology.text.notes.frontmatter import body_start

UNRELATED = "unrelated"
"""The key in a sidecar of the derived relations that were removed, as ``type id``."""
SOURCE = "record"
_CONFIDENCE = {RelationType.SUPERSEDES: 0.95, RelationType.DEPENDS_ON: 0.9, RelationType.RELATES_TO: 0.7}
"""The relations that a record's own links are, and how sure they are; `LinkKind` has the same values."""
BESIDE = "status_beside"
"""The field of a node whose status is only in its sidecar."""
OWN_FIELDS = ("record_number", "status_word", "authors", "kind", BESIDE)
"""The fields of a record's node that are read from its own files, and never written into its sidecar."""


def node(records: Records, data: bytes, path: str) -> Node:
    """Return the node of the record in *data*. Raises UnreadableNodeError."""
    one, container, text = records.parsed(data, path)
    return joined(records, one, content_of(one, text.text), beside(container))


def beside(container: Container) -> Node | None:
    """Return the node in the sidecar of a record, None if it has none. Raises UnreadableNodeError."""
    data = container.sidecar.data if container.sidecar else None
    if data is None:
        return None
    added = sidecar.read(data)
    if added is None:
        raise UnreadableNodeError("its sidecar cannot be read")
    return added


def content_of(one: Adopted, text: str) -> str:
    """Return the text of a record without its frontmatter."""
    return text[body_start(text) :].lstrip("\r\n") if one.form == "markdown" else text


def joined(records: Records, one: Adopted, content: str, added: Node | None) -> Node:
    """Return the node of *one*, with what its sidecar has *added*."""
    status = one.decision_status
    created, modified = records.dates.of(one)
    stated = derived(records, one)
    extra = {key: value for key, value in _fields(one).items() if value}
    base = Node(
        id=records.id_of(one.path),
        type=NodeType.DECISION,
        title=one.title or one.path.rpartition("/")[2],
        content=content,
        created=created,
        modified=modified,
        relations=stated,
        source=SOURCE,
        status=NodeStatus.SUPERSEDED if status is DecisionStatus.SUPERSEDED else NodeStatus.ACTIVE,
        decision_status=status,
        extra=MappingProxyType(extra),
        record=one.path,
    )
    return base if added is None else _with_sidecar(base, added)


def _with_sidecar(base: Node, added: Node) -> Node:
    own = {key: value for key, value in added.extra.items() if key != sidecar.RECORD}
    status = added.decision_status or base.decision_status
    stands = NodeStatus.ACTIVE
    if status is DecisionStatus.SUPERSEDED or added.status is NodeStatus.SUPERSEDED:
        stands = NodeStatus.SUPERSEDED
    elif added.status is NodeStatus.NEEDS_REVIEW:
        stands = added.status
    return replace(
        base,
        id=added.id,
        modified=max(base.modified, added.modified),
        tags=added.tags,
        relations=relations(base.relations, added),
        confidence=added.confidence,
        session=added.session,
        references=added.references,
        status=stands,
        decision_status=status,
        extra=MappingProxyType({**base.extra, **own, **({BESIDE: "true"} if added.decision_status else {})}),
    )


def relations(derived: tuple[Relation, ...], added: Node) -> tuple[Relation, ...]:
    """Return the relations that the sidecar *added* has, then the *derived* ones that it does not have or remove."""
    own = {relation.key for relation in added.relations}
    removed = unrelated(added.extra)
    retained = (one for one in derived if one.key not in own and f"{one.type} {one.target}" not in removed)
    return (*added.relations, *retained)


def derived(records: Records, one: Adopted) -> tuple[Relation, ...]:
    """Return the relations that the record's own links are; the one that it is superseded by is the other's."""
    located: dict[tuple[str, str], Relation] = {}
    for type, confidence in _CONFIDENCE.items():
        for kind, target, wording in one.links:
            if kind != type.value or records.get(target) is None or target == one.path:
                continue
            relation = Relation(type, records.id_of(target), confidence, wording or None, (DERIVED,))
            located.setdefault(relation.key, relation)
    return tuple(located.values())


def unrelated(extra: Mapping[str, object]) -> tuple[str, ...]:
    """Return the derived relations that were removed."""
    value = extra.get(UNRELATED)
    if isinstance(value, str):
        return (value,)
    return tuple(str(one) for one in value) if isinstance(value, list | tuple) else ()


def _fields(one: Adopted) -> dict[str, object]:
    return {
        "record_number": one.number,
        "status_word": one.word,
        "authors": list(one.authors),
        "kind": one.kind,
    }
