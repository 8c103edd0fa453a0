"""How well texts answer by their words: BM25, of bytes that say how often a word stands in a text and how long that is.

Three bits are for how often, five for how long, so that a score is one look into a table of 256, made for a word of a
question. What five bits leave out of a length is made up for in the texts that answer best.
"""

from __future__ import annotations

import math
from collections import namedtuple
from functools import cache, lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

K1, B = 1.2, 0.75
"""How soon a word counts no more for standing there once more, and how much a long text loses by its length."""
Scale = namedtuple("Scale", ("times", "shortest", "step"))
"""What the bits of a byte stand for: how often, more being the last, and lengths from the shortest, each *step* times
the one before it."""
PASSAGES = Scale((1, 2, 3, 4, 5, 7, 10, 16), 6, 1.16)
"""Up to 597 tokens. bench/quality: from 4, by 1.2, loses 0.4 MRR on pooled conversations."""
TITLES = Scale((0.5, 1, 2, 2.5, 4, 4.5, 6.5, 8), 3, 1.2)
"""Up to 854 tokens, for a long note has many headings (bench/quality: up to 152 loses 0.6 nDCG@10 on long proposals).
How often counts by where: in the title 4, in tags 2, in headings 0.5. A new scale is a new version of the tables."""
WEIGHTS = (4, 2, 0.5)
"""What a word counts in title, tags and headings: in the title it says most about a note, in a heading least."""
PAIRS = 0.5
"""What a pair of words side by side adds, of its rank as one term (bench/quality: 0.25 and 0.5 are level over the
sets, 0.5 gains 0.8 MRR on pooled conversations, 1.0 loses 0.3 nDCG@10)."""
EXACT = 0.15
"""What a word counts that stands in a passage letter for letter, beside its stem.

bench/quality gains 0.3 nDCG@10 with 0.15 over none, and loses 0.5 with 0.4.
"""
LENGTH, MOST_TIMES = 0x1F, 0xE0
"""The bits of a byte that are for the length, and those for how often, all set."""
SAMPLED, MARGIN = 8, 1.3
"""One of so many scores is looked at to guess what the best reach, and by how many more are left than are asked for."""
LEAST = 1e-6
"""What a word counts that most texts hold."""


@cache
def times_bits(scale: Scale) -> dict[float, int]:
    """Return the bits of how often, up to the most, in halves."""
    times = scale.times
    halves = (half / 2 for half in range(1, round(times[-1] * 2) + 1))
    return {half: min(range(8), key=lambda at: (abs(times[at] - half), at)) << 5 for half in halves}


@cache
def length_bits(scale: Scale) -> bytes:
    """Return the bits of every length in tokens up to the longest that is told from others."""
    lengths = range(round(scale.shortest * scale.step**LENGTH) + 1)
    steps = (round(math.log(max(length, 1) / scale.shortest, scale.step)) for length in lengths)
    return bytes(max(0, min(LENGTH, step)) for step in steps)


def rarity(texts: int, holding: int) -> float:
    """Return what a word counts that so many of all *texts* hold."""
    return max(math.log(max(texts - holding + 0.5, 0.5) / (holding + 0.5)), LEAST)


def table(worth: float, average: float, scale: Scale, weight: float = 1.0) -> list[float]:
    """Return what every byte counts, for a word of that *worth* whose occurrences have *weight*."""
    return [worth * each for each in _bytes(average, scale, weight)]


@lru_cache(maxsize=16)
def _bytes(average: float, scale: Scale, weight: float) -> list[float]:
    lengths = (scale.shortest * scale.step**at for at in range(LENGTH + 1))
    norms = [K1 * (1 - B + B * length / (average or 1.0)) for length in lengths]
    return [many * weight * (K1 + 1) / (many * weight + norm) for many in scale.times for norm in norms]


def refined(scores: Iterable[float], lengths: Iterable[int], average: float, scale: Scale) -> list[float]:
    """Return texts' *scores*, which their bits gave, by their very *lengths*: as if all words stood there once.

    bench/quality gains 0.6 nDCG@10 on long proposals, as much as with lengths kept whole.
    """
    told = _lengths(scale)
    last = len(told) - 1
    once, per = 1 + K1 * (1 - B), K1 * B / (average or 1.0)
    return [
        score * (once + per * told[min(last, length)]) / (once + per * length)
        for score, length in zip(scores, lengths, strict=True)
    ]


@cache
def _lengths(scale: Scale) -> list[float]:
    """Return what the bits of every length stand for."""
    return [scale.shortest * scale.step**bits for bits in length_bits(scale)]


def add(scores: dict[int, float], positions: Iterable[int], codes: bytes, counts: Sequence[float]) -> None:
    """Add to *scores* what a word counts at its *positions*."""
    values = map(counts.__getitem__, codes)
    if not scores:
        scores.update(zip(positions, values))  # noqa: B905 - as many as the index vouches for, and in the inner loop
        return
    known = scores.get
    for at, value in zip(positions, values):  # noqa: B905
        scores[at] = known(at, 0.0) + value


def first(scores: Iterable[Mapping[int, float]], many: int) -> float:
    """Return the score that so *many* of all *scores* reach; one that all reach where there are no more."""
    values = [value for each in scores for value in each.values()]
    if len(values) <= many:
        return -math.inf
    if len(values) > 2 * many:
        # Sorting is what takes long: what some of them tell leaves few to be sorted.
        some = sorted(values[::SAMPLED])
        near = some[-min(len(some), round(many * MARGIN / SAMPLED) + 1)]
        few = [value for value in values if value >= near]
        values = few if len(few) >= many else values
    values.sort()
    return values[-many]
