"""What a memory leads to: the items and nodes that its fields name, as edges of the index."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from autology.model.entry import Link
from autology.model.memory import Kind, Memory

SOURCE, TARGET = "SOURCE", "TARGET"
"""From an item that is a relation to its two ends."""
PART_OF, OBSERVES, DEPENDS_ON, SUPERSEDES = "PART_OF", "OBSERVES", "DEPENDS_ON", "SUPERSEDES"
NEAR_DUPLICATE_OF = "NEAR_DUPLICATE_OF"
LIMIT = 100
"""Characters of an id that can name anything."""

_FIELDS: Mapping[str, str] = {"parent_id": PART_OF, "document_id": PART_OF, "supersedes": SUPERSEDES}
_OWN: Mapping[Kind, Mapping[str, str]] = {
    Kind.RELATION: {"source_id": SOURCE, "target_id": TARGET},
    Kind.OBSERVATION: {"entity_id": OBSERVES},
    Kind.TODO: {"dependencies": DEPENDS_ON},
}


def links_of(memory: Memory) -> tuple[Link, ...]:
    """Return the edges that *memory* makes, each once; a relation's are described by its type."""
    said = str(memory.data.get("relation_type") or "")[:LIMIT] if memory.kind is Kind.RELATION else ""
    found = {(type, id): Link(type, id, description=said or None) for type, id in _named(memory)}
    return tuple(found.values())


def _named(memory: Memory) -> Iterator[tuple[str, str]]:
    for name, type in {**_FIELDS, **_OWN.get(memory.kind, {})}.items():
        for id in _ids(memory.data.get(name)):
            if id != memory.id:
                yield type, id
    for id in memory.near_duplicate_of:
        yield NEAR_DUPLICATE_OF, id


def _ids(value: object) -> Iterator[str]:
    for id in value if isinstance(value, list | tuple) else [value]:
        if isinstance(id, str) and 0 < len(id.strip()) <= LIMIT:
            yield id.strip()
