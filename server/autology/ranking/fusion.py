"""Fuse the retrievers' scores into one order; every hit lists the contributions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter
from types import MappingProxyType
from typing import NamedTuple

from autology.model.hit import Candidate, Place, Source
from autology.ranking.relevance_feedback import LIKELY

SEMANTIC_SHARE = 0.25
"""The weight of the semantic score, with the built-in static table.

bench/quality: 0.2 to 0.3 are level over the sets, 0.4 loses half a point.
"""
TOP = 100
"""Hits of a retriever that are fused and that min-max scaling considers."""
MIN_COSINE = 0.3
"""The minimum cosine of a hit without a lexical match.

For a query and a text of another set 999 in 1,000 lie below it; for those that belong together 9 in 10 lie above
in code and conversations, half in long proposals (which share words anyway). 0 to 0.6 are level in bench/quality.
"""


class Ranked(NamedTuple):
    """A source, its score in 0-1, its best passage, and the parts that make up the score.

    *near* is its cosine with the query, if the semantic retriever returned it. A tuple, as a candidate is.
    """

    source: Source
    score: float
    passage: tuple[int, int] | None = None
    parts: Mapping[str, float] = MappingProxyType({})
    near: float = 0.0

    def scored(self, score: float, parts: Mapping[str, float]) -> Ranked:
        """Return a copy with a new score and its *parts*."""
        return Ranked(self.source, score, self.passage, parts, self.near)


SCORE = attrgetter("score")
_FIXED = attrgetter("source.modified", "source.title", "source.id")


def best_first(hits: Iterable[Ranked]) -> list[Ranked]:
    """Return *hits* by score, equal ones in a fixed order."""
    ordered = sorted(hits, key=SCORE, reverse=True)
    if len(set(map(SCORE, ordered))) < len(ordered):
        ordered.sort(key=_FIXED)
        ordered.sort(key=SCORE, reverse=True)  # stable
    return ordered


def likely(lexical: Sequence[Ranked]) -> tuple[Place, ...]:
    """Return the passages of the best lexical hits, for feedback."""
    return tuple(Place(hit.source.id, hit.passage, hit.score) for hit in lexical[:LIKELY] if hit.passage)


def fuse(
    lexical: Sequence[Ranked],
    semantic: Sequence[Candidate],
    share: float = SEMANTIC_SHARE,
    min_cosine: float = MIN_COSINE,
) -> list[Ranked]:
    """Fuse lexical and semantic hits, best first; if one list is empty, return the other.

    *share* is the semantic weight in 0-1; *min_cosine* the minimum cosine of a hit without a lexical match. Without any
    lexical hit the scores are cosines, because the absolute similarity then says more than the rank."""
    scaled = _min_max_scaled(semantic)
    if not scaled:
        return list(lexical)
    if not lexical:
        return [
            _semantic_only(candidate, min(candidate.cosine, 1.0))
            for candidate in semantic[:TOP]
            if candidate.cosine >= min_cosine
        ]
    semantic_by_id = {candidate.source.id: candidate for candidate in semantic[:TOP]}
    fused = [_joined(hit, semantic_by_id.pop(hit.source.id, None), scaled, share) for hit in lexical[:TOP]]
    fused += [
        _semantic_only(item, share * scaled[item.source.id])
        for item in semantic_by_id.values()
        if item.cosine >= min_cosine
    ]
    fused = best_first(fused)
    fused_ids = {hit.source.id for hit in fused}
    lowest = fused[-1].score if fused else 0.0
    rest = [hit for hit in lexical[TOP:] if hit.source.id not in fused_ids]
    return fused + [hit.scored(min((1 - share) * hit.score, lowest), hit.parts) for hit in rest]


def _semantic_only(candidate: Candidate, score: float) -> Ranked:
    return Ranked(candidate.source, score, candidate.passage, {"meaning": score}, candidate.cosine)


def _joined(hit: Ranked, candidate: Candidate | None, scaled: Mapping[str, float], share: float) -> Ranked:
    lexical = (1 - share) * hit.score
    parts = {name: (1 - share) * part for name, part in hit.parts.items()}
    if candidate is None:
        return Ranked(hit.source, lexical, hit.passage, parts)
    part = parts["meaning"] = share * scaled[hit.source.id]
    return Ranked(hit.source, lexical + part, hit.passage or candidate.passage, parts, candidate.cosine)


def _min_max_scaled(semantic: Sequence[Candidate]) -> dict[str, float]:
    """Return the cosines of the top hits, min-max scaled."""
    scores = [candidate.score for candidate in semantic[:TOP]]
    if not scores:
        return {}
    low, high = min(scores), max(scores)
    span = high - low
    return {
        candidate.source.id: (score - low) / span if span > 0 else 1.0
        for candidate, score in zip(semantic, scores)  # noqa: B905 - the top hits alone
    }
