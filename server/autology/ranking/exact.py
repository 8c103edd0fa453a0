"""The plain formula: a substring found in title, content and tags, with two boosts."""

from __future__ import annotations

from datetime import datetime, timedelta

from autology.model.node import Node
from autology.text.times import moment

RECENT = timedelta(days=7)
IN_TITLE = 0.5
AN_OCCURRENCE = 0.1
OCCURRENCES = 0.5
A_TAG = 0.3
CONFIDENCE = 0.2
IS_RECENT = 0.1


def contains(node: Node, query: str) -> bool:
    """Whether *query* stands, whatever its case, in the node's title, content or one of its tags."""
    asked = query.lower()
    return any(asked in text.lower() for text in (node.title, node.content, *node.tags))


def score(node: Node, query: str, now: datetime) -> float:
    """Return how well *node* answers *query* by the formula of document 000; without a query, its boosts alone."""
    total = boosts(node.confidence, node.modified, now)
    if query:
        asked = query.lower()
        total += IN_TITLE if asked in node.title.lower() else 0.0
        total += min(node.content.lower().count(asked) * AN_OCCURRENCE, OCCURRENCES)
        total += A_TAG * sum(asked in tag.lower() for tag in node.tags)
    return round(total, 6)


def boosts(confidence: float, modified: str, now: datetime) -> float:
    """Return what a node's confidence and a change within the last seven days add."""
    return round(confidence * CONFIDENCE + (IS_RECENT if now - moment(modified) < RECENT else 0.0), 6)
