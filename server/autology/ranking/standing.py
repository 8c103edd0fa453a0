"""What a hit loses for being unsure or older than the others: little, so that it only settles what is close."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import datetime

from autology.ranking.fuse import Ranked

SURE = 0.9
"""The confidence of what a person captured; only what is less sure loses by it."""
UNSURE = 0.2
"""What a confidence of zero would cost, of one: 0.5 costs a twelfth, less than a word of the question more or less."""
AGE = 0.02
"""What age costs at most, of one: it decides between answers that are equally good. No labelled set has dates."""
DAYS = 30.0
"""Days after which two thirds of that are lost."""


def standing(ranked: Sequence[Ranked]) -> list[Ranked]:
    """Return *ranked*, each less by its age beside the newest and by what it lacks in confidence."""
    stamps = [_moment(hit.source.modified) for hit in ranked]
    newest = max((stamp for stamp in stamps if stamp is not None), default=None)
    return [
        hit if stamp == newest and hit.source.confidence >= SURE else _weighed(hit, stamp, newest)
        for hit, stamp in zip(ranked, stamps, strict=True)
    ]


def _weighed(hit: Ranked, stamp: datetime | None, newest: datetime | None) -> Ranked:
    unsure = UNSURE * max(0.0, SURE - hit.source.confidence) / SURE
    days = (newest - stamp).total_seconds() / 86_400 if stamp and newest else 0.0
    age = AGE * (1 - math.exp(-days / DAYS))
    lost = {name: -hit.score * part for name, part in (("confidence", unsure), ("age", age)) if part > 0.0005}
    return hit.scored(hit.score + sum(lost.values()), {**hit.parts, **lost}) if lost else hit


def _moment(text: str) -> datetime | None:
    try:
        stamp = datetime.fromisoformat(text)
    except ValueError:
        return None
    return stamp if stamp.tzinfo else None
