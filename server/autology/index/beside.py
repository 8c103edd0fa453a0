"""Words of a question that stand side by side, looked for in the passages that answer best."""

from __future__ import annotations

import sqlite3
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from autology.index.found import batches, marks
from autology.index.lookup import Look, Match
from autology.index.postings import Held, malformed
from autology.ranking import bm25
from autology.text import sequence
from autology.text.stems import stem


@dataclass(frozen=True, slots=True)
class Both:
    """Two words, in how many passages both stand, and how long those among the best are, by number."""

    pair: tuple[str, str]
    many: int
    lengths: dict[int, int]


def scores(
    db: sqlite3.Connection, look: Look, pairs: Iterable[tuple[str, str]], best: Sequence[Match]
) -> dict[int, float]:
    """Return what *pairs* add to those of the *best* passages, by number, in which they stand side by side."""
    positions: dict[int, dict[int, int]] = {}
    for _, number, row, at in best:
        positions.setdefault(row, {})[at] = number
    stems = [(stem(one), stem(two)) for one, two in pairs]
    there = [_both(pair, one, two, positions) for pair, one, two in look.pairs(stems)]
    order = orders(db, list({number for each in there for number in each.lengths}))
    found: dict[int, float] = {}
    bits = bm25.times_bits(bm25.PASSAGES)
    for each in there:
        times = {number: sequence.times(each.pair, order.get(number, b"")) for number in each.lengths}
        holding = sum(map(bool, times.values()))
        if not holding:
            continue
        # How rare a pair is everywhere is told by how many of the passages that were looked into hold it.
        counts = look.counts(round(each.many * holding / len(times)))
        for number, many in times.items():
            if many:
                code = bits.get(many, bm25.MOST_TIMES) | each.lengths[number]
                found[number] = found.get(number, 0.0) + counts[code]
    return found


def _both(pair: tuple[str, str], one: dict[int, Held], two: dict[int, Held], best: dict[int, dict[int, int]]) -> Both:
    many, lengths = 0, {}
    for row in one.keys() & two.keys():
        positions, codes = one[row]
        together = set(positions).intersection(two[row][0])
        many += len(together)
        numbers = best.get(row, {})
        for at in numbers.keys() & together:
            lengths[numbers[at]] = codes[bisect_left(positions, at)] & bm25.LENGTH
    return Both(pair, many, lengths)


def orders(db: sqlite3.Connection, passages: Sequence[int]) -> dict[int, bytes]:
    """Return the words of passages, by number, as `text.sequence` writes them."""
    found: dict[int, bytes] = {}
    for some in batches(passages):
        found.update(db.execute(f"SELECT rowid, words FROM passage WHERE rowid IN ({marks(some)})", some))
    if not all(isinstance(words, bytes) for words in found.values()):
        raise malformed()
    return found
