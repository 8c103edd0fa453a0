"""Calls: the commits that changed a note's or document's file, and what they changed."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from autology.core.documents.lookup import find
from autology.core.nodes.revisions import FileRevisions, Revision, compared
from autology.model.entry import NODE
from autology.model.errors import NotFoundError, ValidationError
from autology.model.hit import Source
from autology.model.node import NODES, TITLE_LIMIT
from autology.text.documents.readable_diff import Comparison
from autology.text.redaction import redact
from autology.text.sanitising import clean_line, visible
from autology.wire.project import Project

Json = dict[str, Any]

COMMITS = 50
"""Maximum commits listed."""
UNCOMMITTED = "uncommitted"
"""The name of the text on disk, where it is not the committed one."""
BEFORE, NOW = "before", "now"
"""What a commit's text is compared with: that of the commit before it, or the present one."""
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")


def history(project: Project, id: str) -> Json:
    """Return the commits that changed the file of a note or document, and whether its text is committed."""
    source, text = _current(project, id)
    known = project.revisions.of(source.path, COMMITS)
    if known is None:
        return {"path": source.path, "state": "no git", "commits": []}
    committed = project.revisions.text(known.revisions[0]) if known.revisions else None
    state = "new" if not known.revisions else "committed" if committed == _plain(text) else "changed"
    commits = [
        {
            "id": one.id,
            "at": one.at,
            "author": _line(one.author, 100),
            "subject": _line(one.subject, 300),
            **({"path": _line(one.path, 1_000)} if _is_moved(one, known) else {}),
        }
        for one in known.revisions
    ]
    return {
        "path": source.path,
        "state": state,
        "commits": commits,
        "more": known.more,
        "shallow": known.shallow,
    }


def comparison(project: Project, id: str, commit: str, base: str = BEFORE) -> Json:
    """Return what *commit* changed, or what has changed since it, by section.

    The text on disk, :data:`UNCOMMITTED`, is compared with the one that was committed last.
    """
    if base not in (BEFORE, NOW):
        raise ValidationError("base", f"'{base[:40]}' is unknown", f"Use one of: {BEFORE}, {NOW}.")
    source, text = _current(project, id)
    known = project.revisions.of(source.path, COMMITS)
    revisions = known.revisions if known else ()
    if commit == UNCOMMITTED:
        earlier = project.revisions.text(revisions[0]) if revisions else ""
        return _shown(project, compared(earlier or "", text, source.path))
    at = next((number for number, one in enumerate(revisions) if one.id == commit), None)
    if at is None:
        raise ValidationError("commit", f"'{commit[:40]}' did not change this file", "Reload the page.")
    own = project.revisions.text(revisions[at])
    if base == NOW:
        return _shown(project, compared(own or "", text, source.path))
    older = revisions[at + 1] if at + 1 < len(revisions) else None
    if older is None and known and (known.more or known.shallow):
        return {"changes": [], "unknown": True}
    earlier = project.revisions.text(older) if older else ""
    return _shown(project, compared(earlier or "", own or "", source.path))


def _current(project: Project, id: str) -> tuple[Source, str]:
    """Return the source of a note or document, and its file's text."""
    project.graph.catch_up()
    try:
        source = project.graph.source(id)
    except NotFoundError:
        project.library.catch_up()
        source = find(project.library, id)
    if source.kind != NODE:
        return source, project.library.stored(source).entry.text
    stored = project.graph.stored(source)
    records = project.graph.records
    if stored.entry.record and records is not None:  # the record itself, without what is kept beside it
        return replace(source, path=stored.entry.record), records.parsed(stored.data, source.path)[2].text
    return source, stored.data.decode("utf-8", "replace")


def _shown(project: Project, comparison: Comparison) -> Json:
    changes = [
        {"section": _line(one.section, 300), "parts": [[kind, visible(text)] for kind, text in one.parts]}
        for one in comparison.changes
    ]
    ids = {id for one in changes for _, text in one["parts"] for id in _UUID.findall(text)}
    titles = project.graph.titles(sorted(ids)[:100]) if ids else {}
    for one in changes:
        one["parts"] = [[kind, _named(text, titles)] for kind, text in one["parts"]]
    return {"changes": changes, "cut": comparison.cut, "too_different": comparison.too_different}


def _named(text: str, titles: Any) -> str:
    """Return *text* with the titles of notes in place of their ids."""
    return _UUID.sub(
        lambda match: f"“{_line(titles[match[0]], TITLE_LIMIT)}”" if match[0] in titles else match[0], text
    )


def _is_moved(one: Revision, known: FileRevisions) -> bool:
    """Whether the file had another path in a commit than in the latest; a note's folder is its type."""
    return one.path != known.revisions[0].path and f"/{NODES}" not in f"/{one.path}"


def _plain(text: str) -> str:
    return text.removeprefix("\ufeff").replace("\r\n", "\n")


def _line(text: str, limit: int) -> str:
    return clean_line(redact(text)[0], limit)
