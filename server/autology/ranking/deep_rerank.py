"""Reranking for deep search: semantic similarity, lexical coverage, recency and kind."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from datetime import datetime

from autology.model.memory import Kind
from autology.text.language.timestamps import moment

MEANING, KEYWORDS, RECENCY, KIND = 0.4, 0.3, 0.2, 0.1
"""The weights, which sum to 1."""
DAYS = 30.0
"""The decay constant in days: after it, a third of the recency score is left."""
UNDATED = 0.5
"""The recency of an undated item, between today and long ago."""
SCALE = ((0.0, 0.0), (0.2, 0.5), (0.3, 0.6), (1.0, 1.0))
"""Cosines of the built-in encoder mapped to document 003's scale, with linear interpolation.

For a query and a passage of another set 99 in 100 lie below 0.2 and 999 in 1,000 below 0.3; for those that belong
together 96 to 100 and 82 to 99 in 100 lie above, by the set (bench/boundaries.py).
"""

WEIGHTS: Mapping[str, float] = {
    Kind.DECISION: 1.0,
    Kind.INCIDENT: 0.9,
    Kind.RISK: 0.9,
    Kind.RUNBOOK: 0.9,
    Kind.ISSUE: 0.8,
    Kind.ASSUMPTION: 0.7,
    Kind.SECTION: 0.7,
    Kind.DDL: 0.7,
    Kind.TODO: 0.7,
    Kind.ENTITY: 0.6,
    Kind.CHANGE: 0.6,
    Kind.RELEASE: 0.5,
    Kind.RELEASE_NOTE: 0.5,
    Kind.OBSERVATION: 0.5,
    Kind.RELATION: 0.5,
    Kind.PR_CONTEXT: 0.4,
}
"""The weights of kinds: decisions and failures matter most to the next decision, mere context least."""
OTHER = 0.6
"""The weight of any other kind: a node reached by a relation."""


def score(meaning: float, keywords: float, recency: float, kind: str) -> float:
    """Return the score in 0-1 of an item of *kind*, from its three parts in 0-1."""
    return MEANING * meaning + KEYWORDS * keywords + RECENCY * recency + KIND * WEIGHTS.get(kind, OTHER)


def similarity(cosine: float) -> float:
    """Return *cosine* on document 003's scale, in 0-1."""
    clamped = max(0.0, min(1.0, cosine))
    at = min(bisect_right(SCALE, (clamped, 1.0)), len(SCALE) - 1)
    (low, under), (high, over) = SCALE[at - 1], SCALE[at]
    return under + (over - under) * (clamped - low) / (high - low)


def matched(terms: Sequence[tuple[str, ...]], text: str) -> float:
    """Return the share of *terms* in the case-folded *text*: an identifier matches whole or by all its parts."""
    matches = sum(group[-1] in text or all(token in text for token in group) for group in terms)
    return matches / len(terms) if terms else 0.0


def recency(created: str, now: datetime) -> float:
    """Return the recency of *created*: 1 for now, decaying by e every DAYS."""
    try:
        stamp = moment(created)
    except ValueError:
        return UNDATED
    if stamp.timestamp() <= 0:  # how a file without a date is read
        return UNDATED
    return math.exp(-max(0.0, (now - stamp).total_seconds()) / (DAYS * 86_400))
