"""Hits by words as one order: the best passage, what other passages add, and the title."""

from __future__ import annotations

from collections.abc import Sequence

from autology.model.hit import Candidate, Source

TITLE = 0.2
"""What the best title is worth beside the best passage, 1.0 (bench/quality: +0.3 nDCG@10; 0.4 loses it again)."""
OTHERS = 0.6
"""What all passages of a source together are worth: +2 points on long documents, level on short ones."""
NEXT = 0.7
"""What a source's next passage counts beside the one before it, when they are put together."""

Ranked = tuple[Source, float, tuple[int, int] | None]
"""A source, its score in 0-1, and the passage that answered best."""


def fuse(found: Sequence[Candidate]) -> list[Ranked]:
    """Return the sources in *found*, best first: each measure over the best of it, weighed and added."""
    titles = [candidate for candidate in found if candidate.field == "title"]
    bodies = [candidate for candidate in found if candidate.field != "title"]
    scores: dict[str, float] = {}
    for worth, some, measured in (
        (1.0, bodies, [candidate.score for candidate in bodies]),
        (OTHERS, bodies, [_together(candidate) for candidate in bodies]),
        (TITLE, titles, [candidate.score for candidate in titles]),
    ):
        top = max(measured, default=0.0)
        for candidate, score in zip(some, measured, strict=True):
            part = worth * (score / top if top > 0 else 1.0)
            scores[candidate.source.id] = scores.get(candidate.source.id, 0.0) + part
    whole = 1.0 + OTHERS + TITLE
    sources = {candidate.source.id: candidate.source for candidate in found}
    passages = {candidate.source.id: candidate.passage for candidate in bodies}
    ranked = [(source, scores[id] / whole, passages.get(id)) for id, source in sources.items()]
    return sorted(ranked, key=lambda each: (-each[1], each[0].modified, each[0].id))


def _together(candidate: Candidate) -> float:
    return sum(score * NEXT**at for at, score in enumerate((candidate.score, *candidate.others)))
