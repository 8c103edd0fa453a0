"""Words looked up in a hub: the database adds up what they count, as ranking.bm25 has it, in what may be seen."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from autology.hub.link import Link, plain
from autology.hub.questions import condition, kinds_of, numbered
from autology.hub.writing import BODY, TITLE
from autology.model.query import Filter, Terms
from autology.ranking import bm25
from autology.text import sequence
from autology.text.stems import stem
from autology.text.tokens import apart, exact_forms, is_run

PASSAGES = 400
"""Passages of which the best sources are taken: 100 sources with four each."""
PLACES = 2_500
"""Places of words looked at for each word of a question, shared among them, the rarest words' first."""
OTHERS = 8
"""Further passages of a source that are told of."""
BATCH = 500
"""Passages looked through at a time for letters that must stand side by side."""
_SCALES = {BODY: bm25.PASSAGES, TITLE: bm25.TITLES}

Unit = tuple[tuple[str, ...], ...]
"""One thing that is asked for: a text holds it by all words of any of its ways."""


@dataclass(slots=True)
class Scored:
    """A source's number, how well it answered, where, and how well its other passages did."""

    source: int
    score: float
    passage: tuple[int, int] | None = None
    others: list[float] = field(default_factory=list)
    asked: float = 0.0


@dataclass(frozen=True, slots=True)
class Match:
    """A text that matches: its score, its number, its source's."""

    score: float
    text: int
    source: int


class Field:
    """The words of one field, as one look needs them."""

    def __init__(self, link: Link, space: str, name: str, where: Filter) -> None:
        self.link, self.space, self.name = link, space, name
        self.kinds = kinds_of(where)
        self._where = where
        ((self.count, self.total),) = link.run("SELECT * FROM autology.volume_of($1, $2)", name, self.kinds)

    def units(self, terms: Iterable[tuple[str, ...]]) -> list[Unit]:
        """Return groups of tokens as what is looked up: an identifier as its whole or all of its parts."""
        found: list[Unit] = []
        for group in terms:
            if is_run(group[0]):
                # A letter of a script without spaces begins a token wherever it stands.
                one = len(group) == 1 and len(group[0]) == 1
                found.append(tuple((word,) for word in self._beginning(group[0])) if one else (group,))
            else:
                stems = tuple(map(stem, group))
                found.append((stems[-1:], stems[:-1]) if len(stems) > 1 else (stems,))
        return found

    def rarer(self, terms: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
        """Return the rarest of *terms*, as many as may be looked for at once."""
        if self.count <= PLACES:
            return list(terms)
        units = self.units(terms)
        words = list({word for unit in units for way in unit for word in way})
        rows = self.link.run("SELECT * FROM autology.often($1, $2, $3)", self.name, self.kinds, words)
        often = dict.fromkeys(words, 0) | {word: int(many) for word, many in rows}
        many = [sum(min(often[word] for word in way) for way in unit) for unit in units]
        kept: set[int] = set()
        left = PLACES * len(terms)
        for at in sorted(range(len(terms)), key=many.__getitem__):
            left -= many[at]
            if left < 0 and kept:
                break
            kept.add(at)
        return [term for at, term in enumerate(terms) if at in kept]

    def matches(
        self, units: Sequence[Unit], exact: Sequence[str], entire: bool, order: str, limit: int, skip: int = 0
    ) -> list[Match]:
        """Return the texts that hold some of *units*, or with *entire* all, whose sources pass, in that *order*."""
        members = [
            (at, way, plain(word)) for at, unit in enumerate(units) for way, words in enumerate(unit) for word in words
        ]
        scale = _SCALES[self.name]
        told = {"times": scale.times, "shortest": scale.shortest, "step": scale.step}
        told |= {"k1": bm25.K1, "b": bm25.B, "least": bm25.LEAST}
        passes, values = condition(self.space, self._where)
        ask = (
            "SELECT m.score, m.text, m.source FROM autology.matches(?, ?, ?, ?, ?, ?, ?) m"
            f" JOIN autology.source s ON s.number = m.source AND {passes} ORDER BY {order} LIMIT ? OFFSET ?"
        )
        asked = (self.name, self.kinds, json.dumps(members), list(exact), bm25.EXACT, json.dumps(told), entire)
        if any(not unit for unit in units) and entire:
            return []
        return [Match(*row) for row in self.link.run(numbered(ask), *asked, *values, limit, skip)]

    def orders(self, texts: Sequence[int]) -> dict[int, bytes]:
        """Return the words of passages, by number, as `text.sequence` writes them."""
        ask = "SELECT t.number, t.words FROM autology.text t WHERE t.space = $1 AND t.number = ANY($2)"
        return {number: bytes(words) for number, words in self.link.run(ask, self.space, list(texts))}

    def beside(self, pairs: Sequence[tuple[str, str]], best: Sequence[Match]) -> dict[int, float]:
        """Return what *pairs* add to those of the *best* passages in which they stand side by side."""
        stems = [(stem(one), stem(two)) for one, two in pairs]
        if not stems or not best:
            return {}
        ask = "SELECT * FROM autology.together($1, $2, $3, $4, $5)"
        ones, twos = [one for one, _ in stems], [two for _, two in stems]
        rows = self.link.run(ask, self.name, self.kinds, ones, twos, [match.text for match in best])
        order = self.orders(list({number for _, _, texts, _ in rows for number in texts}))
        found: dict[int, float] = {}
        for at, many, texts, codes in rows:
            times = {number: sequence.times(stems[at - 1], order.get(number, b"")) for number in texts}
            holding = sum(map(bool, times.values()))
            if not holding:
                continue
            # How rare a pair is everywhere is told by how many of the passages that were looked into hold it.
            counts = self._counts(round(many * holding / len(times)))
            lengths = dict(zip(texts, codes, strict=True))
            for number, often in times.items():
                if often:
                    code = _BITS.get(often, bm25.MOST_TIMES) | lengths[number] & bm25.LENGTH
                    found[number] = found.get(number, 0.0) + counts[code]
        return found

    def _counts(self, holding: int) -> list[float]:
        average = self.total / (self.count or 1)
        return bm25.table(bm25.rarity(self.count, holding), average, _SCALES[self.name])

    def _beginning(self, letter: str) -> list[str]:
        ask = "SELECT * FROM autology.beginning($1, $2, $3)"
        return [word for (word,) in self.link.run(ask, self.name, self.kinds, letter)]


_BITS = bm25.times_bits(bm25.PASSAGES)


def found(
    link: Link, space: str, terms: Terms, where: Filter, every: bool, limit: int
) -> tuple[list[Scored], list[Scored]]:
    """Return the sources that match by title, tags and headings, and those that do by their passages, best first."""
    body, title = (Field(link, space, name, where) for name in (BODY, TITLE))
    if every:
        return _all_in_titles(title, terms, limit), _all_in_passages(body, terms, limit)
    rarer = body.rarer(apart(terms.terms))
    return _by_title(title, rarer, limit), _by_passage(body, rarer, terms.pairs, limit)


def _by_title(field: Field, terms: Sequence[tuple[str, ...]], limit: int) -> list[Scored]:
    matches = field.matches(field.units(terms), (), False, "m.score DESC, m.text", limit)
    return [Scored(match.source, match.score) for match in matches]


def _by_passage(
    field: Field, terms: Sequence[tuple[str, ...]], pairs: Sequence[tuple[str, str]], limit: int
) -> list[Scored]:
    exact = [form for group in terms if len(group) == 1 for form in exact_forms(group)]
    most = max(limit * 4, PASSAGES)  # several of one source may come first
    matches = field.matches(field.units(terms), exact, False, "m.score DESC, m.text", most)
    adjacent = field.beside(pairs, matches)
    scored = [
        Match(match.score + bm25.PAIRS * adjacent.get(match.text, 0.0), match.text, match.source) for match in matches
    ]
    return _by_source(field, scored, limit)


def _all_in_titles(field: Field, terms: Terms, limit: int) -> list[Scored]:
    matches = field.matches(field.units(terms.terms), (), True, "m.text DESC", limit)
    return [Scored(match.source, 0.0) for match in matches]


def _all_in_passages(field: Field, terms: Terms, limit: int) -> list[Scored]:
    kept: list[Match] = []
    for some in _newest(field, field.units(terms.terms)):
        kept += _phrased(field, terms, some)
        if len(kept) >= limit * 4:
            break
    return _by_source(field, [Match(0.0, match.text, match.source) for match in kept[: limit * 4]], limit)


def _newest(field: Field, units: Sequence[Unit]) -> Iterator[list[Match]]:
    skip = 0
    while some := field.matches(units, (), True, "m.text DESC", BATCH, skip):
        yield some
        if len(some) < BATCH:
            return
        skip += BATCH


def _phrased(field: Field, terms: Terms, matches: list[Match]) -> list[Match]:
    """Return those passages in which the bigrams of every run of letters without spaces stand side by side."""
    runs = [group for group in terms.terms if len(group) > 1 and is_run(group[0])]
    if not runs:
        return matches
    orders = field.orders([match.text for match in matches])
    return [match for match in matches if all(sequence.times(run, orders.get(match.text, b"")) for run in runs)]


def _by_source(field: Field, matches: Sequence[Match], limit: int) -> list[Scored]:
    """Return passages as their sources, each by its best, the best first."""
    best = by_source([(match.score, match.source, match.text) for match in matches])[:limit]
    ask = "SELECT t.number, t.start, t.stop FROM autology.text t WHERE t.space = $1 AND t.number = ANY($2)"
    texts = [text for _, text in best]
    where = {number: place for number, *place in field.link.run(ask, field.space, texts)} if texts else {}
    for scored, text in best:
        start, stop = where.get(text, (None, None))
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
