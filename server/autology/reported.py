"""What is told of memories as a whole: their health and counts, a purge, the audit; one way for every front."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from autology.core.memory import status
from autology.core.memory.purge import Due, Purged
from autology.core.memory.status import Check, Overseen, Preview, Stats, Summary, overall
from autology.model.errors import ValidationError
from autology.model.hit import Source
from autology.model.memory import Memory
from autology.text.fence import clean_line
from autology.text.times import stamp

Json = dict[str, Any]

LISTED = 100
"""Items that are named; the counts are of all."""


HEALTH, STATS, PREVIEW, SUMMARY = "health", "stats", "purge_preview", "audit_summary"
OPERATIONS = (HEALTH, STATS, PREVIEW, SUMMARY)


def system(operation: str, seen: Overseen) -> Json:
    """Return the view called *operation*, one of OPERATIONS. Raises ValidationError where there is none such."""
    if operation == HEALTH:
        told = health(status.health(seen))
    elif operation == STATS:
        told = stats(status.stats(seen.memories))
    elif operation == PREVIEW:
        told = preview(status.preview(seen))
    elif operation == SUMMARY:
        told = summary(status.summary(seen.audit, stamp(seen.memories.now() - status.RECENT)))
    else:
        raise ValidationError("operation", f"'{operation[:40]}' is none", f"Use one of: {', '.join(OPERATIONS)}.")
    return {"success": True, "operation": operation, **told, "checked_at": seen.memories.stamp()}


def health(checks: Sequence[Check]) -> Json:
    """Return ``{"status", "checks": [{name, status, message, step?}]}``."""
    listed = []
    for check in checks:
        entry = {"name": check.name, "status": check.status, "message": clean_line(check.message, 500)}
        listed.append({**entry, "step": check.step} if check.step else entry)
    return {"status": overall(checks), "checks": listed}


def stats(found: Stats) -> Json:
    """Return the counts."""
    return {
        "total": found.total,
        "alive": found.total - found.expired,
        "expired": found.expired,
        "permanent": found.permanent,
        "by_kind": dict(found.kinds),
        "by_scope": [{"scope": dict(scope), "items": many} for scope, many in found.scopes],
        "in_project": found.project,
        "of_user": found.user,
        "in_trash": found.trashed,
        "unreadable": found.unreadable,
        "oldest": found.oldest,
        "newest": found.newest,
    }


def preview(found: Preview) -> Json:
    """Return what a purge would do, and when one was and will be."""
    return {**due(found.due), "last_purge": found.last, "next_purge": found.next}


def due(found: Due) -> Json:
    """Return the items that a purge would move, and those it would prolong."""
    told: Json = {
        "expired": len(found.expired),
        "items": [_source(source) for source in found.expired[:LISTED]],
        "prolong": len(found.prolong),
        "prolonged_items": [_source(source) for source in found.prolong[:LISTED]],
    }
    more = max(0, len(found.expired) - LISTED) + max(0, len(found.prolong) - LISTED)
    return {**told, "not_listed": more} if more else told


def purged(done: Purged) -> Json:
    """Return what a purge did."""
    told: Json = {
        "moved": len(done.moved),
        "items": [_memory(memory) for memory in done.moved[:LISTED]],
        "prolonged": len(done.prolonged),
        "prolonged_items": [_memory(memory) for memory in done.prolonged[:LISTED]],
        "failed": [{"path": path, "reason": clean_line(reason, 500)} for path, reason in done.failed[:LISTED]],
    }
    return told


def summary(found: Summary) -> Json:
    """Return what the audit tells."""
    return {
        "on": found.state.on,
        "path": found.state.path,
        "files": found.state.files,
        "bytes": found.state.bytes,
        "trouble": found.state.trouble or None,
        "since": found.since,
        "events": dict(found.events),
        "levels": dict(found.levels),
        "actors": {clean_line(name, 200): many for name, many in found.actors.items()},
        "duplicates_skipped": found.duplicates,
        "missed": found.missed,
        "unreadable": found.unreadable,
        "average_store_ms": found.store_ms,
        "average_find_ms": found.find_ms,
        "found_most": [{"id": clean_line(id, 100), "times": times} for id, times in found.found_most],
        "latest_refusals": [entry(each) for each in found.refusals],
    }


def entry(found: Mapping[str, object]) -> Json:
    """Return a line of the audit, without what would act on a terminal."""
    told: Json = _plain(found)
    return told


def _plain(value: object) -> Any:
    if isinstance(value, str):
        return clean_line(value, 1_000)
    if isinstance(value, Mapping):
        return {clean_line(str(key), 100): _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list) else value


def _source(source: Source) -> Json:
    parts = (("org", source.org), ("project", source.scope_project), ("branch", source.branch))
    return {
        "id": source.id,
        "kind": source.type,
        "title": clean_line(source.title, 120),
        "scope": {name: part for name, part in parts if part is not None},
        "expires_at": source.expires_at,
        "path": source.path,
    }


def _memory(memory: Memory) -> Json:
    scope = memory.scope.given()
    return {"id": memory.id, "kind": memory.kind.value, "scope": scope, "expires_at": memory.expires_at}
