"""Raising what was said in or soon after a time that a question names, without leaving out anything else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import timedelta

from autology.text.language.calendar_spans import Span
from autology.text.language.timestamps import moment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

WEIGHT = 1.0
"""What being said in that time adds to a relevance, relative to it.

LoCoMo's 126 questions of conversations 1 to 5 that name a time (bench/published/deja_vu.py): recall@5 0.865 without,
0.929 with 0.3, 0.944 with 0.5, 0.952 with 1.0, 0.968 with 2.0; recall@1 0.627, 0.778, 0.825, 0.833 and 0.857.
"""
BEFORE, AFTER = timedelta(days=2), timedelta(days=7)
"""How long before and after the time nearness falls to zero: plans precede it, and talk tells of "yesterday" and "last
weekend". 1 to 5 and 4 to 30 days are within 0.01 MRR of these."""


def is_near(stamps: Iterable[str], spans: Iterable[Span]) -> bool:
    """Whether something was said, at one of *stamps* ("" if unknown), near one of *spans*."""
    moments = [moment(at) for at in stamps if at]
    return any(_nearness(at, span) for span in spans for at in moments)


def raised(relevances: Sequence[float], stamps: Iterable[str], spans: Sequence[Span]) -> list[float]:
    """Return *relevances*, raised for what was said, at its stamp ("" if unknown), near one of *spans*.

    The highest of them stays as high as it was.
    """
    weights = [1 + WEIGHT * max(_nearness(moment(at), span) for span in spans) if at else 1.0 for at in stamps]
    weighted = [relevance * weight for relevance, weight in zip(relevances, weights, strict=True)]
    top = max(weighted, default=0.0)
    scale = max(relevances) / top if top > 0 else 1.0
    return [scale * relevance for relevance in weighted]


def _nearness(at: datetime, span: Span) -> float:
    """Return 1 in *span*, less near it, 0 elsewhere; of a span without a beginning, only its end is near."""
    since = span.since or span.until
    distance = 0.0
    if since and at < since:
        distance = (since - at) / BEFORE
    elif span.until and at > span.until:
        distance = (at - span.until) / AFTER
    return max(0.0, 1 - distance)
