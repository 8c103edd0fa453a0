"""The legs of a search as one order, in which every hit can say what each leg gave it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from autology.model.hit import Candidate, Place, Source
from autology.ranking.feedback import LIKELY

MEANING = 0.25
"""The share of meaning beside words, by the table that is built in.

bench/quality: 0.2 to 0.3 are level over the sets, 0.4 loses half a point.
"""
TOP = 100
"""Hits of a leg that it is measured by."""
ALIKE = 0.3
"""The least cosine of a hit that holds no word of the question.

Of a question and a text of another set 999 in 1,000 lie below; of those that belong together 9 in 10 above
in code and conversations, half in long proposals (which share words anyway). 0 to 0.6 are level in bench/quality.
"""


class Ranked(NamedTuple):
    """A source, its score in 0-1, the passage that answered best, and the parts that the score is made of.

    *near* is the cosine of it and the question, where meaning was asked and came to it. A tuple, as a candidate is.
    """

    source: Source
    score: float
    passage: tuple[int, int] | None = None
    parts: Mapping[str, float] = MappingProxyType({})
    near: float = 0.0

    def scored(self, score: float, parts: Mapping[str, float]) -> Ranked:
        """Return this with another score, made of other *parts*."""
        return Ranked(self.source, score, self.passage, parts, self.near)


def likely(words: Sequence[Ranked]) -> tuple[Place, ...]:
    """Return the passages that answer best by words, for meaning to look for their like."""
    return tuple(Place(hit.source.id, hit.passage, hit.score) for hit in words[:LIKELY] if hit.passage)


def fuse(
    words: Sequence[Ranked], meaning: Sequence[Candidate], share: float = MEANING, alike: float = ALIKE
) -> list[Ranked]:
    """Return the hits by words and by meaning as one list, best first; without the one, as the other has them.

    *share* is what meaning counts, of 1; *alike* the least cosine of a hit without a word. Where no word was found
    scores are cosines: how near the best is says more then than that it is the best.
    """
    near = _spread(meaning)
    if not near:
        return list(words)
    if not words:
        return [_alone(each, min(each.asked, 1.0)) for each in meaning[:TOP] if each.asked >= alike]
    spread = {candidate.source.id: candidate for candidate in meaning[:TOP]}
    fused = [_joined(hit, spread.pop(hit.source.id, None), near, share) for hit in words[:TOP]]
    fused += [_alone(each, share * near[each.source.id]) for each in spread.values() if each.asked >= alike]
    fused.sort(key=lambda hit: (-hit.score, hit.source.modified, hit.source.title, hit.source.id))
    known = {hit.source.id for hit in fused}
    least = fused[-1].score if fused else 0.0
    rest = [hit for hit in words[TOP:] if hit.source.id not in known]
    return fused + [hit.scored(min((1 - share) * hit.score, least), hit.parts) for hit in rest]


def _alone(candidate: Candidate, score: float) -> Ranked:
    return Ranked(candidate.source, score, candidate.passage, {"meaning": score}, candidate.asked)


def _joined(hit: Ranked, candidate: Candidate | None, near: Mapping[str, float], share: float) -> Ranked:
    words = (1 - share) * hit.score
    parts = {name: (1 - share) * part for name, part in hit.parts.items()}
    if candidate is None:
        return Ranked(hit.source, words, hit.passage, parts)
    part = parts["meaning"] = share * near[hit.source.id]
    return Ranked(hit.source, words + part, hit.passage or candidate.passage, parts, candidate.asked)


def _spread(meaning: Sequence[Candidate]) -> dict[str, float]:
    """Return the cosines of the first hits, spread from 0 for the last of them to 1 for the first."""
    scores = [candidate.score for candidate in meaning[:TOP]]
    if not scores:
        return {}
    low, high = min(scores), max(scores)
    return {
        candidate.source.id: (candidate.score - low) / (high - low) if high > low else 1.0
        for candidate in meaning[:TOP]
    }
