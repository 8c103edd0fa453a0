"""Calls: the memories of the project and its user, with how long each still lives."""

from __future__ import annotations

from typing import Any

from autology import reported
from autology.core.memory import status
from autology.model.entry import MEMORY
from autology.model.query import Filter
from autology.text.fence import clean_line
from autology.text.redact import redact
from autology.web.project import Project

Json = dict[str, Any]

LISTED = 2_000
"""Items listed at most; search finds the others."""


def memories(project: Project) -> Json:
    """Return the items, those that are over first, then by the end of their time; and the counts of all."""
    held = project.memories
    counts = reported.stats(status.stats(held))
    found = sorted(held.index.listed(Filter(kind=MEMORY), -1, ""), key=lambda each: each.expires_at or "~")
    items = [
        {
            "id": source.id,
            "kind": source.type,
            "title": clean_line(redact(source.title)[0], 160),
            "created": source.created,
            "expires_at": source.expires_at,
            "scope": [part for part in (source.org, source.scope_project, source.branch) if part],
            "of_user": held.root_of(source.path) is held.roots[1],
        }
        for source in found[:LISTED]
    ]
    return {"items": items, "now": held.stamp(), "counts": counts, "not_listed": max(0, len(found) - LISTED)}
