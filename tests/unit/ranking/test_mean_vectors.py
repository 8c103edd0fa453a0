"""Whole texts are compared by what distinguishes them, and the nearest are those that comparing one by one finds."""

from __future__ import annotations

import random

from autology.ranking.mean_vectors import BLOCK, centred, nearest
from autology.ranking.quantized_vectors import SCALE, rescore, row

DIMENSIONS = 64


def rows(count: int, seed: int = 1) -> list[bytes]:
    chance = random.Random(seed)
    return [row([chance.gauss(0, 1) for _ in range(DIMENSIONS)]) for _ in range(count)]


def test_what_all_texts_share_does_not_make_two_of_them_alike() -> None:
    chance = random.Random(2)
    template = [4.0 + chance.gauss(0, 1) for _ in range(DIMENSIONS)]
    about = [[chance.gauss(0, 1) for _ in range(DIMENSIONS)] for _ in range(4)]
    texts = [[row([*map(sum, zip(template, own, strict=True))])] for own in [*about, about[0]]]
    alike = rescore(texts[0][0], [text[0] for text in texts[1:]])
    assert min(alike) / SCALE**2 > 0.8
    found = nearest(centred(texts), 0.35, 5)
    assert [[other for _, other in near] for near in found] == [[4], [], [], [], [0]]


def test_a_text_of_several_passages_is_their_mean() -> None:
    one, other, *rest = rows(6)
    both = centred([[one, other], [one], [other], *([each] for each in rest)])
    beside = {number: score for score, number in nearest(both, 0.0, 9)[0]}
    assert min(beside[1], beside[2]) > 0.5


def test_a_text_without_vectors_is_near_nothing() -> None:
    one, other = rows(2)
    assert centred([[], []]) == [b"", b""]
    assert nearest([b"", b""], 0.0, 3) == [[], []]
    found = nearest([one, b"", bytes(DIMENSIONS), one, other], 0.5, 3)
    assert [[number for _, number in near] for near in found] == [[3], [], [], [0], []]


def test_the_nearest_are_those_of_the_plainest_search_in_any_block() -> None:
    many = rows(2 * BLOCK + 7)
    least, most = 0.1, 4
    plain = []
    for one in range(len(many)):
        scores = rescore(many[one], many)
        near = [(score, other) for other, score in enumerate(scores) if other != one and score >= least * SCALE**2]
        plain.append([(score / SCALE**2, other) for score, other in sorted(near, key=lambda e: (-e[0], e[1]))[:most]])
    assert nearest(many, least, most) == plain
    assert max(map(len, plain)) == most
