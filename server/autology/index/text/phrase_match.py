"""Phrase matches: words of a query that stand side by side in the best passages."""

from __future__ import annotations

import sqlite3
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress

from autology.index.checked_rows import batches
from autology.index.readonly import placeholders
from autology.index.text.posting_search import Match, TermSearch
from autology.index.text.postings import PostingList, malformed
from autology.ranking import bm25
from autology.text.language import word_order
from autology.text.stemmer import stem


@dataclass(frozen=True, slots=True)
class PairMatches:
    """A word pair: the number of passages with both words, and the length codes of the best ones, by passage row."""

    pair: tuple[str, str]
    count: int
    lengths: dict[int, int]


def scores(
    db: sqlite3.Connection,
    known: dict[int, bytes],
    search: TermSearch,
    pairs: Iterable[tuple[str, str]],
    best: Sequence[Match],
) -> dict[int, float]:
    """Return the BM25 score of *pairs* for those of the *best* passages, by row, in which they are adjacent.

    *known* are word sequences of passages; those read are added.
    """
    positions: dict[int, dict[int, int]] = {}
    for _, number, row, at in best:
        positions.setdefault(row, {})[at] = number
    stems = [(stem(one), stem(two)) for one, two in pairs]
    candidates = [_pair_matches(pair, one, two, positions) for pair, one, two in search.pairs(stems)]
    order = orders(db, {number for candidate in candidates for number in candidate.lengths}, known)
    totals: dict[int, float] = {}
    bits = bm25.times_bits(bm25.PASSAGES)
    for candidate in candidates:
        lengths = candidate.lengths
        times = word_order.times_in(candidate.pair, [order.get(number, b"") for number in lengths])
        containing = len(times) - times.count(0)
        if not containing:
            continue
        # The pair's document frequency is extrapolated from the passages inspected.
        counts = search.counts(round(candidate.count * containing / len(times)))
        for number, count in compress(zip(lengths, times, strict=True), times):
            code = bits.get(count, bm25.MOST_TIMES) | lengths[number]
            totals[number] = totals.get(number, 0.0) + counts[code]
    return totals


def _pair_matches(
    pair: tuple[str, str], one: dict[int, PostingList], two: dict[int, PostingList], best: dict[int, dict[int, int]]
) -> PairMatches:
    count, lengths = 0, {}
    for row in one.keys() & two.keys():
        positions, codes = one[row]
        together = set(positions).intersection(two[row][0])
        count += len(together)
        numbers = best.get(row, {})
        for at in numbers.keys() & together:
            lengths[numbers[at]] = codes[bisect_left(positions, at)] & bm25.LENGTH
    return PairMatches(pair, count, lengths)


def orders(db: sqlite3.Connection, passages: Iterable[int], known: dict[int, bytes]) -> Mapping[int, bytes]:
    """Return the word sequences of at least *passages*, by row, as `text.sequence` encodes them.

    Those *known* are not read again; those read are added to them.
    """
    for batch in batches([passage for passage in passages if passage not in known]):
        read = db.execute(f"SELECT rowid, words FROM passage WHERE rowid IN ({placeholders(batch)})", batch).fetchall()
        if not all(isinstance(words, bytes) for _, words in read):
            raise malformed()
        known.update(read)
    return known
