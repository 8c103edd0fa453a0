"""Words looked up in a hub: it picks texts by the best places of each word, and scores these as ranking.bm25 has it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from autology.hub.link import Link, plain
from autology.hub.questions import condition, kinds_of, numbered, of_kinds, packed
from autology.hub.writing import BODY, TITLE, counts
from autology.model.query import Filter, Terms
from autology.ranking import bm25
from autology.text import sequence
from autology.text.stems import stem
from autology.text.tokens import apart, exact_forms, is_run

PASSAGES = 400
"""Passages of which the best sources are taken: 100 sources with four each."""
PLACES = 8_000
"""Places of words looked at for a question, in each field, shared alike among its words; what the rarest leave, the
others have."""
SCORED = 600
"""Texts that are scored where not every place was looked at; else a quarter more than are wanted. Among 500,000
passages 8,000 places and 600 texts name the same ten as 16,000 and 1,000, in two thirds of the time."""
FEW = 3_000
"""Texts that pass a filter up to which all of them are scored, where not every place can be looked at."""
WAYS = 8
"""Words that say the same from which they are counted as one: a letter begins hundreds of them."""
OTHERS = 8
"""Further passages of a source that are told of."""
BATCH = 2_000
"""Texts looked through at a time for those that hold all that is asked for."""

Unit = tuple[tuple[str, ...], ...]
"""One thing that is asked for: a text holds it by all words of any of its ways."""
Question = tuple[str, list[object]]
"""A statement and its values."""

_CANDIDATES = "autology.candidates(?, ?, ?, ?::float8[], ?::float8[], ?) c"


@dataclass(slots=True)
class Scored:
    """A source's number, how well it answered, where, and how well its other passages did."""

    source: int
    score: float
    passage: tuple[int, int] | None = None
    others: list[float] = field(default_factory=list)
    cosine: float = 0.0


@dataclass(slots=True)
class Match:
    """A text that matches: its field, its source, its score, its number, where it is, what its length takes from words,
    and the order of its words where that matters."""

    field: str
    source: int
    score: float
    text: int
    start: int | None
    stop: int | None
    least: float
    words: bytes | None = None


@dataclass(slots=True)
class Field:
    """The texts of one field, as one look needs them."""

    space: str
    name: str
    where: Filter
    count: int = 0
    total: int = 0
    gone: int = 0
    often: dict[str, int] = field(default_factory=dict)
    """In how many texts each word stands, with those that are gone."""
    columns: dict[tuple[str, ...], str] = field(default_factory=dict)
    """How often words stand in a text, as columns of the question."""

    @property
    def there(self) -> float:
        """The share of texts that are there still."""
        return self.count / ((self.count + self.gone) or 1)

    def rarity(self, words: Iterable[str]) -> float:
        """Return what one of *words* counts, whichever stands there."""
        return bm25.rarity(self.count, round(self.there * sum(self.often.get(word, 0) for word in words)))

    def best(self, units: Sequence[Unit], exact: Sequence[str], pairs: Sequence[Sequence[str]], most: int) -> Question:
        """Return the question for the texts that best answer by *units*, and by *exact* beside.

        Of those that hold both words of one of *pairs* it tells the order of their words.
        """
        score = " + ".join([*map(self._worth, units), *(self._counted((form,), bm25.EXACT) for form in exact)])
        both = " OR ".join(f"{self._times((one,))} > 0 AND {self._times((two,))} > 0" for one, two in pairs)
        words = f"CASE WHEN {both} THEN x.words END" if both else "NULL::bytea"
        return self._asked(self._picked(units, most), score, words, f"score > 0 ORDER BY score DESC, text LIMIT {most}")

    def newest(self, units: Sequence[Unit], ordered: bool, page: int) -> Question | None:
        """Return the question for the texts that hold all *units*, the newest first; None where no such *page* is."""
        rarest = min(units, key=lambda unit: sum(min(map(self._of, way)) for way in unit))
        words = list(dict.fromkeys(min(way, key=self._of) for way in rarest))
        if page * BATCH >= sum(map(self._of, words)):
            return None
        ones = [1.0] * len(words)
        given: list[object] = [self.name, kinds_of(self.where), words, ones, ones, None, page * BATCH]
        picked = f"SELECT c.text FROM {_CANDIDATES} ORDER BY c.text DESC LIMIT {BATCH} OFFSET ?"
        holds = " + ".join(f"(CASE WHEN {self._holds(unit)} THEN 1 ELSE 0 END)" for unit in units)
        rest = f"score = {len(units)} ORDER BY text DESC"
        return self._asked((picked, given), holds, "x.words" if ordered else "NULL::bytea", rest)

    def _of(self, word: str) -> int:
        return self.often.get(word, 0)

    def _picked(self, units: Sequence[Unit], most: int) -> Question:
        """Return the question for the texts that are worth scoring."""
        words = {word for unit in units for way in unit for word in way if self._of(word)}
        left, shares = PLACES, {}
        for at, word in enumerate(sorted(words, key=lambda word: (self._of(word), word))):
            taken = min(self._of(word), left // (len(words) - at))
            left -= taken
            shares[word] = taken / self._of(word)
        whole = all(share == 1 for share in shares.values())
        best = round((most + most // 4 if whole else max(SCORED, most)) / max(self.there, 0.5))
        given: list[object] = [self.name, kinds_of(self.where), list(shares), [self.rarity((word,)) for word in shares]]
        given.append(list(shares.values()))
        if of_kinds(self.where):
            return f"SELECT c.text FROM {_CANDIDATES}", [*given, best]
        passes, values = condition(self.space, self.where)
        texts = f"autology.text t, autology.source s WHERE s.space = t.space AND s.number = t.source AND {passes}"
        picked = f"SELECT c.text FROM {_CANDIDATES}, {texts} AND t.space = ? AND t.number = c.text"
        given += [None, *values, self.space]
        if whole:
            return f"{picked} ORDER BY c.score DESC LIMIT ?", [*given, best]
        few = f"SELECT t.number AS text FROM {texts} AND t.space = ? AND t.field = ? LIMIT {FEW + 1}"
        many = "(SELECT count(*) FROM few)"
        picked = (
            f"WITH few AS MATERIALIZED ({few}) SELECT text FROM few WHERE {many} <= {FEW}"
            f" UNION ALL (SELECT * FROM ({picked} ORDER BY c.score DESC LIMIT ?) c WHERE {many} > {FEW})"
        )
        return picked, [*values, self.space, self.name, *given, best]

    def _asked(self, picked: Question, score: str, words: str, rest: str) -> Question:
        passes, values = ("true", []) if of_kinds(self.where) else condition(self.space, self.where)
        source = "" if of_kinds(self.where) else f" JOIN autology.source s ON s.number = t.source AND {passes}"
        least, per = bm25.K1 * (1 - bm25.B), bm25.K1 * bm25.B / ((self.total / (self.count or 1)) or 1)
        columns = "".join(
            f", -(t.counts <#> '{counts(dict.fromkeys(key, 1))}') AS {name}" for key, name in self.columns.items()
        )
        there = f"({picked[0]}) c JOIN autology.text t ON t.space = ? AND t.number = c.text{source}"
        found = (
            f"t.number, t.source, t.start, t.stop, t.words, {_real(least)} + {_real(per)} * t.length AS least{columns}"
        )
        told = f"'{self.name}' AS field, x.source, {score} AS score, x.number AS text, x.start, x.stop, x.least"
        told += f", {words} AS words"
        # Each step is computed once, for OFFSET keeps them apart.
        scored = f"SELECT {told} FROM (SELECT {found} FROM {there} OFFSET 0) x OFFSET 0"
        ask = f"(SELECT * FROM ({scored}) y WHERE {rest})"
        return ask, [*picked[1], self.space, *values]

    def _times(self, words: tuple[str, ...]) -> str:
        return f"x.{self.columns.setdefault(words, f'f{len(self.columns)}')}"

    def _counted(self, words: tuple[str, ...], weight: float = 1.0) -> str:
        times = self._times(words)
        worth = self.rarity(words) * weight * (bm25.K1 + 1)
        return f"{_real(worth)} * {times} / ({times} * {_real(weight)} + x.least)"

    def _worth(self, unit: Unit) -> str:
        if all(len(way) == 1 for way in unit):
            words = tuple(dict.fromkeys(way[0] for way in unit))
            each = [words] if len(words) > WAYS else [(word,) for word in words]
            return " + ".join(map(self._counted, each)) or "0::float8"
        every = " + ".join(self._counted((word,)) for word in dict.fromkeys(word for way in unit for word in way))
        return f"CASE WHEN {self._holds(unit)} THEN {every} ELSE 0::float8 END"

    def _holds(self, unit: Unit) -> str:
        if all(len(way) == 1 for way in unit):
            return f"{self._times(tuple(way[0] for way in unit))} > 0"
        return " OR ".join(f"({' AND '.join(f'{self._times((word,))} > 0' for word in way)})" for way in unit)


def _real(number: float) -> str:
    return f"{number!r}::float8"


def found(
    link: Link, space: str, terms: Terms, where: Filter, every: bool, limit: int
) -> tuple[list[Scored], list[Scored]]:
    """Return the sources that match by title, tags and headings, and those that do by their passages, best first."""
    groups = terms.terms if every else apart(terms.terms)
    units = _units(link, groups, where)
    exact = [form for group in groups if len(group) == 1 for form in exact_forms(group)]
    fields = _fields(link, space, where, [*exact, *(word for unit in units for way in unit for word in way)])
    if every:
        titles = [Scored(match.source, 0.0) for match in _newest(link, fields[TITLE], units, (), limit)]
        return titles, _all_in_passages(link, fields[BODY], units, groups, limit)
    known = {word for unit in units for way in unit for word in way}
    pairs = [(stem(one), stem(two)) for one, two in terms.pairs]
    pairs = [pair for pair in pairs if known.issuperset(pair)]
    most = max(limit * 4, PASSAGES)  # several of one source may come first
    asked = [fields[TITLE].best(units, (), (), limit), fields[BODY].best(units, exact, pairs, most)]
    matches = _matches(
        link, " UNION ALL ".join(ask for ask, _ in asked), [value for _, given in asked for value in given]
    )
    titles = [Scored(match.source, match.score) for match in matches if match.field == TITLE]
    return titles, _by_passage(fields[BODY], [match for match in matches if match.field == BODY], pairs, limit)


def _matches(link: Link, ask: str, values: Sequence[object]) -> list[Match]:
    columns = "y.field, y.source, y.score, y.text, y.start, y.stop, y.least, encode(y.words, 'hex')"
    ((rows,),) = link.run(numbered(packed(ask, columns)), *values)
    for row in rows:
        row[-1] = bytes.fromhex(row[-1]) if row[-1] else None
    return [Match(*row) for row in rows]


def _units(link: Link, groups: Iterable[tuple[str, ...]], where: Filter) -> list[Unit]:
    """Return groups of tokens as what is looked up: an identifier as its whole or all of its parts."""
    made: list[Unit] = []
    for group in groups:
        if is_run(group[0]):
            # A letter of a script without spaces begins a token wherever it stands.
            one = len(group) == 1 and len(group[0]) == 1
            made.append(tuple((word,) for word in _beginning(link, where, group[0])) if one else (group,))
        else:
            stems = tuple(plain(stem(token)) for token in group)
            made.append((stems[-1:], stems[:-1]) if len(stems) > 1 else (stems,))
    return made


def _beginning(link: Link, where: Filter, letter: str) -> list[str]:
    ask = "SELECT * FROM autology.beginning($1, $2)"
    return [word for (word,) in link.run(ask, kinds_of(where), letter)]


def _fields(link: Link, space: str, where: Filter, words: Sequence[str]) -> dict[str, Field]:
    fields = {name: Field(space, name, where) for name in (TITLE, BODY)}
    ask = "SELECT * FROM autology.measured($1, $2)"
    for name, word, many, total, gone in link.run(ask, kinds_of(where), list(dict.fromkeys(words))):
        if word is None:
            fields[name].count, fields[name].total, fields[name].gone = many, total, gone
        else:
            fields[name].often[word] = many
    return fields


def _by_passage(body: Field, matches: Sequence[Match], pairs: Sequence[tuple[str, str]], limit: int) -> list[Scored]:
    for match, more in zip(matches, _beside(body, matches, pairs), strict=True):
        match.score += bm25.PAIRS * more
    return _by_source(matches, limit)


def _beside(body: Field, matches: Sequence[Match], pairs: Sequence[tuple[str, str]]) -> list[float]:
    """Return what *pairs* add to each of *matches*, in which they may stand side by side."""
    more = [0.0] * len(matches)
    for pair in pairs:
        times = [sequence.times(pair, match.words) if match.words else 0 for match in matches]
        worth = bm25.rarity(body.count, sum(map(bool, times))) * (bm25.K1 + 1)
        for at, often in enumerate(times):
            if often:
                more[at] += worth * often / (often + matches[at].least)
    return more


def _all_in_passages(
    link: Link, body: Field, units: Sequence[Unit], groups: Iterable[tuple[str, ...]], limit: int
) -> list[Scored]:
    runs = [group for group in groups if len(group) > 1 and is_run(group[0])]
    return _by_source(_newest(link, body, units, runs, limit * 4), limit)


def _newest(link: Link, field: Field, units: Sequence[Unit], runs: Sequence[tuple[str, ...]], most: int) -> list[Match]:
    """Return the newest texts that hold all *units*, and each of *runs*, letters without spaces, as it is written."""
    kept: list[Match] = []
    page = 0
    while all(units) and len(kept) < most and (asked := field.newest(units, bool(runs), page)):
        matches = _matches(link, *asked)
        kept += [each for each in matches if all(sequence.times(run, each.words or b"") for run in runs)]
        page += 1
    return [replace(each, score=0.0) for each in kept[:most]]


def _by_source(matches: Sequence[Match], limit: int) -> list[Scored]:
    """Return passages as their sources, each by its best, the best first."""
    best = by_source([(match.score, match.source, (match.start, match.stop)) for match in matches])[:limit]
    for scored, (start, stop) in best:
        scored.passage = (start, stop) if start is not None and stop is not None else None
    return [scored for scored, _ in best]


def by_source(rows: Iterable[tuple[float, int, Any]]) -> list[tuple[Scored, Any]]:
    """Return each source once, by the best of its (score, source, passage), with that passage, the best first."""
    found: dict[int, tuple[Scored, Any]] = {}
    for score, source, passage in sorted(rows, key=lambda row: -row[0]):
        if source not in found:
            found[source] = (Scored(source, score), passage)
        elif len(found[source][0].others) < OTHERS:
            found[source][0].others.append(score)
    return list(found.values())
