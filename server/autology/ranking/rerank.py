"""The order of a deep search: how near in meaning, how many of the words, how new, and what sort of thing it is."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from datetime import datetime

from autology.model.memory import Kind
from autology.text.times import moment

MEANING, KEYWORDS, RECENCY, KIND = 0.4, 0.3, 0.2, 0.1
"""What each counts, of 1."""
DAYS = 30.0
"""Days after which a third of what being new counts is left."""
UNDATED = 0.5
"""What an item without a date counts as, between one of today and one of long ago."""
SCALE = ((0.0, 0.0), (0.2, 0.5), (0.3, 0.6), (1.0, 1.0))
"""Cosines of the encoder that is part of Autology, and what document 003 would call them, straight between.

Of a question and a passage of another set 99 in 100 lie below 0.2 and 999 in 1,000 below 0.3; of those that belong
together 96 to 100 and 82 to 99 in 100 above, by the set (bench/boundaries.py).
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
"""How much a kind tells whoever decides something: what was settled and what went wrong before what merely is."""
OTHER = 0.6
"""What counts of another vocabulary: a node that a relation led to."""


def score(meaning: float, keywords: float, recency: float, kind: str) -> float:
    """Return the score in 0-1 of an item of that *kind*, from its three shares in 0-1."""
    return MEANING * meaning + KEYWORDS * keywords + RECENCY * recency + KIND * WEIGHTS.get(kind, OTHER)


def similarity(cosine: float) -> float:
    """Return *cosine* on document 003's scale, in 0-1."""
    asked = max(0.0, min(1.0, cosine))
    at = min(bisect_right(SCALE, (asked, 1.0)), len(SCALE) - 1)
    (low, under), (high, over) = SCALE[at - 1], SCALE[at]
    return under + (over - under) * (asked - low) / (high - low)


def matched(terms: Sequence[tuple[str, ...]], text: str) -> float:
    """Return the share of *terms* that stand in *text*, which is folded: an identifier whole or with all its parts."""
    there = sum(group[-1] in text or all(token in text for token in group) for group in terms)
    return there / len(terms) if terms else 0.0


def recency(created: str, now: datetime) -> float:
    """Return how new what was *created* then is: 1 for now, falling by e every DAYS."""
    try:
        when = moment(created)
    except ValueError:
        return UNDATED
    if when.timestamp() <= 0:  # what a file without a date is read as
        return UNDATED
    return math.exp(-max(0.0, (now - when).total_seconds()) / (DAYS * 86_400))
