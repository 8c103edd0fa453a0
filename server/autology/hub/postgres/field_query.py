"""The SQL of lexical search in one field: candidates from posting lists, scored by their term frequencies."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain

from autology.hub.postgres.filters import condition, kinds_of, only_kinds
from autology.hub.postgres.prepare import sparse_counts
from autology.model.query import Filter
from autology.ranking import bm25

POSTINGS = 8_000
"""Postings read per query and field, shared equally by its words; rare words leave their rest to the others."""
SCORED = 600
"""Texts that are scored if not all postings were read; otherwise a quarter more than requested. Among 500,000 passages,
8,000 postings and 600 texts return the same ten as 16,000 and 1,000, in two thirds of the time."""
FEW = 3_000
"""Maximum number of texts passing a filter for which all are scored, if not all postings are read."""
SYNONYMS = 8
"""Maximum alternatives scored separately; more count as one word, because a character can match hundreds."""
PAGE = 2_000
"""Texts per query that are checked for containing all words."""

Unit = tuple[tuple[str, ...], ...]
"""A query term: a text matches it by containing all words of any of its alternatives."""
Question = tuple[str, list[object]]
"""A query and its values."""

_CANDIDATES = "autology.candidates(?, ?, ?, ?::float8[], ?::float8[], ?) c"


@dataclass(slots=True)
class FieldQuery:
    """A lexical query of one field, with the number of texts, their total length, and how many were deleted."""

    space: str
    name: str
    where: Filter
    count: int = 0
    total: int = 0
    deleted: int = 0
    frequencies: dict[str, int] = field(default_factory=dict)
    """Document frequencies, deleted texts included."""
    columns: dict[tuple[str, ...], str] = field(default_factory=dict)
    """The columns of the query that hold the term frequencies of words, or of several together."""

    @property
    def live_share(self) -> float:
        """The share of texts that are not deleted."""
        return self.count / ((self.count + self.deleted) or 1)

    def rarity(self, words: Iterable[str]) -> float:
        """Return the inverse document frequency of *words*, taken as one."""
        return bm25.rarity(self.count, round(self.live_share * sum(self.frequencies.get(word, 0) for word in words)))

    def best(self, units: Sequence[Unit], exact: Sequence[str], pairs: Sequence[Sequence[str]], limit: int) -> Question:
        """Return the query for the best texts by *units*, and by the exact forms *exact* in addition.

        It returns the word order of texts that contain both words of one of *pairs*.
        """
        score = " + ".join([*map(self._unit_score, units), *(self._score((form,), bm25.EXACT) for form in exact)])
        condition = " OR ".join(f"{self._times((one,))} > 0 AND {self._times((two,))} > 0" for one, two in pairs)
        words = f"CASE WHEN {condition} THEN x.words END" if condition else "NULL::bytea"
        selection = f"score > 0 ORDER BY score DESC, text LIMIT {limit}"
        return self._scored(self._candidates(units, limit), score, words, selection)

    def newest(self, units: Sequence[Unit], ordered: bool, page: int) -> Question | None:
        """Return the query for one page of the texts that contain all *units*, newest first; None past the last.

        It returns their word order if *ordered*.
        """
        rarest = min(units, key=lambda unit: sum(min(map(self._frequency, alternative)) for alternative in unit))
        words = list(dict.fromkeys(min(words, key=self._frequency) for words in rarest))
        if page * PAGE >= sum(map(self._frequency, words)):
            return None
        ones = [1.0] * len(words)
        values: list[object] = [self.name, kinds_of(self.where), words, ones, ones, None, page * PAGE]
        candidates = f"SELECT c.text FROM {_CANDIDATES} ORDER BY c.text DESC LIMIT {PAGE} OFFSET ?"
        matched = " + ".join(f"(CASE WHEN {self._contains(unit)} THEN 1 ELSE 0 END)" for unit in units)
        selection = f"score = {len(units)} ORDER BY text DESC"
        return self._scored((candidates, values), matched, "x.words" if ordered else "NULL::bytea", selection)

    def _frequency(self, word: str) -> int:
        return self.frequencies.get(word, 0)

    def _shares(self, units: Sequence[Unit]) -> dict[str, float]:
        """Return the share of each word's posting list to read, rarest words first."""
        words = {word for unit in units for alternative in unit for word in alternative if self._frequency(word)}
        remaining, shares = POSTINGS, {}
        for rank, word in enumerate(sorted(words, key=lambda word: (self._frequency(word), word))):
            read_count = min(self._frequency(word), remaining // (len(words) - rank))
            remaining -= read_count
            shares[word] = read_count / self._frequency(word)
        return shares

    def _candidates(self, units: Sequence[Unit], limit: int) -> Question:
        """Return the query for the texts worth scoring."""
        shares = self._shares(units)
        complete = all(share == 1 for share in shares.values())
        best = round((limit + limit // 4 if complete else max(SCORED, limit)) / max(self.live_share, 0.5))
        values: list[object] = [self.name, kinds_of(self.where), list(shares)]
        values += [[self.rarity((word,)) for word in shares], list(shares.values())]
        if only_kinds(self.where):
            return f"SELECT c.text FROM {_CANDIDATES}", [*values, best]
        filtered, filter_values = condition(self.space, self.where)
        texts = f"autology.text t, autology.source s WHERE s.space = t.space AND s.number = t.source AND {filtered}"
        candidates = f"SELECT c.text FROM {_CANDIDATES}, {texts} AND t.space = ? AND t.number = c.text"
        values += [None, *filter_values, self.space]
        if complete:
            return f"{candidates} ORDER BY c.score DESC LIMIT ?", [*values, best]
        few = f"SELECT t.number AS text FROM {texts} AND t.space = ? AND t.field = ? LIMIT {FEW + 1}"
        count = "(SELECT count(*) FROM few)"
        sql = (
            f"WITH few AS MATERIALIZED ({few}) SELECT text FROM few WHERE {count} <= {FEW}"
            f" UNION ALL (SELECT * FROM ({candidates} ORDER BY c.score DESC LIMIT ?) c WHERE {count} > {FEW})"
        )
        return sql, [*filter_values, self.space, self.name, *values, best]

    def _scored(self, candidates: Question, score: str, words: str, selection: str) -> Question:
        """Return the query that scores *candidates*; its rows are the fields of a match."""
        filtered, values = ("true", ()) if only_kinds(self.where) else condition(self.space, self.where)
        source = "" if only_kinds(self.where) else f" JOIN autology.source s ON s.number = t.source AND {filtered}"
        norm, per_word = bm25.K1 * (1 - bm25.B), bm25.K1 * bm25.B / ((self.total / (self.count or 1)) or 1)
        counts = "".join(
            f", -(t.counts <#> '{sparse_counts(dict.fromkeys(key, 1))}') AS {name}"
            for key, name in self.columns.items()
        )
        texts = f"({candidates[0]}) c JOIN autology.text t ON t.space = ? AND t.number = c.text{source}"
        columns = (
            "t.number, t.source, t.start, t.stop, t.words,"
            f" {_real(norm)} + {_real(per_word)} * t.length AS norm{counts}"
        )
        match = (
            f"'{self.name}' AS field, x.source, {score} AS score, x.number AS text, x.start, x.stop, x.norm,"
            f" {words} AS words"
        )
        # OFFSET 0 keeps the planner from merging the steps, which would compute each expression several times.
        scored = f"SELECT {match} FROM (SELECT {columns} FROM {texts} OFFSET 0) x OFFSET 0"
        return f"(SELECT * FROM ({scored}) y WHERE {selection})", [*candidates[1], self.space, *values]

    def _times(self, words: tuple[str, ...]) -> str:
        return f"x.{self.columns.setdefault(words, f'f{len(self.columns)}')}"

    def _score(self, words: tuple[str, ...], weight: float = 1.0) -> str:
        times = self._times(words)
        factor = self.rarity(words) * weight * (bm25.K1 + 1)
        return f"{_real(factor)} * {times} / ({times} * {_real(weight)} + x.norm)"

    def _unit_score(self, unit: Unit) -> str:
        if all(len(alternative) == 1 for alternative in unit):
            words = tuple(dict.fromkeys(alternative[0] for alternative in unit))
            groups = [words] if len(words) > SYNONYMS else [(word,) for word in words]
            return " + ".join(map(self._score, groups)) or "0::float8"
        scores = " + ".join(self._score((word,)) for word in dict.fromkeys(chain.from_iterable(unit)))
        return f"CASE WHEN {self._contains(unit)} THEN {scores} ELSE 0::float8 END"

    def _contains(self, unit: Unit) -> str:
        if all(len(alternative) == 1 for alternative in unit):
            return f"{self._times(tuple(alternative[0] for alternative in unit))} > 0"
        return " OR ".join(
            f"({' AND '.join(f'{self._times((word,))} > 0' for word in alternative)})" for alternative in unit
        )


def _real(number: float) -> str:
    return f"{number!r}::float8"
