"""Memory items as markdown files: written, read back to the same value, edited without losing a byte."""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import MappingProxyType

from autology.model.errors import UnreadableNodeError, ValidationError
from autology.model.memory import Kind, Memory, Scope, check_id, content_hash, kind
from autology.text.notes import fields, frontmatter, yaml_subset
from autology.text.notes.yaml_subset import Unquoted

ORDER = tuple(
    "id kind scope tags created_at updated_at expires_at ttl_policy content_hash idempotency_key"
    " near_duplicate_of data metadata".split()
)
"""The order of the keys in a memory's frontmatter."""


def write_memory(memory: Memory) -> str:
    """Return the text of a new file for *memory*."""
    return f"---\n{fields.written(_front(memory))}---\n\n{memory.content}\n"


def edit_memory(text: str, after: Memory) -> str:
    """Return *text*, a memory's file, updated to *after*; unchanged parts stay byte for byte.

    Raises:
        UnreadableNodeError: *text* is not a memory.
    """
    before = read_memory(text, after.kind)
    after = fields.in_line_ends_of(text, before, after)
    parts = frontmatter.split(text)
    assert parts is not None  # read_memory succeeded
    changes = fields.changed(_front(before), _front(after))
    front = _edited(parts, changes, after) if changes else parts.front
    body = parts.body if before.content == after.content else parts.newline + after.content + parts.newline
    return parts.opening + front + parts.closing + body


def _edited(parts: frontmatter.Split, changes: Mapping[str, object | None], after: Memory) -> str:
    front = frontmatter.edit(parts.front, changes, ORDER, parts.newline)
    if _typed_values(_memory(yaml_subset.load_typed(front), after.content, after.kind)) == _typed_values(after):
        return front
    # A rewritten layout was written from text: numbers and truth values have to be written as such.
    return fields.written(_front(after), parts.newline)


def _typed_values(memory: Memory) -> str:
    """Return the typed values of *memory*, in a form in which 1, 1.0, true and "1" are four values."""
    return json.dumps([dict(memory.data), dict(memory.metadata), dict(memory.extra)], sort_keys=True, default=dict)


def read_memory(text: str, folder_kind: Kind | None = None) -> Memory:
    """Return the memory in *text*; *folder_kind* is the kind by its folder.

    Raises:
        UnreadableNodeError: the text is not a memory; the message tells the user what to fix.
    """
    parts, values = fields.read(text, yaml_subset.load_typed)
    newline = "\r\n" if parts.body.startswith("\r\n") else "\n"
    content = parts.body.removeprefix(newline).removesuffix(newline)
    try:
        return _memory(values, content, folder_kind)
    except ValidationError as error:
        raise UnreadableNodeError(f"{error.field} {error.problem}") from None


def _front(memory: Memory) -> dict[str, object | None]:
    own: dict[str, object | None] = {
        "id": memory.id,
        "kind": memory.kind.value,
        "scope": memory.scope.set_parts() or None,
        "tags": list(memory.tags) or None,
        "created_at": Unquoted(memory.created_at),
        "updated_at": Unquoted(memory.updated_at),
        "expires_at": Unquoted(memory.expires_at) if memory.expires_at else None,
        "ttl_policy": memory.ttl_policy,
        "content_hash": memory.content_hash or None,
        "idempotency_key": memory.idempotency_key,
        "near_duplicate_of": list(memory.near_duplicate_of) or None,
        "data": yaml_subset.typed(memory.data) if memory.data else None,
        "metadata": yaml_subset.typed(memory.metadata) if memory.metadata else None,
    }
    return {**own, **{key: yaml_subset.typed(value) for key, value in memory.extra.items()}}


def _memory(values: Mapping[str, object], content: str, folder_kind: Kind | None) -> Memory:
    id = _text(values, "id")
    if not id:
        raise UnreadableNodeError("id is missing")
    updated_at = fields.moment("updated_at", _text(values, "updated_at"))
    created = fields.moment("created_at", _text(values, "created_at")) or updated_at or "1970-01-01T00:00:00Z"
    scope = _mapping(values, "scope")
    return Memory(
        id=check_id(id),
        kind=kind(_text(values, "kind")) if values.get("kind") or folder_kind is None else folder_kind,
        content=content,
        scope=Scope(_text(scope, "org") or None, _text(scope, "project") or None, _text(scope, "branch") or None),
        created_at=created,
        updated_at=updated_at or created,
        expires_at=fields.moment("expires_at", _text(values, "expires_at")),
        # A text edited by hand has another hash than the file says.
        content_hash=content_hash(content),
        data=MappingProxyType(_mapping(values, "data")),
        metadata=MappingProxyType(_mapping(values, "metadata")),
        tags=tuple(_texts(values, "tags")),
        ttl_policy=_text(values, "ttl_policy") or None,
        idempotency_key=_text(values, "idempotency_key") or None,
        near_duplicate_of=tuple(_texts(values, "near_duplicate_of")),
        extra=MappingProxyType({key: value for key, value in values.items() if key not in ORDER}),
    )


def _text(values: Mapping[str, object], key: str) -> str:
    value = values.get(key)
    if value is None:
        return ""
    if isinstance(value, list | dict):
        raise UnreadableNodeError(f"{key} is not text")
    return value if isinstance(value, str) else str(yaml_subset.typed(value))


def _texts(values: Mapping[str, object], key: str) -> list[str]:
    value = values.get(key)
    items = value if isinstance(value, list) else [] if value in (None, "") else [value]
    return [text for item in items if (text := _text({key: item}, key).strip())]


def _mapping(values: Mapping[str, object], key: str) -> dict[str, object]:
    value = values.get(key)
    if value is None or value == "":
        return {}
    if not isinstance(value, dict):
        raise UnreadableNodeError(f"{key} is not a mapping")
    return value
