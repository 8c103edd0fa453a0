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
    words, passages, documents = (
        _scaled(weight, [measure(candidate) for candidate in bodies.values()])
        for weight, measure in ((1.0, _SCORE), (OTHERS, _summed), (DOCUMENT, _whole))
    )
    of_title = dict(zip(titles, _scaled(TITLE, [candidate.score for candidate in titles.values()]), strict=True))
    parts: dict[str, dict[str, float]] = {id: {} for id in titles}
    for id, of_words, of_passages, of_document in zip(bodies, words, passages, documents, strict=True):
        parts[id] = {"words": of_words, "passages": of_passages, "document": of_document}
    for id, score in of_title.items():
        parts[id]["title"] = score
    sums = {id: sum(contributions.values()) for id, contributions in parts.items()}
    highest = max(sums.values(), default=1.0)
    ranked = []
    for id, contributions in parts.items():
        for name in contributions:
            contributions[name] /= highest
        candidate = bodies.get(id) or titles[id]
        ranked.append(Ranked(candidate.source, sums[id] / highest, candidate.passage, contributions))
    return best_first(ranked)


def _scaled(weight: float, scores: Sequence[float]) -> list[float]:
    """Return *scores* relative to the best one, times *weight*."""
    top = max(scores, default=0.0)
    return [weight * (score / top if top > 0 else 1.0) for score in scores]


_SCORE = attrgetter("score")


def _summed(candidate: Candidate) -> float:
    if not candidate.others:
        return candidate.score
    total: float = sum(map(mul, (candidate.score, *candidate.others), _WEIGHTS))
    return total


def _whole(candidate: Candidate) -> float:
    return candidate.document or _summed(candidate)


_WEIGHTS = [NEXT**at for at in range(20)]  # the twentieth counts a thousandth
