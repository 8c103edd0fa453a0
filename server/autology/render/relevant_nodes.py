"""Rendering of the nodes relevant to the current work as JSON, for all front ends."""

from __future__ import annotations

from typing import Any

from autology.core.nodes.context import Context, Relevant
from autology.model.errors import ValidationError
from autology.model.node import TITLE_LIMIT
from autology.ranking.note_relevance import group
from autology.render.degradation_notes import noted
from autology.render.review_status import standing
from autology.text.markdown.snippets import excerpt
from autology.text.redaction import redact
from autology.text.sanitising import clean_line, visible

Json = dict[str, Any]

CHARACTERS = 4
"""Characters per token in English text."""
EXCERPT = 400
"""Characters shown of a node's text; the full text is read by its id."""
TOKENS = (100, 10_000)
FRAME = 250
"""Characters of a node in addition to its excerpt, factors and title."""


def as_data(context: Context, tokens: int) -> Json:
    """Return {high, medium, low: [{id, type, title, status, score, factors, excerpt, path}], more?, …}.

    The result has at most about *tokens* tokens: the least relevant nodes are omitted and counted in ``more``.

    Raises:
        ValidationError: *tokens* is out of range.
    """
    if not TOKENS[0] <= tokens <= TOKENS[1]:
        step = f"Give a number from {TOKENS[0]} to {TOKENS[1]:,}."
        raise ValidationError("max_tokens", f"{tokens} is outside {TOKENS[0]}-{TOKENS[1]}", step)
    remaining = tokens * CHARACTERS
    entry: Json = {"high": [], "medium": [], "low": []}
    shown = 0
    for relevant in context.nodes:
        item = _node(relevant, context)
        size = FRAME + sum(len(str(value)) for value in (item["factors"], item["excerpt"], item["title"]))
        if shown and size > remaining:
            break
        remaining -= size
        shown += 1
        entry[group(relevant.score)].append(item)
    if more := context.more + len(context.nodes) - shown:
        entry["more"] = f"{more} less relevant nodes are left out: ask with a higher max_nodes or max_tokens."
    if not context.nodes:
        entry["next"] = "No relevant nodes are known. autology_query searches by words."
    return noted(entry, context.notes)


def _node(relevant: Relevant, context: Context) -> Json:
    node = relevant.node
    content = visible(redact(node.content)[0])
    query = context.situation.task or context.situation.conversation
    return {
        "id": node.id,
        "type": node.type.value,
        "title": clean_line(redact(node.title)[0], TITLE_LIMIT),
        **standing(node, relevant.drifted),
        "score": relevant.score,
        "factors": [
            {"factor": factor.name, "points": round(factor.points, 3), "why": clean_line(factor.why, 200)}
            for factor in relevant.factors
        ],
        "excerpt": excerpt(content, query, EXCERPT) if query else " ".join(content.split())[:EXCERPT],
        "path": relevant.path,
    }
