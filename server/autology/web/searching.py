"""Calls: search over everything there is, each result with why it was found."""

from __future__ import annotations

from typing import Any

from autology import retold, wire
from autology.core.recall import unified
from autology.model.errors import ValidationError
from autology.text import excerpts
from autology.web.project import Project

Json = dict[str, Any]

RESULTS = 40
LONGEST = 2_000
"""Characters of a question."""


def search(project: Project, query: str) -> Json:
    """Return what answers *query*, best first; `words` are those of it that stand in a result."""
    if not query.strip() or len(query) > LONGEST:
        raise ValidationError("query", "is empty or too long", f"Give a question of up to {LONGEST} characters.")
    groups = ("knowledge", "documents", "conversations", "memory")
    options = unified.Options(RESULTS, groups=groups, org=wire.memory_org())
    project.memories.asked(lambda: None)  # what was just written changes the state that an answer is kept for
    found = unified.search(
        project.memory,
        project.library,
        query,
        options,
        "web",
        project.index_state,
        project.code,
        project.memories,
    )
    told = retold.unified(found)
    for entry, piece in zip(told["results"], found.pieces, strict=False):
        entry["words"] = excerpts.words_in(f"{piece.title}\n{piece.text}", query)
    return told
