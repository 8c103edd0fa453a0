"""Lexical retrieval: postings choose candidates, which are then scored exactly as ranking.bm25 does."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from autology.hub.postgres.connection import Connection, storable_text
from autology.hub.postgres.field_query import FieldQuery, Question, Unit
from autology.hub.postgres.filters import kinds_of, numbered, packed
from autology.hub.postgres.prepare import BODY, TITLE
from autology.model.query import Filter, Terms
from autology.ranking import bm25
from autology.text.language import word_order
from autology.text.stemmer import stem
from autology.text.tokens import apart, exact_forms, is_run

PASSAGES = 400
"""Passages retrieved to rank sources: enough for 100 sources with four each."""
OTHERS = 8
"""Further passages per source whose scores are returned."""


@dataclass(slots=True)
class ScoredSource:
    """A source's number, its score, its best passage, and the scores of its other passages.

    *query_score* is the similarity to the query alone, if the score combines several.
    """

    source: int
    score: float
    passage: tuple[int, int] | None = None
    others: list[float] = field(default_factory=list)
    query_score: float = 0.0


@dataclass(slots=True)
class ScoredText:
    """A matching text; *norm* is BM25's length normalisation, *words* the word order if needed."""

    field: str
    source: int
    score: float
    text: int
    start: int | None
    stop: int | None
    norm: float
    words: bytes | None = None


def search(
    connection: Connection, space: str, terms: Terms, where: Filter, every: bool, limit: int
) -> tuple[list[ScoredSource], list[ScoredSource]]:
    """Return the sources that match by title, tags and headings, and those that match by passages, best first.

    With *every*, a text must contain all terms, and the newest come first.
    """
    groups = terms.terms if every else apart(terms.terms)
    units = _units(connection, groups, where)
    exact = [form for group in groups if len(group) == 1 for form in exact_forms(group)]
    words = [word for unit in units for alternative in unit for word in alternative]
    fields = _field_queries(connection, space, where, [*exact, *words])
    if every:
        titles = [ScoredSource(match.source, 0.0) for match in _newest(connection, fields[TITLE], units, (), limit)]
        unspaced = [group for group in groups if len(group) > 1 and is_run(group[0])]
        return titles, _by_source(_newest(connection, fields[BODY], units, unspaced, limit * 4), limit)
    stemmed = [(stem(one), stem(two)) for one, two in terms.pairs]
    pairs = [pair for pair in stemmed if set(words).issuperset(pair)]
    passages = max(limit * 4, PASSAGES)  # the best may belong to the same sources
    questions = [fields[TITLE].best(units, (), (), limit), fields[BODY].best(units, exact, pairs, passages)]
    matches = _matches(connection, *_union(questions))
    titles = [ScoredSource(match.source, match.score) for match in matches if match.field == TITLE]
    bodies = [match for match in matches if match.field == BODY]
    _add_pairs(fields[BODY], bodies, pairs)
    return titles, _by_source(bodies, limit)


def _union(questions: Sequence[Question]) -> Question:
    return " UNION ALL ".join(sql for sql, _ in questions), [value for _, values in questions for value in values]


def _matches(connection: Connection, sql: str, values: Sequence[object]) -> list[ScoredText]:
    columns = "y.field, y.source, y.score, y.text, y.start, y.stop, y.norm, encode(y.words, 'hex')"
    ((rows,),) = connection.run(numbered(packed(sql, columns)), *values)
    for row in rows:
        row[-1] = bytes.fromhex(row[-1]) if row[-1] else None
    return [ScoredText(*row) for row in rows]


def _units(connection: Connection, groups: Iterable[tuple[str, ...]], where: Filter) -> list[Unit]:
    """Return groups of tokens as units: an identifier matches as a whole, or by all of its parts."""
    units: list[Unit] = []
    for group in groups:
        if is_run(group[0]):
            # In a script without spaces, a single character matches every token that starts with it.
            is_character = len(group) == 1 and len(group[0]) == 1
            units.append(
                tuple((word,) for word in _starting_with(connection, where, group[0])) if is_character else (group,)
            )
        else:
            stems = tuple(storable_text(stem(token)) for token in group)
            units.append((stems[-1:], stems[:-1]) if len(stems) > 1 else (stems,))
    return units


def _starting_with(connection: Connection, where: Filter, character: str) -> list[str]:
    rows = connection.run("SELECT * FROM autology.beginning($1, $2)", kinds_of(where), character)
    return [term for (term,) in rows]


def _field_queries(connection: Connection, space: str, where: Filter, words: Sequence[str]) -> dict[str, FieldQuery]:
    """Return a query for each field, with the statistics that it needs."""
    fields = {name: FieldQuery(space, name, where) for name in (TITLE, BODY)}
    statistics = "SELECT * FROM autology.measured($1, $2)"
    for name, word, count, total, deleted in connection.run(statistics, kinds_of(where), list(dict.fromkeys(words))):
        if word is None:
            fields[name].count, fields[name].total, fields[name].deleted = count, total, deleted
        else:
            fields[name].frequencies[word] = count
    return fields


def _add_pairs(body: FieldQuery, matches: Sequence[ScoredText], pairs: Sequence[tuple[str, str]]) -> None:
    """Add to the scores of *matches* in which both words of a pair are adjacent."""
    bonuses = [0.0] * len(matches)
    for pair in pairs:
        counts = word_order.times_in(pair, [match.words or b"" for match in matches])
        weight = bm25.rarity(body.count, sum(map(bool, counts))) * (bm25.K1 + 1)
        for at, count in enumerate(counts):
            if count:
                bonuses[at] += weight * count / (count + matches[at].norm)
    for match, bonus in zip(matches, bonuses, strict=True):
        match.score += bm25.PAIRS * bonus


def _newest(
    connection: Connection, query: FieldQuery, units: Sequence[Unit], runs: Sequence[tuple[str, ...]], limit: int
) -> list[ScoredText]:
    """Return the newest texts that contain all *units*, and each of *runs*, words without spaces, in its order."""
    newest: list[ScoredText] = []
    page = 0
    while all(units) and len(newest) < limit and (question := query.newest(units, bool(runs), page)):
        matches = _matches(connection, *question)
        newest += [match for match in matches if all(word_order.times(run, match.words or b"") for run in runs)]
        page += 1
    return [replace(match, score=0.0) for match in newest[:limit]]


def _by_source(matches: Sequence[ScoredText], limit: int) -> list[ScoredSource]:
    """Return the sources of *matches*, each with its best passage, best first."""
    best = best_per_source([(match.score, match.source, (match.start, match.stop)) for match in matches])[:limit]
    for scored, (start, stop) in best:
        scored.passage = (start, stop) if start is not None and stop is not None else None
    return [scored for scored, _ in best]


def best_per_source(rows: Iterable[tuple[float, int, Any]]) -> list[tuple[ScoredSource, Any]]:
    """Return each source of (score, source, passage) once with its best passage, best first."""
    best: dict[int, tuple[ScoredSource, Any]] = {}
    for score, source, passage in sorted(rows, key=lambda row: -row[0]):
        if source not in best:
            best[source] = (ScoredSource(source, score), passage)
        elif len(best[source][0].others) < OTHERS:
            best[source][0].others.append(score)
    return list(best.values())
