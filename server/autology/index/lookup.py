"""Looking words up: which texts hold some or all of what is asked for, and how well each answers.

Standard library only, for hooks look here too.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import Counter
from itertools import compress

from autology.index.postings import malformed
from autology.ranking import bm25
from autology.text.stems import stem
from autology.text.tokens import exact_forms, is_run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from autology.index.postings import Held, Postings

    Narrow = Callable[[int, Iterable[int]], Iterable[object]]
    """Tells, of a segment's row and positions in it, which of these texts may be found."""

Match = tuple[float, int, int, int]
"""A text that matches: its score, its number, the row of its segment and its position in it."""
SEEK = 16
"""Places of a list that are gone through in the time in which one is looked for."""


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
            found.update(_shared(sorted(lists, key=len)))
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
        self._counted: list[tuple[str, Sequence[float], Unit | None]] | None = None

    def best(self, many: int, least: int = 1, narrow: Narrow | None = None) -> list[Match]:
        """Return the *many* best of the texts that hold at least so many of what is asked for and pass *narrow*."""
        found = {row: scores for row in self._postings.segments if (scores := self._scores(row, least, narrow))}
        enough = bm25.first(found.values(), many)
        some = [
            (-score, texts[at], row, at)
            for row, texts in ((row, self._postings.texts(row)) for row in found)
            for at, score in found[row].items()
            if score >= enough
        ]
        some.sort()
        return [(-score, text, row, at) for score, text, row, at in some[:many]]

    def every(self) -> dict[int, set[int]]:
        """Return the positions of the texts that hold all that is asked for, by the row of their segment."""
        found: dict[int, set[int]] = {}
        for row in self._postings.segments:
            if there := self._holding_all(row):
                found[row] = set(there)
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

    def _scores(self, row: int, least: int, narrow: Narrow | None) -> dict[int, float]:
        """Return what the texts of that segment score, by their positions."""
        few = self._few(row, least, narrow) if least > 1 else None
        scores: dict[int, float] = {}
        among: dict[Unit, list[int]] = {}
        if few is not None and not few:
            return scores
        for word, counts, unit in self._counting:
            if (places := self.held[word].get(row)) is None:
                continue
            if few is not None:
                places = _among(places, few)
            if unit is not None and (few is None or least < len(self._asked)):  # else each of the few holds it
                if unit not in among:
                    among[unit] = sorted(unit.among(self.held, row))
                places = _among(places, among[unit])
            if few is None and narrow is not None:
                places = _those(places, narrow(row, places[0]))
            bm25.add(scores, *places, counts)
        return scores

    def _few(self, row: int, least: int, narrow: Narrow | None) -> list[int]:
        """Return the positions of the texts in that segment that hold so many of what is asked for, in order."""
        few = sorted(self._holding(row, least))
        return list(compress(few, narrow(row, few))) if narrow is not None and few else few

    @property
    def _counting(self) -> list[tuple[str, Sequence[float], Unit | None]]:
        """What every word counts by its bytes; and the unit that a text must hold for it, where that has others.

        The commonest word comes first: what is added to nothing costs least.
        """
        if self._counted is None:
            asked = [(word, 1.0, unit if len(unit.words) > 1 else None) for unit in self._asked for word in unit.words]
            words = [*asked, *((word, bm25.EXACT, None) for word in self._exact)]
            often = {word: sum(len(codes) for _, codes in held.values()) for word, held in self.held.items()}
            words.sort(key=lambda each: -often[each[0]])
            self._counted = [(word, self.counts(often[word], weight), unit) for word, weight, unit in words]
        return self._counted

    def _holding(self, row: int, least: int) -> Collection[int]:
        """Return the positions of the texts in that segment that hold so many of what is asked for."""
        if least >= len(self._asked):
            return self._holding_all(row)
        times: Counter[int] = Counter()
        for unit in self._asked:
            times.update(unit.among(self.held, row))
        return {at for at, many in times.items() if many >= least}

    def _holding_all(self, row: int) -> Collection[int]:
        lists = sorted((unit.among(self.held, row) for unit in self._asked), key=len)
        return _shared(lists) if lists else ()


def _shared(lists: Sequence[Collection[int]]) -> Collection[int]:
    """Return what all *lists* hold, the shortest of which comes first."""
    found: Collection[int] = lists[0]
    for each in lists[1:]:
        if not found:
            break
        if isinstance(each, array) and len(found) * SEEK < len(each):
            found = {at for at in found if (place := bisect_left(each, at)) < len(each) and each[place] == at}
        else:
            found = set(found).intersection(each)
    return found


def _among(places: Held, few: Sequence[int]) -> Held:
    """Return those of *places* that are among *few*, which are in order."""
    positions, codes = places
    many = len(positions)
    if len(few) * SEEK >= many:
        return _those(places, map(set(few).__contains__, positions))
    found = [place for at in few if (place := bisect_left(positions, at)) < many and positions[place] == at]
    return array("H", map(positions.__getitem__, found)), bytes(map(codes.__getitem__, found))


def _those(places: Held, which: Iterable[object]) -> Held:
    """Return those of *places* for which *which* says so."""
    positions, codes = places
    keep = list(which)
    return array("H", compress(positions, keep)), bytes(compress(codes, keep))


def within(postings: Postings, projects: Collection[int]) -> Narrow:
    """Let texts pass that belong to one of *projects*."""

    def narrow(row: int, positions: Iterable[int]) -> Iterable[object]:
        return map(projects.__contains__, map(postings.projects(row).__getitem__, positions))

    return narrow


def between(postings: Postings, first: int, last: int) -> Narrow:
    """Let texts pass whose numbers lie between *first* and *last*, both included."""
    numbers = range(first, last + 1)

    def narrow(row: int, positions: Iterable[int]) -> Iterable[object]:
        return map(numbers.__contains__, map(postings.texts(row).__getitem__, positions))

    return narrow


def of_sources(postings: Postings, passing: bytes | bytearray) -> Narrow:
    """Let texts pass for whose source's row *passing* has a byte other than zero."""

    def narrow(row: int, positions: Iterable[int]) -> Iterable[object]:
        try:
            return bytes(map(passing.__getitem__, map(postings.sources(row).__getitem__, positions)))
        except IndexError:
            raise malformed() from None

    return narrow


def passing(postings: Postings, rows: bytes | bytearray) -> set[int]:
    """Return the numbers of all texts that :func:`of_sources` lets pass."""
    narrow = of_sources(postings, rows)
    every = ((row, postings.texts(row)) for row in postings.segments)
    return {text for row, texts in every for text in compress(texts, narrow(row, range(len(texts))))}


def all_of(*narrows: Narrow) -> Narrow | None:
    """Let texts pass that pass all of *narrows*; None where there are none."""

    def narrow(row: int, positions: Iterable[int]) -> Iterable[object]:
        return map(all, zip(*(each(row, positions) for each in narrows)))  # noqa: B905 - each tells of the same

    return narrow if len(narrows) > 1 else next(iter(narrows), None)


def exact(terms: Iterable[tuple[str, ...]]) -> list[str]:
    """Return what stands in the index for the very form of those *terms* that are words."""
    return [form for group in terms if len(group) == 1 for form in exact_forms(group)]
