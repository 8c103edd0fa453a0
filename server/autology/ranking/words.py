"""Hits by words as one order: the best passage, what other passages add, and the title."""

from __future__ import annotations

from collections.abc import Sequence

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
    titles = [candidate for candidate in found if candidate.field == "title"]
    bodies = [candidate for candidate in found if candidate.field != "title"]
    parts: dict[str, dict[str, float]] = {candidate.source.id: {} for candidate in found}
    for name, worth, some, measured in (
        ("words", 1.0, bodies, [candidate.score for candidate in bodies]),
        ("passages", OTHERS, bodies, [_together(candidate) for candidate in bodies]),
        ("title", TITLE, titles, [candidate.score for candidate in titles]),
    ):
        top = max(measured, default=0.0)
        for candidate, score in zip(some, measured, strict=True):
            parts[candidate.source.id][name] = worth * (score / top if top > 0 else 1.0)
    most = max((sum(each.values()) for each in parts.values()), default=1.0)
    sources = {candidate.source.id: candidate.source for candidate in found}
    passages = {candidate.source.id: candidate.passage for candidate in bodies}
    ranked = [
        Ranked(
            source,
            sum(parts[id].values()) / most,
            passages.get(id),
            {name: part / most for name, part in parts[id].items()},
        )
        for id, source in sources.items()
    ]
    return sorted(ranked, key=lambda hit: (-hit.score, hit.source.modified, hit.source.title, hit.source.id))


def _together(candidate: Candidate) -> float:
    if not candidate.others:
        return candidate.score
    return sum(score * NEXT**at for at, score in enumerate((candidate.score, *candidate.others)))
