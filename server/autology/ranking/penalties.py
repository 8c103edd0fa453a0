"""Penalties: a heavy one for superseded hits; small ones for uncertain and old ones, to decide between close hits."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache

from autology.model.node import NodeStatus
from autology.ranking.fusion import Ranked

SUPERSEDED = 0.3
"""The factor for a superseded node's score: the specified heavy penalty."""
SURE = 0.9
"""The confidence of a note captured by a person; only lower confidence is penalised."""
UNSURE = 0.2
"""The penalty for a confidence of 0: 0.5 costs a twelfth of the score, less than one query word."""
AGE = 0.02
"""The maximum penalty for age: a tie-breaker. No labelled set has dates."""
DAYS = 30.0
"""The decay constant in days: after it, two thirds of the penalty apply."""
_SUPERSEDED = NodeStatus.SUPERSEDED.value


def standing(status: str | None) -> float:
    """Return the factor for the score of a source with that *status*: lower if it was superseded."""
    return SUPERSEDED if status == _SUPERSEDED else 1.0


def in_force(hit: Ranked) -> Ranked:
    """Return *hit*, with a lower score if its source was superseded."""
    if hit.source.status != _SUPERSEDED:
        return hit
    score = hit.score * SUPERSEDED
    return hit.scored(score, {**hit.parts, "superseded": score - hit.score})


def with_penalties(ranked: Sequence[Ranked]) -> list[Ranked]:
    """Return *ranked* with each score reduced for its age, relative to the newest, and its lack of confidence."""
    stamps = [_moment(hit.source.modified) for hit in ranked]
    newest = max((stamp for stamp in stamps if stamp is not None), default=None)
    return [
        hit if stamp == newest and hit.source.confidence >= SURE else _penalised(hit, stamp, newest)
        for hit, stamp in zip(ranked, stamps, strict=True)
    ]


def _penalised(hit: Ranked, stamp: datetime | None, newest: datetime | None) -> Ranked:
    unsure = UNSURE * max(0.0, SURE - hit.source.confidence) / SURE
    days = (newest - stamp).total_seconds() / 86_400 if stamp and newest else 0.0
    age = AGE * (1 - math.exp(-days / DAYS))
    penalties = {name: -hit.score * part for name, part in (("confidence", unsure), ("age", age)) if part > 0.0005}
    return hit.scored(hit.score + sum(penalties.values()), {**hit.parts, **penalties}) if penalties else hit


@lru_cache(maxsize=4096)  # the same notes are candidates again
def _moment(text: str) -> datetime | None:
    try:
        stamp = datetime.fromisoformat(text)
    except ValueError:
        return None
    return stamp if stamp.tzinfo else None
