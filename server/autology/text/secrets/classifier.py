"""Secrets in formats that no rule covers, found by a linear classifier.

A candidate word is a secret if the weights of its features and of its context add up to more than a limit. The weights
were learned from labelled texts (bench/scorer).
"""

from __future__ import annotations

import os
from bisect import bisect_left
from itertools import accumulate, islice
from zlib import crc32

from autology.text.secrets import Secret
from autology.text.secrets.candidates import (
    BRIEF,
    PATTERNS,
    candidates,
    digits,
    is_plain,
    parts,
    tokens,
    without_public,
    words,
)
from autology.text.secrets.context_features import context_features
from autology.text.secrets.token_features import token_features

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from importlib.abc import SourceLoader

    _Heavy = tuple[int, int, int, str]
    """A candidate that weighs enough for its context to be examined: its start, stop, weight and class."""

LETTERS = 27
"""The letters a to z, and the boundary of a word."""
TRIGRAMS = LETTERS**3
BITS = 15
"""Of a feature's hash, by which its weight is looked up."""
_CACHED = 4_096
"""Words whose total is cached, as they occur again."""
_CACHED_WORDS, _CACHED_LENGTH = 30_000, 80
"""Words of brief texts whose candidates are cached, a seventh of a kilobyte each, and their maximum length."""
_BEFORE, _AFTER = 150, 250
"""Characters around a word such as "password" that are searched in a long text."""
_LISTED, _GAP = 3, 60
"""Secrets of one kind and length that make a list, and the most characters between two of them."""
_KINDS = {"d": "code", "g": "code", "M": "secret", "x": "secret"}


class FeatureWeights:
    """The classifier as stored: a header of four numbers, a byte for each trigram of letters, a byte for each feature.

    A trigram's byte says how rare it is in words, in sixteenths of a bit.
    """

    def __init__(self, data: bytes) -> None:
        head, _, rest = data.partition(b"\n")
        bias, scale, gate, limit = (float(number) for number in head.split()[1:])
        self.scale, self.gate, self.limit = scale, gate / scale, (limit - bias) / scale
        self.trigrams = rest[:TRIGRAMS]
        self.weights = memoryview(rest[TRIGRAMS:]).cast("b")
        self._words: dict[tuple[str, str], tuple[int, str]] = {}
        self._runs: dict[str, float] = {}
        self.heavy_words = _HeavyWords(self)

    def word(self, value: str, kind: str) -> tuple[int, str]:
        """Return the total weight of a word's features, and its class."""
        cached = self._words.get((value, kind))
        if cached is None:
            features, token_class = token_features(value, kind, self.surprise)
            if len(self._words) >= _CACHED:
                self._words.clear()
                self._runs.clear()
            cached = self._words[value, kind] = (self.total(features), token_class)
        return cached

    def heavy(self, word: str) -> tuple[_Heavy, ...]:
        """Return the candidates in a *word* of a brief text that weigh enough, placed in the word."""
        heavy = []
        for start, stop in tokens(word):
            for first, last in parts(word, start, stop):
                total, token_class = self.word(word[first:last], "token")
                if total >= self.gate:
                    heavy.append((first, last, total, token_class))
        return tuple(heavy)

    def total(self, features: Iterable[str]) -> int:
        """Return the total weight of *features*."""
        weights, mask = self.weights, (1 << BITS) - 1
        return sum([weights[index] for index in {crc32(feature.encode()) & mask for feature in features}])

    def surprise(self, run: str) -> float:
        """Return the average surprise of a letter in *run*, in bits, by the trigrams of words."""
        cached = self._runs.get(run)
        if cached is None:
            codes = (LETTERS - 1, *(code - 97 for code in run.lower().encode()), LETTERS - 1)
            triples = zip(codes, codes[1:], codes[2:], strict=False)
            total = sum([self.trigrams[(one * LETTERS + two) * LETTERS + three] for one, two, three in triples])
            cached = self._runs[run] = total / 16 / len(run)
        return cached


class _HeavyWords(dict[bytes, "tuple[_Heavy, ...]"]):
    """A cache of the candidates in words: they depend on the word alone, and most of a text's words are known."""

    def __init__(self, weights: FeatureWeights) -> None:
        self._weights = weights

    def at_hand(self) -> _HeavyWords:
        """Return itself, with room for more."""
        if len(self) > _CACHED_WORDS:
            self.clear()
        return self

    def __missing__(self, word: bytes) -> tuple[_Heavy, ...]:
        heavy = () if is_plain(word) else self._weights.heavy(word.decode("ascii"))
        if len(word) < _CACHED_LENGTH:
            self[word] = heavy
        return heavy


_shipped: list[FeatureWeights] = []


def shipped_weights() -> FeatureWeights:
    """Return the weights in ``scored.bin``, read on first use."""
    if not _shipped:
        # By the loader, as hooks are loaded from an archive.
        loader: SourceLoader = __loader__  # type: ignore[name-defined]
        _shipped.append(FeatureWeights(loader.get_data(os.path.join(os.path.dirname(__file__), "scored.bin"))))
    return _shipped[0]


def scored(
    text: str, low: str, words: Sequence[str], known: Sequence[Secret], weights: FeatureWeights | None = None
) -> Iterator[Secret]:
    """Yield the words of *text* that score as secrets and do not overlap a *known* one; *low* is it in lower case.

    In a long text, only candidates near one of *words*, which occur in it, are scored. The number of contexts examined
    grows with the text; a list of checksums would have more.
    """
    weights = weights or shipped_weights()
    if "[redacted:" in low:
        # A redacted secret must not make its neighbours look like one.
        text, low = (PATTERNS["mark"].sub(lambda mark: "_" * len(mark[0]), part) for part in (text, low))
    contexts_left = 200 + len(text) // 1_000
    spans = _Spans(known)
    heavy = in_brief(text, weights) if len(text) <= BRIEF else _in_long(text, _near(low, words), weights)
    secrets: list[Secret] = []
    others: list[Secret] = []
    for start, stop, total, token_class in heavy:
        if spans.overlap(start, stop):
            continue
        contexts_left -= 1
        if contexts_left < 0:
            break
        context = context_features(text, low, start, stop, token_class)
        is_secret = context is not None and total + weights.total(context) > weights.limit
        (secrets if is_secret else others).append((_KINDS.get(token_class, "password"), start, stop))
    yield from secrets
    if len(secrets) >= _LISTED:
        yield from _continuing_list(secrets, others)


def _in_long(text: str, near: Sequence[tuple[int, int]], weights: FeatureWeights) -> Iterator[_Heavy]:
    """Yield the candidates of a long text that weigh enough for their context to be examined."""
    for start, stop, kind in islice(candidates(text, near), 1_000 + len(text) // 256):
        total, token_class = weights.word(text[start:stop], kind)
        if total >= weights.gate:
            yield start, stop, total, token_class


def in_brief(text: str, weights: FeatureWeights) -> Iterator[_Heavy]:
    """Yield the same of a brief text, of whose words most are known by now."""
    text = without_public(text)
    apart = words(text)
    by_word = list(map(weights.heavy_words.at_hand().__getitem__, apart))
    if any(by_word):
        raw = b"" if text.isascii() else text.encode("utf-8", "surrogatepass")
        start = 0
        for word, heavy in zip(apart, by_word, strict=True):
            at = len(raw[:start].decode("utf-8", "surrogatepass")) if raw and heavy else start
            for first, last, total, token_class in heavy:
                yield at + first, at + last, total, token_class
            start += len(word) + 1
    for start, stop, kind in digits(text):
        total, token_class = weights.word(text[start:stop], kind)
        if total >= weights.gate:
            yield start, stop, total, token_class


def _continuing_list(secrets: Sequence[Secret], others: Iterable[Secret]) -> Iterator[Secret]:
    """Yield those of *others* that continue a list of secrets: of its kind and length, and close to its last item."""
    ends: dict[tuple[str, int], list[int]] = {}
    for kind, start, stop in secrets:
        ends.setdefault((kind, stop - start), []).append(stop)
    for kind, start, stop in others:
        listed = ends.get((kind, stop - start), [])
        if len(listed) >= _LISTED and listed[-1] <= start <= listed[-1] + _GAP:
            listed.append(stop)
            yield kind, start, stop


def _near(low: str, words: Iterable[str]) -> list[tuple[int, int]]:
    """Return the surroundings of the *words* in *low*, as spans."""
    starts: set[int] = set()
    for word in words:
        at = low.find(word) if word.isalpha() else -1
        while at >= 0:
            starts.add(at)
            at = low.find(word, at + _BEFORE)
    return [(max(0, at - _BEFORE), at + _AFTER) for at in sorted(starts)]


class _Spans:
    """The positions of secrets, for fast lookup."""

    def __init__(self, secrets: Sequence[Secret]) -> None:
        spans = sorted((start, stop) for _, start, stop in secrets)
        self._starts = [start for start, _ in spans]
        self._stops = list(accumulate((stop for _, stop in spans), max))

    def overlap(self, start: int, stop: int) -> bool:
        """Whether one of them overlaps the span from *start* to *stop*."""
        index = bisect_left(self._starts, stop) - 1
        return index >= 0 and self._stops[index] > start
