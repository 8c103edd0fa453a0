"""Rendering of memory status as JSON, for all front ends: health, counts, purges, audit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autology.core.memory import status
from autology.core.memory.purge import DueMemories, Purged
from autology.core.memory.status import Check, MemoryCounts, Overseen, Preview, Summary, overall
from autology.model.argument_limits import HEALTH, MEMORY_REPORTS, PREVIEW, STATS, SUMMARY
from autology.model.errors import ValidationError
from autology.model.hit import Source
from autology.model.memory import Memory, Scope
from autology.render.next_steps import for_tools
from autology.text.language.timestamps import stamp
from autology.text.sanitising import clean_line, each_text

Json = dict[str, Any]

LISTED = 100
"""Maximum items listed; counts cover all."""


def system(operation: str, overseen: Overseen) -> Json:
    """Return the view called *operation*, one of MEMORY_REPORTS. Raises ValidationError for any other."""
    if operation == HEALTH:
        view = health(status.health(overseen))
    elif operation == STATS:
        view = stats(status.stats(overseen.memories))
    elif operation == PREVIEW:
        view = preview(status.preview(overseen))
    elif operation == SUMMARY:
        view = summary(status.summary(overseen.audit, stamp(overseen.memories.now() - status.RECENT)))
    else:
        raise ValidationError("operation", f"unknown: '{operation[:40]}'", f"Use one of: {', '.join(MEMORY_REPORTS)}.")
    return {"success": True, "operation": operation, **view, "checked_at": overseen.memories.stamp()}


def health(checks: Sequence[Check]) -> Json:
    """Return ``{"status", "checks": [{name, status, message, step?}]}``."""
    listed = []
    for check in checks:
        entry = {"name": check.name, "status": check.status, "message": clean_line(for_tools(check.message), 500)}
        listed.append({**entry, "step": for_tools(check.step)} if check.step else entry)
    return {"status": overall(checks), "checks": listed}


def stats(totals: MemoryCounts) -> Json:
    """Return the counts."""
    return {
        "total": totals.total,
        "alive": totals.total - totals.expired,
        "expired": totals.expired,
        "permanent": totals.permanent,
        "by_kind": dict(totals.kinds),
        "by_scope": [{"scope": dict(scope), "items": count} for scope, count in totals.scopes],
        "in_project": totals.project,
        "of_user": totals.user,
        "in_trash": totals.trashed,
        "unreadable": totals.unreadable,
        "oldest": totals.oldest,
        "newest": totals.newest,
    }


def preview(plan: Preview) -> Json:
    """Return the effects of a purge, and the times of the last and the next one."""
    return {**due(plan.due), "last_purge": plan.last, "next_purge": plan.next}


def due(pending: DueMemories) -> Json:
    """Return the items that a purge would move, and those it would prolong."""
    listed: Json = {
        "expired": len(pending.expired),
        "items": [_source(source) for source in pending.expired[:LISTED]],
        "prolong": len(pending.prolong),
        "prolonged_items": [_source(source) for source in pending.prolong[:LISTED]],
    }
    more = max(0, len(pending.expired) - LISTED) + max(0, len(pending.prolong) - LISTED)
    return {**listed, "not_listed": more} if more else listed


def purged(result: Purged) -> Json:
    """Return the result of a purge."""
    listed: Json = {
        "moved": len(result.moved),
        "items": [_memory(memory) for memory in result.moved[:LISTED]],
        "prolonged": len(result.prolonged),
        "prolonged_items": [_memory(memory) for memory in result.prolonged[:LISTED]],
        "failed": [{"path": path, "reason": clean_line(reason, 500)} for path, reason in result.failed[:LISTED]],
    }
    return listed


def summary(audit: Summary) -> Json:
    """Return the audit summary."""
    return {
        "on": audit.state.on,
        "path": audit.state.path,
        "files": audit.state.files,
        "bytes": audit.state.bytes,
        "trouble": audit.state.trouble or None,
        "since": audit.since,
        "events": dict(audit.events),
        "levels": dict(audit.levels),
        "actors": {clean_line(name, 200): count for name, count in audit.actors.items()},
        "duplicates_skipped": audit.duplicates,
        "missed": audit.missed,
        "unreadable": audit.unreadable,
        "average_store_ms": audit.store_ms,
        "average_find_ms": audit.find_ms,
        "found_most": [{"id": clean_line(id, 100), "times": times} for id, times in audit.found_most],
        "latest_refusals": [plain(refusal) for refusal in audit.refusals],
    }


def plain(value: object) -> Any:
    """Return JSON values, as of an audit line, without terminal control characters."""
    return each_text(value, lambda text: clean_line(text, 1_000))


def _source(source: Source) -> Json:
    return {
        "id": source.id,
        "kind": source.type,
        "title": clean_line(source.title, 120),
        "scope": Scope(source.org, source.scope_project, source.branch).set_parts(),
        "expires_at": source.expires_at,
        "path": source.path,
    }


def _memory(memory: Memory) -> Json:
    scope = memory.scope.set_parts()
    return {"id": memory.id, "kind": memory.kind.value, "scope": scope, "expires_at": memory.expires_at}
