"""Calls: the memories of the project and its user, with their expiry."""

from __future__ import annotations

from typing import Any

from autology.core.memory import status
from autology.render import memory_status
from autology.text.redaction import redact
from autology.text.sanitising import clean_line
from autology.wire.project import Project

Json = dict[str, Any]

LISTED = 2_000
"""Maximum items listed; search finds the others."""


def memories(project: Project) -> Json:
    """Return the items, ordered by expiry, expired ones first; and the counts of all."""
    store = project.memories
    counts = memory_status.stats(status.stats(store))
    sources = sorted(store.sources(), key=lambda source: source.expires_at or "~")
    items = [
        {
            "id": source.id,
            "kind": source.type,
            "title": clean_line(redact(source.title)[0], 160),
            "created": source.created,
            "expires_at": source.expires_at,
            "scope": [part for part in (source.org, source.scope_project, source.branch) if part],
            "of_user": store.root_of(source.path) is store.roots[1],
        }
        for source in sources[:LISTED]
    ]
    return {"items": items, "now": store.stamp(), "counts": counts, "not_listed": max(0, len(sources) - LISTED)}
