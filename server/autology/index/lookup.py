"""Looking words up: which texts hold some or all of what is asked for, and how well each answers.

Standard library only, for hooks look here too.
"""

from __future__ import annotations

import math

from autology.ranking import bm25
from autology.text.stems import stem
from autology.text.tokens import exact_forms, is_run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from autology.index.postings import Held, Postings

Scores = dict[int, dict[int, float]]
"""What texts score, by the row of their segment and their position in it."""
Match = tuple[float, int, int, int]
"""A text that matches: its score, its number, the row of its segment and its position in it."""
EXACT = 0.15
"""What a word counts that stands in a passage letter for letter, beside its stem.

bench/quality gains 0.3 nDCG@10 with 0.15 over none, and loses 0.5 with 0.4.
"""


class Unit:
    """One thing that is asked for: a text holds it by all words of any of its *ways*, and each word then counts."""

    __slots__ = ("ways", "words")

    def __init__(self, ways: Iterable[tuple[str, ...]]) -> None:
        self.ways = tuple(ways)
        self.words = tuple(dict.fromkeys(word for way in self.ways for word in way))

    def among(self, held: Mapping[str, Mapping[int, Held]], row: int) -> Collection[int]:
        """Return the positions of the texts in that segment that hold it."""
        if len(self.words) == 1:
            places = held[self.words[0]].get(row)
            return places[0] if places else ()
        found: set[int] = set()
        for way in self.ways:
            lists = [places[0] if (places := held[word].get(row)) else () for word in way]
            found.update(set(min(lists, key=len)).intersection(*lists))
        return found


def units(postings: Postings, terms: Iterable[tuple[str, ...]]) -> list[Unit]:
    """Return groups of tokens as what is looked up: an identifier as its whole or all of its parts."""
    found = []
    for group in terms:
        if is_run(group[0]):
            # A letter of a script without spaces begins a token wherever it stands.
            one = len(group) == 1 and len(group[0]) == 1
            found.append(Unit([(word,) for word in postings.beginning(group[0])] if one else [group]))
        else:
            stems = tuple(map(stem, group))
            found.append(Unit([stems[-1:], stems[:-1]] if len(stems) > 1 else [stems]))
    return found


def frequencies(postings: Postings, asked: Sequence[Unit]) -> list[int]:
    """Return in at most how many texts each of *asked* stands, those among them that are gone."""
    often = postings.often(word for unit in asked for word in unit.words)
    return [sum(min(often[word] for word in way) for way in unit.ways) for unit in asked]


def rarest(often: Sequence[int], most: int) -> list[int]:
    """Return the positions of the least of *often*, as many as together make no more than *most*, and one at least."""
    kept: list[int] = []
    for at in sorted(range(len(often)), key=often.__getitem__):
        most -= often[at]
        if most < 0 and kept:
            break
        kept.append(at)
    return kept


class Look:
    """The texts that hold some of *asked*, and what they score; *exact* are forms that count beside."""

    def __init__(
        self,
        postings: Postings,
        asked: Sequence[Unit],
        exact: Iterable[str] = (),
        scale: bm25.Scale = bm25.PASSAGES,
    ) -> None:
        self._postings = postings
        self._asked = asked
        self._scale = scale
        self._exact = tuple(exact)
        self.held = postings.held([*(word for unit in asked for word in unit.words), *self._exact])

    def scores(self, least: int = 1) -> Scores:
        """Return what the texts score that hold at least that many of what is asked for."""
        tables = {word: self._table(word, EXACT if word in self._exact else 1.0) for word in self.held}
        found: Scores = {}
        for row in self._postings.segments:
            scores: dict[int, float] = {}
            for unit in self._asked:
                among = unit.among(self.held, row) if len(unit.words) > 1 else None
                for word in unit.words:
                    self._add(scores, word, row, tables[word], among)
            for word in self._exact:
                self._add(scores, word, row, tables[word], None)
            if least > 1:
                enough = self._holding(row, least)
                scores = {at: score for at, score in scores.items() if at in enough}
            if scores:
                found[row] = scores
        return found

    def every(self) -> dict[int, set[int]]:
        """Return the positions of the texts that hold all that is asked for, by the row of their segment."""
        found: dict[int, set[int]] = {}
        for row in self._postings.segments:
            lists = sorted((unit.among(self.held, row) for unit in self._asked), key=len)
            if lists and len(lists[0]):
                found[row] = set(lists[0]).intersection(*lists[1:])
        return found

    def pairs(
        self, pairs: Iterable[tuple[str, str]]
    ) -> Iterator[tuple[tuple[str, str], dict[int, Held], dict[int, Held]]]:
        """Yield *pairs* of words that are to be looked for side by side, each with where its words stand."""
        pairs = list(pairs)
        others = {word for pair in pairs for word in pair if word not in self.held}
        held = self.held | self._postings.held(others)
        return ((pair, held[pair[0]], held[pair[1]]) for pair in pairs)

    def counts(self, holding: int, weight: float = 1.0) -> list[float]:
        """Return what every byte of a word counts that so many texts hold."""
        worth = bm25.rarity(self._postings.count, holding)
        return bm25.table(worth, self._postings.average, self._scale, weight)

    def _table(self, word: str, weight: float) -> list[float]:
        return self.counts(sum(len(codes) for _, codes in self.held[word].values()), weight)

    def _add(
        self, scores: dict[int, float], word: str, row: int, counts: Sequence[float], among: Collection[int] | None
    ) -> None:
        places = self.held[word].get(row)
        if places is None:
            return
        positions, codes = places
        if among is None:
            bm25.add(scores, positions, codes, counts)
        else:
            some = [(at, code) for at, code in zip(positions, codes, strict=True) if at in among]
            bm25.add(scores, [at for at, _ in some], bytes(code for _, code in some), counts)

    def _holding(self, row: int, least: int) -> set[int]:
        times: dict[int, int] = {}
        for unit in self._asked:
            for at in unit.among(self.held, row):
                times[at] = times.get(at, 0) + 1
        return {at for at, many in times.items() if many >= least}


def within(postings: Postings, scores: Scores, projects: Collection[int]) -> Scores:
    """Return *scores* of texts that belong to one of *projects*."""
    found: Scores = {}
    for row, some in scores.items():
        own = postings.projects(row)
        if kept := {at: score for at, score in some.items() if own[at] in projects}:
            found[row] = kept
    return found


def between(postings: Postings, scores: Scores, first: int, last: int) -> Scores:
    """Return *scores* of texts whose numbers lie between *first* and *last*, both included."""
    found: Scores = {}
    for row, some in scores.items():
        texts = postings.texts(row)
        if kept := {at: score for at, score in some.items() if first <= texts[at] <= last}:
            found[row] = kept
    return found


def best_first(postings: Postings, scores: Scores, many: int) -> Iterator[list[Match]]:
    """Yield all texts that score in two parts, the best first: some *many*, and the others."""
    least, above = bm25.first(scores.values(), many), math.inf
    while True:
        some = [
            (-score, texts[at], row, at)
            for row, texts in ((row, postings.texts(row)) for row in scores)
            for at, score in scores[row].items()
            if least <= score < above
        ]
        some.sort()
        yield [(-score, text, row, at) for score, text, row, at in some]
        if least == -math.inf:
            return
        least, above = -math.inf, least


def exact(terms: Iterable[tuple[str, ...]]) -> list[str]:
    """Return what stands in the index for the very form of those *terms* that are words."""
    return [form for group in terms if len(group) == 1 for form in exact_forms(group)]
