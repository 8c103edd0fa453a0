"""What finding memories returns, as data: one way for every front."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from autology.core.memory.find import FAST, FoundMemories, Item
from autology.model.memory import CONTENT_BYTES, Scope
from autology.text.fence import clean_line, visible
from autology.text.redact import redact

Json = dict[str, Any]

BUDGET = 400_000
"""Characters of content in an answer; only an item that is longer by itself gets more, as much as one may hold."""
CUT = 2_000
"""Characters of an item that is past the budget."""
NESTED = 32
"""Levels of lists and objects that are shown of what a caller added."""


def found(done: FoundMemories, audit_logged: bool = False) -> Json:
    """Return an answer: ``{"success", "items", "total", "query_metadata", "audit_metadata"}``."""
    request, expanded = done.request, done.expanded
    filters: Json = {"types": list(request.types), "scope": _scope(request.scope)}
    if request.include_expired:
        filters["include_expired"] = True
    items = _items(done)
    entry: Json = {
        "success": True,
        "items": items,
        "total": len(items),
        "query_metadata": {
            "mode": request.mode,
            "total_found": done.total_found,
            "search_time": done.duration_ms,
            "query_processed": _shown(done.query),
            "semantic_threshold": None if request.mode == FAST else done.threshold,
            "filters_applied": filters,
            "chunks_reassembled": sum(item.chunks for item in done.items if item.chunks > 1),
            "graph_expansion": request.expand,
            "expansion_stats": None
            if expanded is None
            else {
                "items_before": done.began,
                "items_added": len(expanded.added),
                "relations_followed": expanded.relations,
            },
        },
        "audit_metadata": {
            "query_id": done.query_id,
            "duration_ms": done.duration_ms,
            "audit_logged": audit_logged,
        },
    }
    return {**entry, "degraded": [clean_line(note, 1_000) for note in done.notes]} if done.notes else entry


def _items(done: FoundMemories) -> list[Json]:
    left = BUDGET
    shown = []
    for number, item in enumerate(done.items):
        entry = _item(item, max(left, CUT) if number else CONTENT_BYTES)
        left -= len(entry["content"])
        shown.append(entry)
    return shown


def _item(item: Item, characters: int) -> Json:
    """Return *item* with what its caller stored; its own fields and tags where it has any."""
    content = _shown(item.content)
    entry: Json = {
        "id": item.id,
        "kind": item.kind,
        "content": content[:characters],
        "scope": _scope(item.scope),
        "metadata": _plain(item.metadata),
        "created_at": item.created_at,
        "updated_at": item.updated_at,
        "_searchScore": round(item.score, 4),
        "_isReassembled": item.chunks > 1,
    }
    if item.chunks > 1:
        entry |= {"original_chunks": item.chunks, "chunk_ids": list(item.chunk_ids)}
    if item.data:
        entry["data"] = _plain(item.data)
    if item.tags:
        entry["tags"] = [_shown(tag) for tag in item.tags]
    if len(content) > characters:
        entry["content_truncated"] = True
    return entry


def _scope(scope: Scope | None) -> Json:
    return {name: _shown(part) for name, part in scope.given().items()} if scope else {}


def _plain(value: object, level: int = 0) -> Any:
    """Return JSON values with every text as it may be shown."""
    if isinstance(value, str):
        return _shown(value)
    if isinstance(value, Mapping):
        return {_shown(str(key)): _plain(item, level + 1) for key, item in value.items()} if level < NESTED else {}
    if isinstance(value, list | tuple):
        return [_plain(item, level + 1) for item in value] if level < NESTED else []
    return value


def _shown(text: str) -> str:
    """*text* without what nobody sees and without secrets, its line ends as they are.

    Cleaned first: what hides in a secret would hide it.
    """
    return redact("\r\n".join(visible(part) for part in text.split("\r\n")))[0]
