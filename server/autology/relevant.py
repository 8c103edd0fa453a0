"""What matters to the work at hand, as data: one way for every front."""

from __future__ import annotations

from typing import Any

from autology.core.context import Context, Relevant
from autology.core.watch import standing
from autology.model.errors import ValidationError
from autology.model.node import TITLE_LIMIT
from autology.ranking.relevance import group
from autology.text.excerpts import excerpt
from autology.text.fence import clean_line, visible
from autology.text.redact import redact

Json = dict[str, Any]

CHARACTERS = 4
"""Characters of a token, as English has them."""
EXCERPT = 400
"""Characters of a node's text; the whole is read with its id."""
TOKENS = (100, 10_000)
FRAME = 250
"""Characters that a node takes beside its excerpt and its factors."""


def told(found: Context, tokens: int) -> Json:
    """Return {high, medium, low: [{id, type, title, status, score, factors, excerpt, path}], more?, …}.

    It stays within about that many *tokens*: the least relevant nodes are left out first, and counted in ``more``.

    Raises:
        ValidationError: the number of tokens does not fit.
    """
    if not TOKENS[0] <= tokens <= TOKENS[1]:
        fits = f"Give a number from {TOKENS[0]} to {TOKENS[1]:,}."
        raise ValidationError("max_tokens", f"{tokens} is outside {TOKENS[0]}-{TOKENS[1]}", fits)
    left = tokens * CHARACTERS
    entry: Json = {"high": [], "medium": [], "low": []}
    shown = 0
    for each in found.nodes:
        item = _node(each, found)
        size = FRAME + sum(len(str(value)) for value in (item["factors"], item["excerpt"], item["title"]))
        if shown and size > left:
            break
        left -= size
        shown += 1
        entry[group(each.score)].append(item)
    if more := found.more + len(found.nodes) - shown:
        entry["more"] = f"{more} more matter less: ask with a higher max_nodes or max_tokens."
    if not found.nodes:
        entry["next"] = "Nothing is known that matters to this. autology_query searches by words."
    return {**entry, "degraded": list(found.notes)} if found.notes else entry


def _node(each: Relevant, found: Context) -> Json:
    node = each.node
    content = visible(redact(node.content)[0])
    asked = found.situation.task or found.situation.conversation
    return {
        "id": node.id,
        "type": node.type.value,
        "title": clean_line(redact(node.title)[0], TITLE_LIMIT),
        **standing(node, each.drifted),
        "score": each.score,
        "factors": [
            {"factor": factor.name, "points": round(factor.points, 3), "why": clean_line(factor.why, 200)}
            for factor in each.factors
        ],
        "excerpt": excerpt(content, asked, EXCERPT) if asked else " ".join(content.split())[:EXCERPT],
        "path": each.path,
    }
