"""Which of many similar pairs to draw, so that each is telling and few lines show the whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

MOST = 3
"""Maximum pairs of a vertex."""
CLOSEST = 2
"""How far down a vertex's nearest ones another may be for both to be each other's closest."""


def pairs_to_draw(
    nearest: Sequence[Sequence[tuple[float, int]]], links: Iterable[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Return the pairs to draw beside *links*, given each vertex's *nearest* ones, nearest first; the best come first.

    A pair is drawn if each is among the other's closest, or if it connects what nothing else has connected yet. Where
    there is a link, there is no pair.
    """
    linked = {frozenset(link) for link in links}
    parents = list(range(len(nearest)))
    for one, other in map(sorted, filter(lambda ends: len(ends) > 1, linked)):
        parents[_root(parents, one)] = _root(parents, other)
    closest = [{other for _, other in near[:CLOSEST]} for near in nearest]
    scored = {(-score, min(one, other), max(one, other)) for one, near in enumerate(nearest) for score, other in near}
    counts: Counter[int] = Counter()
    pairs = []
    for _, one, other in sorted(scored):
        if max(counts[one], counts[other]) >= MOST or {one, other} in linked:
            continue
        first, second = _root(parents, one), _root(parents, other)
        if first == second and not (one in closest[other] and other in closest[one]):
            continue
        parents[first] = second
        counts.update((one, other))
        pairs.append((one, other))
    return pairs


def _root(parents: list[int], vertex: int) -> int:
    """Return what stands for the part of *vertex*, and shorten the way there."""
    while parents[vertex] != vertex:
        parents[vertex] = vertex = parents[parents[vertex]]
    return vertex
