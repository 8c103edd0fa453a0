"""Penalties for uncertain and old hits; small, so that they only decide between close ones."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache

from autology.ranking.fusion import Ranked

SURE = 0.9
"""The confidence of a note captured by a person; only lower confidence is penalised."""
UNSURE = 0.2
"""The penalty for a confidence of 0: 0.5 costs a twelfth of the score, less than one query word."""
AGE = 0.02
"""The maximum penalty for age: a tie-breaker. No labelled set has dates."""
DAYS = 30.0
"""The decay constant in days: after it, two thirds of the penalty apply."""


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
