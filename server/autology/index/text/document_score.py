"""How well a source as a whole matches: BM25 over its best passages taken together.

A word counts once for a source, however many of its passages repeat it: a name in every passage says little, and words
that are spread over several passages say as much as they would in one.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Sequence

from autology.index.text.posting_search import Match, TermSearch
from autology.index.text.postings import PostingList, Postings
from autology.ranking import bm25


def scores(
    postings: Postings,
    search: TermSearch,
    matches: Sequence[tuple[Match, int]],
    sources: Collection[int],
    average: float,
) -> dict[int, float]:
    """Return the score of each of *sources*, by row, from its passages among *matches*.

    *average* is the average length of a source.
    """
    passages: dict[int, list[tuple[int, int]]] = {}
    norms: dict[int, float] = {}
    for (*_, row, at), source in matches:
        if source in sources:
            passages.setdefault(row, []).append((at, source))
            if source not in norms:
                norms[source] = bm25.norm(postings.source_length(row, at), average)
    ordered = {row: sorted(members) for row, members in passages.items()}
    totals, most = dict.fromkeys(norms, 0.0), bm25.K1 + 1
    for idf, lists in search.stems():
        times: dict[int, float] = {}
        for row in lists.keys() & ordered.keys():
            _count(times, lists[row], ordered[row])
        for source, frequency in times.items():
            totals[source] += idf * (frequency * most / (frequency + norms[source]))  # bm25.saturated, in line
    return totals


def _count(times: dict[int, float], postings: PostingList, passages: Sequence[tuple[int, int]]) -> None:
    """Add to *times*, for the source of each of *passages*, sorted by position, the frequency of a word there."""
    positions, codes = postings
    scale, last, index = bm25.PASSAGES.times, len(positions), 0
    for at, source in passages:
        index = bisect_left(positions, at, index)
        if index == last:
            return
        if positions[index] == at:
            times[source] = times.get(source, 0.0) + scale[codes[index] >> 5]
