"""A question moved towards what its words find best, so that meaning can look for the like of that."""

from __future__ import annotations

import math
from collections.abc import Sequence

from autology.ranking.codes import SCALE, rescore, row

LIKELY = 10
"""Passages found by words that are looked at."""
TAKEN = 3
"""Passages taken of these: 3 to 5 are level in bench/quality, 8 lose 0.3 nDCG@10."""
NEAR = 0.5
"""What nearness to the question counts beside words when they are chosen: +0.7 nDCG@10 on code over words alone."""
SHARE = 0.5
"""How far the question moves, encoded by the table: +0.4 nDCG@10 over the sets."""


def moved(asked: bytes, likely: Sequence[tuple[float, bytes]], share: float = SHARE) -> bytes:
    """Return the vector *asked* moved towards the best of *likely*: how well each answers by words, and its vector."""
    likely = [(score, vector) for score, vector in likely if len(vector) == len(asked)]
    if not likely or not share:
        return asked
    near = rescore(asked, [vector for _, vector in likely])
    nearest, most = max(*near, 1), max(score for score, _ in likely) or 1.0
    worth = [
        (1 - NEAR) * score / most + NEAR * max(product, 0) / nearest
        for (score, _), product in zip(likely, near, strict=True)
    ]
    best = sorted(range(len(likely)), key=lambda at: -worth[at])[:TAKEN]
    return _toward(asked, [likely[at][1] for at in best], share)


def _toward(asked: bytes, vectors: Sequence[bytes], share: float) -> bytes:
    middle = [sum(values) for values in zip(*(memoryview(each).cast("b") for each in vectors), strict=True)]
    length = math.hypot(*middle)
    if not length:
        return asked
    scale = share * SCALE / length
    return row([own + scale * other for own, other in zip(memoryview(asked).cast("b"), middle, strict=True)])
