"""Nodes as markdown files: written, read back to the same value, edited without losing a byte."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from autology.model.errors import UnreadableNodeError, ValidationError
from autology.model.node import (
    Node,
    NodeType,
    Relation,
    RelationType,
    decision_status,
    is_uuid4,
    node_status,
    node_type,
    normal_tags,
    relation_type,
)
from autology.text.notes import fields, frontmatter, node_body, yaml_subset
from autology.text.notes.frontmatter import Split
from autology.text.notes.node_body import NodeBody
from autology.text.notes.yaml_subset import Unquoted, Value

ORDER = tuple(
    "id type title tags confidence created modified session source status decision_status relations references".split()
)
"""The order of the keys in a node's frontmatter."""


def write_node(node: Node, titles: Mapping[str, str]) -> str:
    """Return the text of a new file for *node*; *titles* are those of related nodes."""
    return f"---\n{fields.written(_front(node))}---\n{node_body.written(node, titles)}"


def read_node(text: str, folder_type: NodeType | None = None) -> Node:
    """Return the node in *text*.

    *folder_type* is the type by its folder, for a file that does not state its type.

    Raises:
        UnreadableNodeError: the text is not a node; the message tells the user what to fix.
    """
    parts, values = fields.read(text, yaml_subset.load_mapping)
    try:
        return _node(values, parts, folder_type)
    except ValidationError as error:
        raise UnreadableNodeError(f"{error.field} {error.problem}") from None


def edit_node(text: str, after: Node, titles: Mapping[str, str]) -> str:
    """Return *text*, a node's file, updated to *after*; unchanged parts stay byte for byte.

    Raises:
        UnreadableNodeError: *text* is not a node.
    """
    before = read_node(text, after.type)
    after = fields.in_line_ends_of(text, before, after)
    parts = frontmatter.split(text)
    assert parts is not None  # read_node succeeded
    changes = fields.changed(_front(before), _front(after))
    front = frontmatter.edit(parts.front, changes, ORDER, parts.newline) if changes else parts.front
    return parts.opening + front + parts.closing + node_body.edited(parts.body, before, after, titles, parts.newline)


def write_front(node: Node) -> str:
    """Return the text of a file that holds only the frontmatter of *node*."""
    return f"---\n{fields.written(_front(node))}---\n"


def edit_front(text: str, before: Node, after: Node) -> str:
    """Return *text*, a file with the frontmatter of *before*, updated to *after*; all else stays byte for byte."""
    parts = frontmatter.split(text)
    assert parts is not None  # *before* was read from it
    changes = fields.changed(_front(before), _front(after))
    front = frontmatter.edit(parts.front, changes, ORDER, parts.newline) if changes else parts.front
    return parts.opening + front + parts.closing + parts.body


def _front(node: Node) -> dict[str, object | None]:
    own: dict[str, object | None] = {
        "id": node.id,
        "type": node.type.value,
        "title": node.title,
        "tags": list(node.tags),
        "confidence": node.confidence,
        "created": Unquoted(node.created) if node.created else None,
        "modified": Unquoted(node.modified) if node.modified else None,
        "session": node.session,
        "source": node.source,
        "status": node.status.value,
        "decision_status": node.decision_status.value if node.decision_status else None,
        "relations": [_relation_entry(r) for r in node.relations] or None,
        "references": list(node.references) or None,
    }
    return {**own, **node.extra}


def _relation_entry(relation: Relation) -> dict[str, object]:
    entry: dict[str, object] = {"type": relation.type.value, "target": relation.target}
    if relation.description is not None:
        entry["description"] = relation.description
    return {**entry, "confidence": relation.confidence, **dict(relation.extra)}


def _node(values: Mapping[str, Value], parts: Split, folder_type: NodeType | None) -> Node:
    id = _text(values, "id").lower()
    if not is_uuid4(id):
        raise UnreadableNodeError(f"id '{id[:40]}' is not a UUID v4" if id else "id is missing")
    title = _words(values, "title").strip()
    if not title:
        raise UnreadableNodeError("title is missing")
    type = node_type(_text(values, "type")) if values.get("type") or folder_type is None else folder_type
    modified = fields.moment("modified", _text(values, "modified")) or ""
    created = fields.moment("created", _text(values, "created")) or modified
    content = NodeBody.of(parts.body, title).content
    return Node(
        id=id,
        type=type,
        title=title,
        content=content,
        created=created,
        modified=modified or created,
        tags=_tags(values),
        relations=_relations(values),
        confidence=_number(values.get("confidence"), 0.9, "confidence"),
        session=_text(values, "session") or None,
        source=_text(values, "source") or "manual",
        references=tuple(_texts(values, "references")),
        status=node_status(_text(values, "status") or "active"),
        decision_status=decision_status(_text(values, "decision_status")) if values.get("decision_status") else None,
        extra=MappingProxyType({k: v for k, v in values.items() if k not in ORDER}),
    )


def _text(values: Mapping[str, Value], key: str) -> str:
    value = values.get(key, "")
    if not isinstance(value, str):
        raise UnreadableNodeError(f"{key} is not text")
    return "" if value in ("~", "null") else value


def _words(values: Mapping[str, Value], key: str) -> str:
    """Text that allows ``null`` as an ordinary word."""
    value = values.get(key, "")
    return value if isinstance(value, str) and value else _text(values, key)


def _texts(values: Mapping[str, Value], key: str) -> list[str]:
    value = values.get(key) or []
    items = [value] if isinstance(value, str) else value
    if not isinstance(items, list) or not all(isinstance(item, str) for item in items):
        raise UnreadableNodeError(f"{key} is not a list of texts")
    return [str(item) for item in items]


def _tags(values: Mapping[str, Value]) -> tuple[str, ...]:
    """The tags, normalised where possible; an invalid one that was written by hand is kept as it is."""
    tags: dict[str, None] = {}
    for tag in _texts(values, "tags"):
        try:
            tags[normal_tags([tag])[0]] = None
        except ValidationError:
            if tag.strip():
                tags[tag.strip()] = None
    return tuple(tags)


def _relations(values: Mapping[str, Value]) -> tuple[Relation, ...]:
    value = values.get("relations") or []
    if not isinstance(value, list):
        raise UnreadableNodeError("relations is not a list")
    return tuple(_relation(item) for item in value)


def _relation(item: Value) -> Relation:
    if not isinstance(item, dict) or not all(isinstance(v, str) for v in item.values()):
        raise UnreadableNodeError("relations has an entry that is not a mapping of texts")
    type: RelationType = relation_type(_text(item, "type"), "relations")
    target = _text(item, "target")
    if not target:
        raise UnreadableNodeError("relations has an entry without a target")
    keys = ("type", "target", "description", "confidence")
    return Relation(
        type=type,
        target=target.lower() if is_uuid4(target.lower()) else target,
        confidence=_number(item.get("confidence"), 0.8, "relations confidence"),
        description=_words(item, "description") if "description" in item else None,
        extra=tuple((k, str(v)) for k, v in item.items() if k not in keys),
    )


def _number(value: Value | None, default: float, field: str) -> float:
    if value is None or value == "":
        return default
    try:
        number = float(value) if isinstance(value, str) else float("nan")
    except ValueError:
        number = float("nan")
    if not 0.0 <= number <= 1.0:
        raise UnreadableNodeError(f"{field} '{str(value)[:40]}' is not a number from 0 to 1")
    return number
