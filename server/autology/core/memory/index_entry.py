"""A memory in the index: its searchable texts, its links, and its unique names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256

from autology.core.content.codec import clean
from autology.model.conversation import ASSISTANT
from autology.model.entry import MEMORY, Entry, Link
from autology.model.memory import Kind, Memory, Scope

TITLE = 120
"""Maximum characters of a title taken from a text's first line."""
LINKS = 200
"""Maximum links of one item."""
_TITLES = ("title", "name", "summary", "heading")
_MARKS = re.compile(r"^[\s#>*+\-`]+")


def entry_of(memory: Memory) -> Entry:
    """Return the index entry of *memory* without its content, redacted.

    Its links are edges of kind MEMORY: a relation's `source_id` and `target_id`, a todo's `depends_on`, an
    observation's `observes`, what a decision `supersedes`, `part_of` and `near_duplicate_of`.
    """
    fields = "\n".join([*texts(memory.data), *texts(memory.metadata)])
    return Entry(
        id=memory.id,
        kind=MEMORY,
        type=memory.kind.value,
        title=_clean(title_of(memory)),
        created=memory.created_at,
        modified=memory.updated_at,
        status="superseded" if memory.kind is Kind.DECISION and memory.data.get("status") == "superseded" else "active",
        tags=tuple(map(_clean, memory.tags)),
        aliases=tuple(names(memory)),
        links=tuple(_links(memory))[:LINKS],
        authors=tuple(map(_clean, texts(memory.metadata.get("author")))),
        trust=ASSISTANT,  # who stored it is unknown; most are stored by one
        extra_text=_clean(fields),
        org=memory.scope.org,
        scope_project=memory.scope.project,
        branch=memory.scope.branch,
        expires_at=memory.expires_at,
    )


def title_of(memory: Memory) -> str:
    """Return the title of *memory*: from its fields, else its first line."""
    for name in _TITLES:
        value = memory.data.get(name)
        if isinstance(value, str) and value.strip():
            return _line(value)
    return _line(next((line for line in memory.content.splitlines() if _MARKS.sub("", line).strip()), memory.content))


def names(memory: Memory) -> Iterator[str]:
    """Yield the names that must be unique among items of the kind and scope of *memory*."""
    yield same_content(memory.kind, memory.scope, memory.content_hash)
    if memory.idempotency_key:
        yield same_key(memory.scope, memory.idempotency_key)
    migration = memory.data.get("migration_id") if memory.kind is Kind.DDL else None
    if migration not in (None, ""):
        yield same_migration(memory.scope, str(migration))


def same_content(kind: Kind, scope: Scope, content_hash: str) -> str:
    """Return the name that items of one kind and scope with that content share."""
    return _name("content", scope, kind.value, content_hash)


def same_key(scope: Scope, key: str) -> str:
    """Return the name that items of one scope with that idempotency key share."""
    return _name("key", scope, key)


def same_migration(scope: Scope, migration_id: str) -> str:
    """Return the name that schema changes of one scope with that migration share."""
    return _name("migration", scope, migration_id)


def texts(value: object) -> Iterator[str]:
    """Yield every text and number in JSON values, as text."""
    if isinstance(value, bool) or value is None:
        return
    if isinstance(value, str):
        yield value
    elif isinstance(value, int | float):
        yield str(value)
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from texts(item)
    elif isinstance(value, Sequence):
        for item in value:
            yield from texts(item)


def _name(prefix: str, scope: Scope, *parts: str) -> str:
    every = (scope.org or "", scope.project or "", scope.branch or "", *parts)
    return f"{prefix} {sha256(chr(0).join(every).encode('utf-8', 'surrogatepass')).hexdigest()}"


def _links(memory: Memory) -> Iterator[Link]:
    data = memory.data
    if memory.kind is Kind.RELATION:
        description = str(data.get("relation_type") or "")[:TITLE]
        yield from _links_to("source_id", data.get("source_id"), description)
        yield from _links_to("target_id", data.get("target_id"), description)
    elif memory.kind is Kind.OBSERVATION:
        yield from _links_to("observes", data.get("entity_id"))
    elif memory.kind is Kind.TODO:
        yield from _links_to("depends_on", data.get("dependencies"))
    elif memory.kind is Kind.DECISION:
        yield from _links_to("supersedes", data.get("supersedes"))
    elif memory.kind is Kind.SECTION:
        yield from _links_to("part_of", data.get("document_id"))
    for value in (data.get("parent_id"), memory.metadata.get("parent_id")):
        yield from _links_to("part_of", value)
    yield from _links_to("near_duplicate_of", list(memory.near_duplicate_of))


def _links_to(type: str, value: object, description: str = "") -> Iterator[Link]:
    ids = value if isinstance(value, list | tuple) else [value]
    for id in ids:
        if isinstance(id, str | int) and str(id).strip():
            yield Link(type, str(id).strip()[:TITLE], description=_clean(description) or None)


def _line(text: str) -> str:
    plain = " ".join(_MARKS.sub("", text.strip()).split()) or " ".join(text.split())
    return plain if len(plain) <= TITLE else plain[: TITLE - 1].rstrip() + "…"


def _clean(text: str) -> str:
    return clean(text) if text else text
