"""Relations to a deleted node: how its record in the trash keeps them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from autology.core.content.trash import Trashed
from autology.model.node import Relation, RelationType

Incoming = tuple[str, int, Relation]
"""A relation's source, its place there, and the relation."""


def written(source: str, at: int, relation: Relation) -> dict[str, object]:
    """Return the *relation* that stands at that place in *source* as a record keeps it."""
    return {
        "source": source,
        "at": at,
        "type": relation.type.value,
        "confidence": relation.confidence,
        "description": relation.description,
        "extra": dict(relation.extra),
    }


def incoming(item: Trashed) -> tuple[Incoming, ...]:
    """Return the relations that led to *item*. Raises ValueError, KeyError or TypeError where its record is no such."""
    return tuple((str(e["source"]), int(e.get("at", -1)), _read(e, item.id)) for e in item.record["incoming"])


def _read(entry: dict[str, Any], target: str) -> Relation:
    extra, described = entry.get("extra"), entry.get("description")
    return replace(
        Relation(RelationType(str(entry["type"])), target, float(str(entry["confidence"]))),
        description=str(described) if described is not None else None,
        extra=tuple(extra.items()) if isinstance(extra, dict) else (),
    )
