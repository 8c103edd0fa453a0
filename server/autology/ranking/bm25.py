"""BM25 over posting codes: one byte holds a term's frequency in a text and the text's length.

Three bits encode the frequency and five the length, so scoring a posting is one lookup in a 256-entry table built
per query term. The best texts are rescored with their exact lengths.
"""

from __future__ import annotations

import math
from collections import namedtuple
from functools import cache, lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

K1, B = 1.2, 0.75
"""BM25 term-frequency saturation (k1) and length normalisation (b)."""
Scale = namedtuple("Scale", ("times", "shortest", "step"))
"""The meaning of a code's bits: frequencies (the last also for any higher one), and lengths that start at
*shortest* and grow by the factor *step*."""
PASSAGES = Scale((1, 2, 3, 4, 5, 7, 10, 16), 6, 1.16)
"""Up to 597 tokens. bench/quality: from 4, by 1.2, loses 0.4 MRR on pooled conversations."""
TITLES = Scale((0.5, 1, 2, 2.5, 4, 4.5, 6.5, 8), 3, 1.2)
"""Up to 854 tokens, because long notes have many headings (bench/quality: up to 152 loses 0.6 nDCG@10 on long
proposals). Frequencies are weighted by WEIGHTS. Changing a scale requires a new index version."""
WEIGHTS = (4, 2, 0.5)
"""Field weights of a term in title, tags and headings."""
PAIRS = 0.5
"""The weight of a pair of adjacent words, relative to one term of its rarity (bench/quality: 0.25 and 0.5 are level
over the sets, 0.5 gains 0.8 MRR on pooled conversations, 1.0 loses 0.3 nDCG@10)."""
EXACT = 0.15
"""The weight of a word's exact form, added to the score of its stem.

bench/quality gains 0.3 nDCG@10 with 0.15 over 0, and loses 0.5 with 0.4.
"""
LENGTH, MOST_TIMES = 0x1F, 0xE0
"""Bit masks of a code: length and frequency."""
SAMPLED, MARGIN = 8, 1.3
"""`first` estimates the cutoff from one in SAMPLED scores, and keeps MARGIN times as many as requested."""
MIN_WEIGHT = 1e-6
"""The minimum weight of a term, for terms that most texts contain."""


@cache
def times_bits(scale: Scale) -> dict[float, int]:
    """Map each frequency, in steps of one half, to its bits."""
    times = scale.times
    halves = (half / 2 for half in range(1, round(times[-1] * 2) + 1))
    return {half: min(range(8), key=lambda at: (abs(times[at] - half), at)) << 5 for half in halves}


@cache
def length_bits(scale: Scale) -> bytes:
    """Return the length bits for every token count up to the longest distinguishable one."""
    lengths = range(round(scale.shortest * scale.step**LENGTH) + 1)
    steps = (round(math.log(max(length, 1) / scale.shortest, scale.step)) for length in lengths)
    return bytes(max(0, min(LENGTH, step)) for step in steps)


def rarity(texts: int, containing: int) -> float:
    """Return a term's inverse document frequency: *containing* of *texts* texts contain it."""
    return max(math.log(max(texts - containing + 0.5, 0.5) / (containing + 0.5)), MIN_WEIGHT)


def norm(length: float, average: float) -> float:
    """Return the frequency at which a term in a text of *length* tokens reaches half of its maximum score."""
    return K1 * (1 - B + B * length / (average or 1.0))


def saturated(times: float, norm: float) -> float:
    """Return the score of a term that occurs *times* in a text with that *norm*, without its idf."""
    return times * (K1 + 1) / (times + norm)


def table(idf: float, average: float, scale: Scale, weight: float = 1.0) -> CodeScores:
    """Return the score of each of the 256 codes, for a term with idf *idf* whose occurrences count *weight*."""
    return CodeScores(idf, _bytes(average, scale, weight))


class CodeScores(dict[int, float]):
    """The score of each code, worked out when it is asked for: most terms have a few dozen."""

    __slots__ = ("_idf", "_of_codes")

    def __init__(self, idf: float, of_codes: Sequence[float]) -> None:
        self._idf, self._of_codes = idf, of_codes

    def __missing__(self, code: int) -> float:
        score: float = self._idf * self._of_codes[code]
        self[code] = score
        return score


@lru_cache(maxsize=16)
def _bytes(average: float, scale: Scale, weight: float) -> list[float]:
    lengths = (scale.shortest * scale.step**at for at in range(LENGTH + 1))
    norms = [norm(length, average) for length in lengths]
    return [saturated(times * weight, norm) for times in scale.times for norm in norms]


def refined(scores: Iterable[float], lengths: Iterable[int], average: float, scale: Scale) -> list[float]:
    """Correct *scores*, computed from quantised lengths, by the exact *lengths*, assuming a frequency of one.

    bench/quality gains 0.6 nDCG@10 on long proposals, as much as storing exact lengths.
    """
    quantised = _lengths(scale)
    last = len(quantised) - 1
    once, per = 1 + K1 * (1 - B), K1 * B / (average or 1.0)
    return [
        score * (once + per * quantised[min(last, length)]) / (once + per * length)
        for score, length in zip(scores, lengths, strict=True)
    ]


@cache
def _lengths(scale: Scale) -> list[float]:
    """Return the quantised length of every token count."""
    return [scale.shortest * scale.step**bits for bits in length_bits(scale)]


def add(scores: dict[int, float], positions: Iterable[int], codes: bytes, counts: CodeScores) -> None:
    """Add one term's scores to *scores*, at its *positions*."""
    values = map(counts.__getitem__, codes)
    if not scores:
        scores.update(zip(positions, values))  # noqa: B905 - equal lengths are guaranteed; inner loop
        return
    score_at = scores.get
    for at, value in zip(positions, values):  # noqa: B905
        scores[at] = score_at(at, 0.0) + value


def first(scores: Iterable[Mapping[int, float]], count: int) -> float:
    """Return the *count*-th best of all *scores*; -inf if there are at most *count*."""
    values = [value for partial in scores for value in partial.values()]
    if len(values) <= count:
        return -math.inf
    if len(values) > 2 * count:
        # Sorting dominates: a cutoff estimated from a sample leaves few values to sort.
        sample = sorted(values[::SAMPLED])
        cutoff = sample[-min(len(sample), round(count * MARGIN / SAMPLED) + 1)]
        candidates = [value for value in values if value >= cutoff]
        values = candidates if len(candidates) >= count else values
    values.sort()
    return values[-count]
