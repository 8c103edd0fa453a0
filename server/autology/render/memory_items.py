"""Rendering of memory store and find results as JSON, for all front ends."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from autology.core.memory.audited_memories import AuditedCall
from autology.core.memory.chunks import ChunkStats
from autology.core.memory.find import FoundMemories, FoundMemory
from autology.core.memory.store_result import (
    BLOCKED,
    DELETED,
    SKIPPED,
    STORED,
    UPDATED,
    Outcome,
    Problem,
    StoreResult,
)
from autology.model.argument_limits import FAST
from autology.model.memory import CONTENT_BYTES, Kind, Memory, Scope
from autology.ranking.answer_wording import left_out
from autology.render.degradation_notes import noted
from autology.render.verdicts import verdict_data
from autology.text.redaction import redact
from autology.text.sanitising import clean_line, visible

Json = dict[str, Any]

RULES = ("BUSINESS_RULE_VIOLATION", "IMMUTABILITY_VIOLATION")
BUDGET = 400_000
"""Characters of content per answer; the first item is shown in full, up to the size limit."""
MIN_CHARACTERS = 2_000
"""Characters shown of an item once the budget is used up."""
NEAREST = 300
"""Characters shown of an item that is only the nearest."""
MAX_DEPTH = 32
"""Maximum nesting of a caller's data that is shown."""


def find_result(result: FoundMemories, call: AuditedCall) -> Json:
    """Return an answer: ``{"success", "items", "total", "query_metadata", "audit_metadata"}``."""
    request, expanded = result.request, result.expanded
    filters: Json = {"types": list(request.types), "scope": _scope(request.scope)}
    if request.include_expired:
        filters["include_expired"] = True
    items = _items(result)
    entry: Json = {
        "success": True,
        "items": items,
        "total": len(items),
        "query_metadata": {
            "mode": request.mode,
            "total_found": result.total_found,
            "search_time": call.duration_ms,
            "query_processed": _shown(request.query),
            "semantic_threshold": None if request.mode == FAST else result.threshold,
            "filters_applied": filters,
            "chunks_reassembled": sum(item.chunks for item in result.items if item.chunks > 1),
            "graph_expansion": request.expand,
            "expansion_stats": None
            if expanded is None
            else {
                "items_before": result.began,
                "items_added": len(expanded.added),
                "relations_followed": expanded.relations,
            },
        },
        "audit_metadata": {
            "query_id": call.id,
            "duration_ms": call.duration_ms,
            "audit_logged": call.audit_logged,
        },
    }
    entry |= verdict_data(result.verdict)
    if result.nearest:
        entry["nearest"] = [_item(item, NEAREST) for item in result.nearest]
    if result.left_out:
        entry["more"] = f"{left_out(result.left_out)}: pass limit."
    return noted(entry, result.notes)


def stored(result: StoreResult, call: AuditedCall) -> Json:
    """Return the result of storing items."""
    milliseconds = call.duration_ms
    errors = sum(problem.error_code not in RULES for problem in result.problems)
    entry: Json = {
        "success": not result.problems,
        "stored": result.count(STORED),
        "stored_items": [_outcome(outcome) for outcome in result.outcomes],
        "errors": [_problem(problem) for problem in result.problems],
        "summary": {
            "stored": result.count(STORED),
            "updated": result.count(UPDATED),
            "deleted": result.count(DELETED),
            "skipped_dedupe": result.count(SKIPPED),
            "business_rule_blocked": result.count(BLOCKED),
            "validation_error": errors,
            "total": result.total,
        },
        "autonomous_context": {
            "operations_summary": {
                "total_items": result.total,
                "successful_stores": result.count(STORED, UPDATED),
                "duplicates_skipped": result.count(SKIPPED),
                "validation_errors": errors,
                "business_rule_blocks": result.count(BLOCKED),
            },
            "duplicate_detection_stats": {
                "contentHashMatches": result.stats.content_hash_matches,
                "semanticSimilarityMatches": result.stats.semantic_similarity_matches,
                "totalChecks": result.stats.total_checks,
            },
            "knowledge_graph_changes": _changes(result),
            "performance_metrics": {
                "total_duration": milliseconds,
                "average_item_duration": round(milliseconds / result.total, 3),
                "chunking_efficiency": _chunking(result.chunked),
            },
        },
        "total": result.total,
        "audit_metadata": {"batch_id": call.id, "duration_ms": milliseconds, "audit_logged": call.audit_logged},
    }
    return noted(entry, result.notes)


def memory(stored: Memory, now: str) -> Json:
    """Return a complete memory item, and whether it is expired at *now*."""
    return {
        "id": stored.id,
        "kind": stored.kind.value,
        "content": _shown(stored.content),
        "scope": _scope(stored.scope),
        "data": _plain(stored.data),
        "metadata": _plain(stored.metadata),
        "tags": [_shown(tag) for tag in stored.tags],
        "created_at": stored.created_at,
        "updated_at": stored.updated_at,
        "expires_at": stored.expires_at,
        "expired": stored.expired(now),
        "ttl_policy": stored.ttl_policy,
        "content_hash": stored.content_hash,
        "near_duplicate_of": list(stored.near_duplicate_of),
    }


def _outcome(outcome: Outcome) -> Json:
    entry: Json = {
        "input_index": outcome.input_index,
        "status": outcome.status,
        "kind": outcome.memory.kind.value,
        "id": outcome.id,
        "created_at": outcome.memory.created_at,
    }
    optional = {"reason": outcome.reason and clean_line(outcome.reason, 1_000), "existing_id": outcome.existing_id}
    return {**entry, **{name: value for name, value in optional.items() if value is not None}}


def _problem(problem: Problem) -> Json:
    details = {"item_kind": problem.item_kind, "item_id": problem.item_id}
    return {
        "index": problem.index,
        "error_code": problem.error_code,
        "message": clean_line(problem.message, 1_000),
        "details": {name: value and clean_line(value, 100) for name, value in details.items()},
    }


def _changes(result: StoreResult) -> Json:
    new = [outcome for outcome in result.outcomes if outcome.status == STORED]
    kinds = [outcome.memory.kind for outcome in new]
    return {
        "entities_created": kinds.count(Kind.ENTITY),
        "relations_created": kinds.count(Kind.RELATION),
        "observations_added": kinds.count(Kind.OBSERVATION),
        "decisions_recorded": kinds.count(Kind.DECISION),
        "items_updated": result.count(UPDATED),
        "items_removed": result.count(DELETED),
        "near_duplicates_linked": sum(bool(outcome.memory.near_duplicate_of) for outcome in new),
    }


def _chunking(chunked: ChunkStats) -> Json:
    return {
        "items_chunked": chunked.items,
        "chunks": chunked.chunks,
        "average_chunk_characters": round(chunked.characters / chunked.chunks) if chunked.chunks else 0,
        "topic_shifts": chunked.shifts,
        "coherence": None if chunked.coherence is None else round(chunked.coherence, 4),
    }


def _items(result: FoundMemories) -> list[Json]:
    remaining = BUDGET
    shown = []
    for number, item in enumerate(result.items):
        entry = _item(item, max(remaining, MIN_CHARACTERS) if number else CONTENT_BYTES)
        remaining -= len(entry["content"])
        shown.append(entry)
    return shown


def _item(item: FoundMemory, characters: int) -> Json:
    """Return *item* with its caller's data and tags, if any."""
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
    if item.whose:
        entry["source"] = clean_line(item.whose, 300)
    if item.chunks > 1:
        entry |= {"original_chunks": item.chunks, "chunk_ids": list(item.chunk_ids)}
    if item.data:
        entry["data"] = _plain(item.data)
    if item.tags:
        entry["tags"] = [_shown(tag) for tag in item.tags]
    if len(content) > characters:
        entry["content_truncated"] = True
        call = {"query": item.id, "mode": "fast", "limit": 1}
        entry["read_rest"] = f"memory_find {json.dumps(call)}"
    return entry


def _scope(scope: Scope | None) -> Json:
    return {name: _shown(part) for name, part in scope.set_parts().items()} if scope else {}


def _plain(value: object, level: int = 0) -> Any:
    """Return JSON values with every text cleaned and redacted."""
    if isinstance(value, str):
        return _shown(value)
    if isinstance(value, Mapping):
        return {_shown(str(key)): _plain(item, level + 1) for key, item in value.items()} if level < MAX_DEPTH else {}
    if isinstance(value, list | tuple):
        return [_plain(item, level + 1) for item in value] if level < MAX_DEPTH else []
    return value


def _shown(text: str) -> str:
    """Return *text* without invisible characters and secrets, with its line ends.

    Cleaned first, because hidden characters could hide a secret.
    """
    return redact("\r\n".join(visible(part) for part in text.split("\r\n")))[0]
