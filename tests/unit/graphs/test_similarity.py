"""The pairs that are drawn are few, connect what is apart, and never stand where a link does."""

from __future__ import annotations

import random
from collections import Counter

from autology.graphs.similarity import MOST, pairs_to_draw

Near = list[list[tuple[float, int]]]


def near(size: int, scores: dict[tuple[int, int], float]) -> Near:
    """Return each vertex's nearest ones, from the scores of pairs."""
    both = {**scores, **{(other, one): score for (one, other), score in scores.items()}}
    return [
        sorted(((score, other) for (one, other), score in both.items() if one == vertex), reverse=True)
        for vertex in range(size)
    ]


def crowd(size: int, seed: int) -> Near:
    chance = random.Random(seed)
    pairs = {(chance.randrange(size), chance.randrange(size)): chance.random() for _ in range(6 * size)}
    return near(size, {(min(pair), max(pair)): score for pair, score in pairs.items() if pair[0] != pair[1]})


def test_there_is_no_pair_where_there_is_a_link_either_way() -> None:
    neighbours = near(3, {(0, 1): 0.9, (1, 2): 0.8})
    assert pairs_to_draw(neighbours, []) == [(0, 1), (1, 2)]
    assert pairs_to_draw(neighbours, [(1, 0)]) == [(1, 2)]
    assert pairs_to_draw(neighbours, [(1, 0), (2, 2), (1, 2)]) == []


def test_a_pair_that_is_connected_anyway_is_drawn_only_among_the_closest() -> None:
    scores = {(0, 1): 0.9, (1, 2): 0.8, (2, 3): 0.7, (0, 3): 0.4, (0, 2): 0.6}
    assert pairs_to_draw(near(4, scores), []) == [(0, 1), (1, 2), (2, 3)]
    closest = {(0, 1): 0.9, (1, 2): 0.8, (0, 2): 0.7}
    assert pairs_to_draw(near(3, closest), []) == [(0, 1), (1, 2), (0, 2)]


def test_no_vertex_has_more_than_a_few_pairs_and_what_is_near_enough_is_connected() -> None:
    for seed in range(20):
        neighbours = crowd(60, seed)
        pairs = pairs_to_draw(neighbours, [(0, 1), (1, 2)])
        assert len(pairs) > 20
        assert max(Counter(end for pair in pairs for end in pair).values()) <= MOST
        assert len(pairs) == len(set(pairs)) == len({frozenset(pair) for pair in pairs})
        alone = set(range(60)) - {end for pair in pairs for end in pair} - {0, 1, 2}
        assert all(not neighbours[vertex] or _is_full(neighbours[vertex], pairs) for vertex in alone)


def test_the_order_of_the_links_changes_nothing() -> None:
    neighbours = crowd(40, 3)
    links = [(0, 9), (9, 4), (4, 7), (30, 2)]
    assert pairs_to_draw(neighbours, links) == pairs_to_draw(
        neighbours, [(target, source) for source, target in reversed(links)]
    )
    assert pairs_to_draw([], []) == []


def _is_full(candidates: list[tuple[float, int]], pairs: list[tuple[int, int]]) -> bool:
    """Whether all *candidates* have as many pairs as they may."""
    counts = Counter(end for pair in pairs for end in pair)
    return all(counts[other] == MOST for _, other in candidates)
