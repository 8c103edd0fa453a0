"""Substring scoring over title, content and tags, with boosts for confidence and recency."""

from __future__ import annotations

from datetime import datetime, timedelta

from autology.model.node import Node
from autology.text.language.timestamps import moment

RECENT = timedelta(days=7)
TITLE_MATCH = 0.5
PER_OCCURRENCE = 0.1
MAX_OCCURRENCES = 0.5
TAG_MATCH = 0.3
CONFIDENCE = 0.2
RECENT_BOOST = 0.1


def contains(node: Node, query: str) -> bool:
    """Whether title, content or a tag contains *query*, ignoring case."""
    needle = query.lower()
    return any(needle in text.lower() for text in (node.title, node.content, *node.tags))


def score(node: Node, query: str, now: datetime) -> float:
    """Return the substring score of *node* as document 000 defines it; without a query, the boosts alone."""
    total = boosts(node.confidence, node.modified, now)
    if query:
        needle = query.lower()
        total += TITLE_MATCH if needle in node.title.lower() else 0.0
        total += min(node.content.lower().count(needle) * PER_OCCURRENCE, MAX_OCCURRENCES)
        total += TAG_MATCH * sum(needle in tag.lower() for tag in node.tags)
    return round(total, 6)


def boosts(confidence: float, modified: str, now: datetime) -> float:
    """Return the boost for confidence and for a change within the last seven days."""
    is_recent = bool(modified) and now - moment(modified) < RECENT
    return round(confidence * CONFIDENCE + (RECENT_BOOST if is_recent else 0.0), 6)
