"""Calls: what past sessions settled and no note says, and the lines of the client's own memory to look at."""

from __future__ import annotations

import re
from typing import Any

from autology.core.documents import client_memory_review
from autology.core.recall.mined_queue import material
from autology.model.errors import ValidationError
from autology.render import mined as rendered
from autology.text.sanitising import clean_line
from autology.web.project import PageProject
from autology.web.snapshot import title_of

Json = dict[str, Any]

_ID = re.compile(r"[0-9a-f]{4,32}")


def mined(project: PageProject) -> Json:
    """Return the candidates that wait for the user, newest first, each with the note that it would become."""
    notes = list(project.conversation_search.refresh())
    waiting = project.mined_queue.waiting()
    candidates = []
    for candidate in waiting:
        note = material(candidate, None, None)
        row = {**rendered.candidate(candidate), "title": note.title, "content": note.content, "type": note.type}
        candidates.append(row)
    return {"candidates": candidates, "degraded": notes}


def memory_findings(project: PageProject) -> Json:
    """Return the lines of the client's own memory that repeat or contradict a note."""
    findings = client_memory_review.findings(project.library)
    return {"findings": [_finding(one) for one in findings]}


def accept_mined(project: PageProject, id: str, title: str, content: str) -> Json:
    """Capture a candidate as a note with that title and content."""
    captured = project.mined_queue.accept(_checked(id), title, content)
    node = captured.node
    return {"id": node.id, "title": title_of(node), "type": node.type.value}


def dismiss_mined(project: PageProject, id: str, dismissed: bool = True) -> Json:
    """Never offer a candidate again, or offer it again."""
    if dismissed:
        project.mined_queue.dismiss(_checked(id))
    else:
        project.mined_queue.reopen(_checked(id))
    return {}


def _checked(id: str) -> str:
    if not _ID.fullmatch(id):
        raise ValidationError("id", "is not that of a candidate", "Reload the page.")
    return id


def _finding(one: client_memory_review.Finding) -> Json:
    node = one.node
    title = title_of(node)
    return {
        "line": clean_line(one.line.name, 300),
        "says": clean_line(one.line.statement, 1_000),
        "as": one.how,
        "there": clean_line(one.there, 1_000),
        "note": {"id": node.id, "title": title, "type": node.type.value},
    }
