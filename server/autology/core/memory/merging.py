"""Merging new fields into a stored item."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from autology.core.memory.expiry import expires_at
from autology.core.memory.item_input import ItemInput
from autology.model.memory import Kind, Memory, content_hash

COMBINE, EXISTING = "combine", "prefer_existing"


def merged(before: Memory, item: ItemInput, now: str) -> Memory:
    """Return *before* changed by *item*; its `updated_at` stays, so that a merge without changes compares equal.

    By `prefer_newer` the new fields replace the stored ones; by `prefer_existing` they only fill missing ones; by
    `combine` lists are united, and contents that differ are joined by a blank line.
    """
    content = _content(before.content, item.content, item.merge)
    data = _fields(before.data, item.data, item.merge)
    after = replace(
        before,
        content=content,
        content_hash=content_hash(content),
        data=MappingProxyType(data),
        metadata=MappingProxyType(_fields(before.metadata, item.metadata, item.merge)),
        tags=_tags(before.tags, item.tags, item.merge),
        ttl_policy=item.ttl_policy or before.ttl_policy,
        idempotency_key=item.idempotency_key or before.idempotency_key,
    )
    return replace(after, expires_at=_expiry(before, after, item, now))


def _expiry(before: Memory, after: Memory, item: ItemInput, now: str) -> str | None:
    """Return the new expiry: a new lifetime, or an expired one, counts from now; others only change by a merge."""
    if item.ttl_policy is not None or before.expired(now):
        return expires_at(after.kind, after.ttl_policy, now, after.data)
    if after.kind is Kind.PR_CONTEXT and after.data != before.data:
        return expires_at(after.kind, after.ttl_policy, after.created_at, after.data)
    return before.expires_at


def _content(before: str, new: str | None, merge: str) -> str:
    if new is None or merge == EXISTING:
        return before
    if merge != COMBINE:
        return new
    if content_hash(before) == content_hash(new) or new.strip() in before:
        return before
    return new if before.strip() in new else f"{before.rstrip()}\n\n{new}"


def _fields(before: Mapping[str, object], new: Mapping[str, object] | None, merge: str) -> dict[str, object]:
    fields = dict(before)
    for name, value in (new or {}).items():
        existing = fields.get(name)
        if existing is None:
            fields[name] = value
        elif merge == EXISTING:
            continue
        elif merge == COMBINE and isinstance(existing, list) and isinstance(value, list):
            fields[name] = existing + [item for item in value if item not in existing]
        elif merge == COMBINE and isinstance(existing, Mapping) and isinstance(value, Mapping):
            fields[name] = _fields(existing, value, merge)
        else:
            fields[name] = value
    return fields


def _tags(before: tuple[str, ...], new: tuple[str, ...] | None, merge: str) -> tuple[str, ...]:
    if new is None or (merge == EXISTING and before):
        return before
    return tuple(dict.fromkeys((*before, *new))) if merge == COMBINE else new
