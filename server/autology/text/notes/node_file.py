"""Nodes as markdown files: written, read back to the same value, edited without losing a byte."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
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
from autology.text.notes import fields, frontmatter, yaml_subset
from autology.text.notes.frontmatter import Split
from autology.text.notes.yaml_subset import Unquoted, Value

ORDER = tuple(
    "id type title tags confidence created modified session source status decision_status relations references".split()
)
"""The order of the keys in a node's frontmatter."""

_OPEN = "<!-- autology:related -->"
_CLOSE = "<!-- /autology:related -->"
# Only what we generate: a list with additions by hand is the author's, and stays content.
_BLOCK = re.compile(
    rf"^{_OPEN}\r?\n(?:## Related\r?\n)?(?:- \[\[[^\r\n]*\]\]\r?\n)*{_CLOSE}[ \t]*(?:\r?\n|\Z)",
    re.MULTILINE,
)


def write_node(node: Node, titles: Mapping[str, str]) -> str:
    """Return the text of a new file for *node*; *titles* are those of related nodes."""
    return f"---\n{fields.written(_front(node))}---\n{_body(node, titles, chr(10))}"


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
    return parts.opening + front + parts.closing + _edit_body(parts, before, after, titles)


@dataclass(frozen=True, slots=True)
class Generated:
    """The generated parts of a body, as they are there: the heading, and the list of related nodes."""

    head: str
    related: str | None


def generated(text: str, node: Node) -> Generated:
    """Return the generated parts of *text*, the file of *node*."""
    parts = frontmatter.split(text)
    assert parts is not None  # read_node succeeded
    taken = _parts_of(parts.body, node.title)
    return Generated(taken.head, parts.body[slice(*taken.block)] if taken.block else None)


def with_generated(text: str, node: Node, wanted: Generated) -> str:
    """Return the body of *text*, the file of *node*, with the generated parts *wanted* in their place."""
    parts = frontmatter.split(text)
    assert parts is not None  # read_node succeeded
    body = parts.body
    taken = _parts_of(body, node.title)
    related = f"{parts.newline}{wanted.related}" if wanted.related is not None else ""
    body = _with_block(body, taken, related, parts.newline)
    return wanted.head + body[len(taken.head) :] if taken.head and wanted.head else body


def related_list(node: Node, titles: Mapping[str, str], newline: str) -> str | None:
    """Return the list of related nodes as we write it; None if there is none to write."""
    return _related(node, titles, newline).removeprefix(newline) or None


_LABELLED = re.compile(r"^- \[\[([^\]|\r\n]+)\|([^\]\r\n]*)\]\]", re.MULTILINE)


def labels(related: str | None) -> dict[str, str]:
    """Return the titles in a list of related nodes, by id."""
    return dict(_LABELLED.findall(related or ""))


# ---- frontmatter -------------------------------------------------------------------------------


def _front(node: Node) -> dict[str, object | None]:
    own: dict[str, object | None] = {
        "id": node.id,
        "type": node.type.value,
        "title": node.title,
        "tags": list(node.tags),
        "confidence": node.confidence,
        "created": Unquoted(node.created),
        "modified": Unquoted(node.modified),
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
    modified = fields.moment("modified", _text(values, "modified"))
    created = fields.moment("created", _text(values, "created")) or modified or "1970-01-01T00:00:00Z"
    body = _parts_of(parts.body, title)
    return Node(
        id=id,
        type=type,
        title=title,
        content=body.content,
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


# ---- body --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _BodyParts:
    """A split body: ``head + content-with-its-surroundings``; offsets are into the body."""

    head: str  # the generated heading with the blank lines around it, "" without one
    content: str
    block: tuple[int, int] | None  # the generated list of related nodes


def _body(node: Node, titles: Mapping[str, str], newline: str) -> str:
    return f"{_head(node.title, newline)}{node.content}{newline}{_related(node, titles, newline)}"


def _head(title: str, newline: str) -> str:
    return f"{newline}# {title}{newline}{newline}"


def _related(node: Node, titles: Mapping[str, str], newline: str) -> str:
    if not node.relations:
        # Content that ends in such a list would lose it when parsed, if ours did not follow.
        return newline + newline.join((_OPEN, _CLOSE, "")) if _BLOCK.search(node.content) else ""
    targets = dict.fromkeys(relation.target for relation in node.relations)
    links = [f"- {wiki_link(target, titles.get(target))}" for target in targets]
    return newline + newline.join((_OPEN, "## Related", *links, _CLOSE, ""))


def wiki_link(target: str, title: str | None) -> str:
    """Return a link to the node *target* in Obsidian's syntax, with its *title* if known."""
    plain = re.sub(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]", " ", target)
    return f"[[{plain}|{title.translate(_LABEL)}]]" if title else f"[[{plain}]]"


_LABEL = str.maketrans({"[": "(", "]": ")", "|": "/", "\r": " ", "\n": " "})


def _parts_of(body: str, title: str) -> _BodyParts:
    head = _head_of(body, title)
    blocks = list(_BLOCK.finditer(body, len(head))) if _OPEN in body else []
    last = blocks[-1] if blocks else None
    if last is None:
        return _BodyParts(head, _without_newline(body[len(head) :], body), None)
    before = _without_newline(_without_newline(body[len(head) : last.start()], body), body)
    after = _without_newline(body[last.end() :], body)
    # Text that was added below the list is content too.
    content = before + _newline(body) * 2 + after.lstrip("\r\n") if after.strip() else before
    return _BodyParts(head, content, last.span())


_BLANK_END = re.compile(r"[ \t]*(?:(?:\r?\n){1,2}|\Z)")


def _head_of(body: str, title: str) -> str:
    """The generated heading with the blank lines around it, or empty if it was edited."""
    at = 2 if body.startswith("\r\n") else 1 if body.startswith("\n") else 0
    if not body.startswith(f"# {title}", at):
        return ""
    end = _BLANK_END.match(body, at + 2 + len(title))
    return body[: end.end()] if end else ""


def _newline(body: str) -> str:
    return "\r\n" if body.startswith("\r\n") else "\n"


def _without_newline(text: str, body: str) -> str:
    """*text* without the final newline that writing added: one, of the file's own kind."""
    return text.removesuffix(_newline(body))


def _edit_body(parts: Split, before: Node, after: Node, titles: Mapping[str, str]) -> str:
    body = parts.body
    if before.content != after.content:
        return _body(after, titles, parts.newline)
    taken = _parts_of(body, before.title)
    if before.relations != after.relations:
        body = _with_related(body, taken, after, titles, parts.newline)
    if before.title != after.title and taken.head:
        body = _head(after.title, parts.newline) + body[len(taken.head) :]
    reread = _parts_of(body, after.title)
    # If the edit would change what is parsed as content in this layout, the body is rewritten.
    return body if reread.content == after.content else _body(after, titles, parts.newline)


def _with_related(body: str, taken: _BodyParts, after: Node, titles: Mapping[str, str], newline: str) -> str:
    return _with_block(body, taken, _related(replace(after, content=taken.content), titles, newline), newline)


def _with_block(body: str, taken: _BodyParts, block: str, newline: str) -> str:
    """*body* with its list replaced by *block*, a newline and a list; "" removes it."""
    if taken.block is None:
        if not block:
            return body
        ended = body if body.endswith("\n") else body + newline
        return ended + block
    start, stop = taken.block
    if block:
        return body[:start] + block.removeprefix(newline) + body[stop:]
    before = body[:start]
    return (before.removesuffix(newline) if before.endswith(newline * 2) else before) + body[stop:]
