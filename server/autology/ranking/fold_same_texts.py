"""Folding: near-identical texts among hits are shown once, the best one represents the others."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate, chain, count
from operator import add
from zlib import crc32

MIN_WORDS = 30
"""Minimum number of words: two short texts may coincide and mean different things."""
MIN_SHARED = 0.9
"""The minimum common share of the shorter text's word trigrams, as of a record and the node created from it."""
_WORD = re.compile(r"\w+")

Trigrams = frozenset[tuple[str, str, str]]


def folded(texts: Sequence[str]) -> list[int | None]:
    """Return for each of *texts*, best first, the index of the earlier text it duplicates, or None."""
    originals: list[int | None] = []
    distinct: list[tuple[int, Trigrams]] = []
    for at, text in enumerate(texts):
        own_trigrams = trigrams(text)
        first = next((index for index, other in distinct if nearly_same(own_trigrams, other)), None)
        originals.append(first)
        if first is None and own_trigrams:
            distinct.append((at, own_trigrams))
    return originals


def trigrams(text: str) -> Trigrams:
    """Return the word trigrams of *text*; empty if the text is too short to compare."""
    words = _WORD.findall(text.casefold())
    return frozenset(zip(words, words[1:], words[2:], strict=False)) if len(words) >= MIN_WORDS else frozenset()


def trigram_hashes(text: str) -> Sequence[int]:
    """Return a hash of each word trigram of *text*, in order; empty if the text is too short to compare."""
    words = _WORD.findall(text.casefold())
    if len(words) < MIN_WORDS:
        return ()
    # In bulk, as slices of one string: to make a tuple and a string of each takes twice as long.
    coded = [*map(str.encode, words)]
    lengths = [*accumulate(map(len, coded))]
    starts, stops = chain((0,), map(add, lengths, count(1))), map(add, lengths[2:], count(2))
    return [*map(crc32, map(b" ".join(coded).__getitem__, map(slice, starts, stops)))]


def nearly_same(one: Trigrams, other: Trigrams) -> bool:
    """Whether texts with these trigrams are the same except for a few words.

    The same words in another order do not: in a long text, `A calls B` is not `B calls A`.
    """
    shorter = min(len(one), len(other))
    alike = 2 * shorter >= max(len(one), len(other), 1) and len(one & other) >= MIN_SHARED * shorter
    return alike and (one == other or _words(one) != _words(other))


def _words(runs: Trigrams) -> set[str]:
    return {word for trigram in runs for word in trigram}
