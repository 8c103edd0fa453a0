"""Hits by words as one order: the best passage, what other passages add, and the title."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter, mul

from autology.model.hit import Candidate
from autology.ranking.fuse import Ranked

TITLE = 0.2
"""What the best title is worth beside the best passage, 1.0 (bench/quality: +0.3 nDCG@10; 0.4 loses it again)."""
OTHERS = 0.6
"""What all passages of a source together are worth: +2 points on long documents, level on short ones."""
NEXT = 0.7
"""What a source's next passage counts beside the one before it, when they are put together."""


def order(found: Sequence[Candidate]) -> list[Ranked]:
    """Return the sources in *found*, best first: each measure over the best of it, weighed and added."""
    titles = {each.source.id: each for each in found if each.field == "title"}
    bodies = {each.source.id: each for each in found if each.field != "title"}
    candidates = titles | bodies
    parts: dict[str, dict[str, float]] = {id: {} for id in candidates}
    for name, worth, some, measure in (
        ("words", 1.0, bodies, _SCORE),
        ("passages", OTHERS, bodies, _together),
        ("title", TITLE, titles, _SCORE),
    ):
        measured = list(map(measure, some.values()))
        top = max(measured, default=0.0)
        for id, score in zip(some, measured, strict=True):
            parts[id][name] = worth * (score / top if top > 0 else 1.0)
    sums = {id: sum(each.values()) for id, each in parts.items()}
    most = max(sums.values(), default=1.0)
    ranked = [
        Ranked(
            each.source,
            sums[id] / most,
            each.passage,
            {name: part / most for name, part in parts[id].items()},
        )
        for id, each in candidates.items()
    ]
    return sorted(ranked, key=lambda hit: (-hit.score, hit.source.modified, hit.source.title, hit.source.id))


_SCORE = attrgetter("score")


def _together(candidate: Candidate) -> float:
    if not candidate.others:
        return candidate.score
    together: float = sum(map(mul, (candidate.score, *candidate.others), _WORTH))
    return together


_WORTH = [NEXT**at for at in range(20)]  # the twentieth counts a thousandth
