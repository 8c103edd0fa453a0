"""Secrets in forms that no rule knows: words that look like one, where what stands around them says so.

A table of weights, learned from labelled texts (bench/scorer), adds up features of the word and of what is around it.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from itertools import accumulate, islice
from zlib import crc32

from autology.text.secrets import Secret
from autology.text.secrets.candidates import BRIEF, PATTERNS, candidates
from autology.text.secrets.context_features import surroundings
from autology.text.secrets.token_features import Traits, traits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from importlib.abc import SourceLoader


LETTERS = 27
"""Letters of a to z, and the edge of a word."""
TRIGRAMS = LETTERS**3
BITS = 15
_KEPT = 4_096
"""Words whose sum is kept; they come back."""
_BEFORE, _AFTER = 150, 250
"""Characters before and after a word for a secret in which one may stand in a long text."""
_ALIKE, _CLOSE = 3, 60
"""Secrets of one kind and length that make a list, and the characters from one to the next."""
_KINDS = {"d": "code", "g": "code", "M": "secret", "x": "secret"}


class Table:
    """Weights as they were written: four numbers in a header, how unlike words three letters are, a byte a feature."""

    def __init__(self, data: bytes) -> None:
        head, _, rest = data.partition(b"\n")
        bias, scale, gate, limit = (float(number) for number in head.split()[1:])
        self.scale, self.gate, self.limit = scale, gate / scale, (limit - bias) / scale
        self.trigrams = rest[:TRIGRAMS]
        self.weights = memoryview(rest[TRIGRAMS:]).cast("b")
        self._words: dict[tuple[str, str], tuple[int, str]] = {}
        self._runs: dict[str, float] = {}

    def word(self, value: str, kind: str) -> tuple[int, str]:
        """Return what the features of a word add up to, and its class."""
        known = self._words.get((value, kind))
        if known is None:
            found: Traits = traits(value, kind, self.surprise)
            if len(self._words) >= _KEPT:
                self._words.clear()
                self._runs.clear()
            known = self._words[value, kind] = (self.total(found[0]), found[1])
        return known

    def total(self, features: Iterable[str]) -> int:
        """Return what *features* add up to."""
        weights, mask = self.weights, (1 << BITS) - 1
        return sum([weights[place] for place in {crc32(feature.encode()) & mask for feature in features}])

    def surprise(self, run: str) -> float:
        """Return the bits that a letter of *run* brings on average, to one who knows words."""
        known = self._runs.get(run)
        if known is None:
            codes = (LETTERS - 1, *(code - 97 for code in run.lower().encode()), LETTERS - 1)
            triples = zip(codes, codes[1:], codes[2:], strict=False)
            total = sum([self.trigrams[(one * LETTERS + two) * LETTERS + three] for one, two, three in triples])
            known = self._runs[run] = total / 16 / len(run)
        return known


_tables: list[Table] = []


def table() -> Table:
    """Return the table that was shipped, read when it is first asked for."""
    if not _tables:
        # By the loader, for hooks are loaded from an archive.
        loader: SourceLoader = __loader__  # type: ignore[name-defined]
        _tables.append(Table(loader.get_data(os.path.join(os.path.dirname(__file__), "scored.bin"))))
    return _tables[0]


def scored(
    text: str, low: str, words: Sequence[str], found: Sequence[Secret], weights: Table | None = None
) -> Iterator[Secret]:
    """Yield the words of *text* that are secrets by their score, but none where something was *found*.

    In a long text, only those near one of *words*, which occur in it, are looked at. Only so many are looked at closely
    as a text of its length may hold; a list of checksums has more.
    """
    weights = weights or table()
    if "[redacted:" in low:
        # What was taken out before says nothing of what stands beside it.
        text, low = (PATTERNS["mark"].sub(lambda mark: "_" * len(mark[0]), part) for part in (text, low))
    closely = 200 + len(text) // 1_000
    spans = _Spans(found)
    near = _near(low, words) if len(text) > BRIEF else None
    secret: list[Secret] = []
    others: list[Secret] = []
    for start, stop, kind in islice(candidates(text, near), 1_000 + len(text) // 256):
        total, sort = weights.word(text[start:stop], kind)
        if total < weights.gate or spans.meet(start, stop):
            continue
        closely -= 1
        if closely < 0:
            break
        around = surroundings(text, low, start, stop, sort)
        sure = around is not None and total + weights.total(around) > weights.limit
        (secret if sure else others).append((_KINDS.get(sort, "password"), start, stop))
    yield from secret
    if len(secret) >= _ALIKE:
        yield from _alike(secret, others)


def _alike(secret: Sequence[Secret], others: Iterable[Secret]) -> Iterator[Secret]:
    """Yield those of *others* that go on a list of secrets: of one kind and length, and close to the last."""
    ends: dict[tuple[str, int], list[int]] = {}
    for kind, start, stop in secret:
        ends.setdefault((kind, stop - start), []).append(stop)
    for kind, start, stop in others:
        listed = ends.get((kind, stop - start), [])
        if len(listed) >= _ALIKE and listed[-1] <= start <= listed[-1] + _CLOSE:
            listed.append(stop)
            yield kind, start, stop


def _near(low: str, words: Iterable[str]) -> list[tuple[int, int]]:
    """Return where *words* stand in *low*, with what is near them."""
    places: set[int] = set()
    for word in words:
        at = low.find(word) if word.isalpha() else -1
        while at >= 0:
            places.add(at)
            at = low.find(word, at + _BEFORE)
    return [(max(0, at - _BEFORE), at + _AFTER) for at in sorted(places)]


class _Spans:
    """Where something was found, to be asked quickly."""

    def __init__(self, found: Sequence[Secret]) -> None:
        spans = sorted((start, stop) for _, start, stop in found)
        self._starts = [start for start, _ in spans]
        self._stops = list(accumulate((stop for _, stop in spans), max))

    def meet(self, start: int, stop: int) -> bool:
        """Whether something was found between *start* and *stop*, or around them."""
        place = bisect_left(self._starts, stop) - 1
        return place >= 0 and self._stops[place] > start
