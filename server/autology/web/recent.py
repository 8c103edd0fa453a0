"""Calls: the notes that were written or changed in the last days."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from autology.model.hit import Source
from autology.model.query import Filter
from autology.text.language.timestamps import stamp
from autology.web.project import PageProject
from autology.web.snapshot import CLAUDE, title_of

Json = dict[str, Any]

ITEMS = 40
"""Maximum notes listed."""
LONGEST = 366
"""Maximum days that can be asked for."""


def recent(project: PageProject, days: int = 7) -> Json:
    """Return the notes that were written or changed in the last *days*, latest first; Claude's can be undone."""
    project.graph.catch_up()
    since = stamp(datetime.now(UTC) - timedelta(days=min(max(days, 1), LONGEST)))
    changed = [source for source in project.graph.index.listed(Filter(), -1, "") if source.modified >= since]
    changed.sort(key=lambda source: source.modified, reverse=True)
    return {"notes": [_item(source, since) for source in changed[:ITEMS]], "more": len(changed) > ITEMS}


def _item(source: Source, since: str) -> Json:
    item = {"id": source.id, "title": title_of(source), "type": source.type, "modified": source.modified}
    if source.created < since:
        return {**item, "kind": "changed"}
    if not source.session:
        return {**item, "kind": "created"}
    return {**item, "kind": "created", "by": CLAUDE, "undo": {"call": "delete", "arguments": {"id": source.id}}}
