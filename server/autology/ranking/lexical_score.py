"""The lexical score of a source: its best passage, the sum of its passages, the source as a whole, and its title."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter, mul

from autology.model.hit import Candidate
from autology.ranking.fusion import Ranked, best_first

TITLE = 0.2
"""The weight of the title score, relative to the best passage (bench/quality: +0.3 nDCG@10; 0.4 loses it again)."""
OTHERS, DOCUMENT = 0.3, 0.4
"""The weights of the sum of a source's passages, and of its score as a whole.

bench/quality: +0.3 of the mean nDCG@10, +0.9 on long proposals, +0.8 on code, +0.2 on pooled conversations over 0.6 and
none. None and 0.6, or 0.3 and 0.6, are level over the sets and lose on conversations.
"""
NEXT = 0.7
"""The discount of each further passage in that sum."""


def order(candidates: Sequence[Candidate]) -> list[Ranked]:
    """Return the sources of *candidates*, best first: each measure is scaled to its maximum, weighted and summed."""
    titles = {candidate.source.id: candidate for candidate in candidates if candidate.field == "title"}
    bodies = {candidate.source.id: candidate for candidate in candidates if candidate.field != "title"}
    by_source = titles | bodies
    parts: dict[str, dict[str, float]] = {id: {} for id in by_source}
    for name, weight, fields, measure in (
        ("words", 1.0, bodies, _SCORE),
        ("passages", OTHERS, bodies, _summed),
        ("document", DOCUMENT, bodies, _whole),
        ("title", TITLE, titles, _SCORE),
    ):
        measured = list(map(measure, fields.values()))
        top = max(measured, default=0.0)
        for id, score in zip(fields, measured, strict=True):
            parts[id][name] = weight * (score / top if top > 0 else 1.0)
    sums = {id: sum(contributions.values()) for id, contributions in parts.items()}
    highest = max(sums.values(), default=1.0)
    ranked = [
        Ranked(
            candidate.source,
            sums[id] / highest,
            candidate.passage,
            {name: part / highest for name, part in parts[id].items()},
        )
        for id, candidate in by_source.items()
    ]
    return best_first(ranked)


_SCORE = attrgetter("score")


def _summed(candidate: Candidate) -> float:
    if not candidate.others:
        return candidate.score
    total: float = sum(map(mul, (candidate.score, *candidate.others), _WEIGHTS))
    return total


def _whole(candidate: Candidate) -> float:
    return candidate.document or _summed(candidate)


_WEIGHTS = [NEXT**at for at in range(20)]  # the twentieth counts a thousandth
