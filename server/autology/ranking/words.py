"""Hits by words as one order: title and body brought to one scale, all terms before some."""

from __future__ import annotations

from collections.abc import Sequence

from autology.model.hit import Candidate, Source

TITLE_SHARE = 0.5
"""A hit's title and body count alike: a good body hit must be able to pass a weak title hit."""
SOME_TERMS = 0.5
"""What a hit on some of the terms is worth beside one on all of them."""

Ranked = tuple[Source, float, tuple[int, int] | None]
"""A source, its score in 0-1, and the passage that answered best."""


def fuse(every: Sequence[Candidate], some: Sequence[Candidate]) -> list[Ranked]:
    """Return the sources in *every* (all terms found) and *some* (any of them), best first."""
    best: dict[str, Ranked] = {}
    for source, score, passage in [*_weighed(every, 1.0), *_weighed(some, SOME_TERMS)]:
        before = best.get(source.id)
        if before is None:
            best[source.id] = (source, score, passage)
        else:
            best[source.id] = (source, max(score, before[1]), before[2] or passage)
    return sorted(best.values(), key=lambda ranked: (-ranked[1], ranked[0].modified, ranked[0].id))


def fill(found: Sequence[Ranked], more: Sequence[Ranked]) -> list[Ranked]:
    """Return *found* and behind it those of *more* that are not among it, scored no higher than its last."""
    known = {source.id for source, _, _ in found}
    least = min((score for _, score, _ in found), default=1.0)
    return [*found, *((source, min(score, least), at) for source, score, at in more if source.id not in known)]


def _weighed(candidates: Sequence[Candidate], worth: float) -> list[Ranked]:
    """Return each source once: its fields' scores over the best of that field, weighed and added."""
    tops: dict[str, float] = {}
    for candidate in candidates:
        tops[candidate.field] = max(tops.get(candidate.field, 0.0), candidate.score)
    found: dict[str, Ranked] = {}
    for candidate in candidates:
        share = TITLE_SHARE if candidate.field == "title" else 1 - TITLE_SHARE
        top = tops[candidate.field]
        part = worth * share * (candidate.score / top if top > 0 else 1.0)
        _, score, passage = found.get(candidate.source.id, (candidate.source, 0.0, None))
        found[candidate.source.id] = (candidate.source, score + part, passage or candidate.passage)
    return list(found.values())
