"""The leg of words: the sources that best match what is asked, by titles and by passages, filtered before any cut."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from autology.index import beside, lookup, sql
from autology.index.found import Scored, batches, best, marks
from autology.index.lookup import Look, Match, Unit
from autology.index.passing import Passing
from autology.index.postings import BODY, TITLE, Postings, Segment
from autology.model.query import Filter, Terms
from autology.ranking import bm25
from autology.text import sequence
from autology.text.tokens import apart, is_run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from autology.index.lookup import Narrow

SOURCES, PASSAGES, EACH = 100, 200, 4
"""Passages of which so many sources are taken (bench/quality: 400 are level), and of how many where more are asked for:
sources may say it in every passage, and none may come short."""
FURTHER = 8
"""Times as many of the best as before that are looked at where too few of them pass."""
POSTINGS = 2_500
"""Places of words looked at for each word of a question, shared among them, the rarest words' first.

5,000 are level in bench/quality, on long proposals too. Leaving out what stands in 5 % of passages costs nothing on
small notes, and 5 points of nDCG@10 on long proposals, whose every word is common: so only what would take too long
is left out.
"""


@dataclass(frozen=True, slots=True)
class Asking:
    """A question for words: what to look for, what an answer must be, how many; and what is at hand."""

    terms: Terms
    where: Filter
    every: bool
    limit: int
    kept: dict[int, Segment]
    passing: Passing


def found(db: sqlite3.Connection, asking: Asking) -> tuple[list[Scored], list[Scored]]:
    """Return the sources that match by title, tags and headings, and those that do by their passages, best first."""
    kinds = (asking.where.kind,) if asking.where.kind else asking.where.kinds
    projects = _projects(db, asking.where.projects)
    if projects is not None and not projects:
        return [], []
    bodies, titles = (Postings(db, field, kinds, asking.kept) for field in (BODY, TITLE))
    if asking.every:
        return _holding_all_in_titles(db, titles, asking, projects), _holding_all(db, bodies, asking, projects)
    terms = _rarer(bodies, apart(asking.terms.terms))
    return _by_title(db, titles, terms, asking, projects), _by_passage(db, bodies, terms, asking, projects)


def _rarer(postings: Postings, terms: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Return the rarest of *terms*, as many as may be looked for at once."""
    if postings.count <= POSTINGS:
        return list(terms)
    often = lookup.frequencies(postings, lookup.units(postings, terms))
    kept = set(lookup.rarest(often, POSTINGS * len(terms)))
    return [term for at, term in enumerate(terms) if at in kept]


def _by_title(
    db: sqlite3.Connection,
    postings: Postings,
    terms: Sequence[tuple[str, ...]],
    asking: Asking,
    projects: set[int] | None,
) -> list[Scored]:
    look = Look(postings, lookup.units(postings, terms), scale=bm25.TITLES)
    matches = _best(db, postings, look, asking, projects, asking.limit)
    exactly = _exactly(postings, [match for match, _ in matches], bm25.TITLES)
    scored = [Scored(source, score) for (_, source), score in zip(matches, exactly, strict=True)]
    return sorted(scored, key=lambda each: -each.score)


def _by_passage(
    db: sqlite3.Connection,
    postings: Postings,
    terms: Sequence[tuple[str, ...]],
    asking: Asking,
    projects: set[int] | None,
) -> list[Scored]:
    look = Look(postings, lookup.units(postings, terms), lookup.exact(terms))
    most = PASSAGES if asking.limit <= SOURCES else asking.limit * EACH  # several of one source may come first
    matches = _best(db, postings, look, asking, projects, most)
    adjacent = beside.scores(db, look, asking.terms.pairs, [match for match, _ in matches])
    exactly = _exactly(postings, [match for match, _ in matches], bm25.PASSAGES)
    scored = [
        (bm25.PAIRS * adjacent.get(match[1], 0.0) + score, source, match[1])
        for (match, source), score in zip(matches, exactly, strict=True)
    ]
    return best(scored)[: asking.limit]


def _exactly(postings: Postings, matches: Sequence[Match], scale: bm25.Scale) -> list[float]:
    """Return the scores of *matches* by the very lengths of their texts."""
    lengths = {row: postings.lengths(row) for row in {match[2] for match in matches}}
    known = [lengths[row][at] for _, _, row, at in matches]
    return bm25.refined([match[0] for match in matches], known, postings.average, scale)


def _best(
    db: sqlite3.Connection, postings: Postings, look: Look, asking: Asking, projects: set[int] | None, most: int
) -> list[tuple[Match, int]]:
    """Return the *most* best texts whose source passes what was asked for, each with its source."""
    narrows = [] if projects is None else [lookup.within(postings, projects)]
    passing = None
    if asking.where.alive_at is not None or sql.condition(asking.where, marked=False)[0] != sql.EVERYTHING:
        passing = asking.passing.rows(db, asking.where)
        if passing is None:
            return _progressively(db, postings, look, asking.where, lookup.all_of(*narrows), most)
        narrows.append(lookup.of_sources(postings, passing))
    return _with_sources(postings, look.best(most, narrow=lookup.all_of(*narrows)))


def _progressively(
    db: sqlite3.Connection, postings: Postings, look: Look, where: Filter, narrow: Narrow | None, most: int
) -> list[tuple[Match, int]]:
    """Return the same, looking up the sources of the best only, of more where too few pass."""
    many = most
    while True:
        matches = look.best(many, narrow=narrow)
        passing = _passing(db, postings, batches(matches), where, most)
        if len(passing) == most or len(matches) < many:
            return passing
        many *= FURTHER


def _passing(
    db: sqlite3.Connection, postings: Postings, matches: Iterable[Sequence[Match]], where: Filter, most: int
) -> list[tuple[Match, int]]:
    """Return the first *most* texts whose source passes *where*, each with its source."""
    condition, values = sql.condition(where, marked=False)
    passing: list[tuple[Match, int]] = []
    for some in matches:
        rows = _with_sources(postings, some)
        if condition != sql.EVERYTHING:
            asked = list(dict.fromkeys(source for _, source in rows))
            ask = f"SELECT s.rowid FROM source s WHERE s.rowid IN ({marks(asked)}) AND {condition}"
            there = {source for (source,) in db.execute(ask, (*asked, *values))}
            rows = [row for row in rows if row[1] in there]
        passing += rows
        if len(passing) >= most:
            break
    return passing[:most]


def _with_sources(postings: Postings, matches: Iterable[Match]) -> list[tuple[Match, int]]:
    sources = {row: postings.sources(row) for row in postings.segments}
    return [(match, sources[match[2]][match[3]]) for match in matches]


# ---- every word in one place ---------------------------------------------------------------------------------


def _holding_all(db: sqlite3.Connection, postings: Postings, asking: Asking, projects: set[int] | None) -> list[Scored]:
    units = lookup.units(postings, asking.terms.terms)
    newest = (_phrased(db, asking, some) for some in batches(_newest(postings, units, projects)))
    matches = _passing(db, postings, newest, asking.where, asking.limit * 4)
    return best([(0.0, source, match[1]) for match, source in matches])[: asking.limit]


def _holding_all_in_titles(
    db: sqlite3.Connection, postings: Postings, asking: Asking, projects: set[int] | None
) -> list[Scored]:
    units = lookup.units(postings, asking.terms.terms)
    matches = _passing(db, postings, batches(_newest(postings, units, projects)), asking.where, asking.limit)
    return [Scored(source, 0.0) for _, source in matches]


def _newest(postings: Postings, units: Sequence[Unit], projects: set[int] | None) -> list[Match]:
    """Return the texts that hold all of *units*, the newest first."""
    found: list[Match] = []
    for row, positions in Look(postings, units).every().items():
        texts = postings.texts(row)
        if projects is not None:
            own = postings.projects(row)
            found += [(0.0, texts[at], row, at) for at in positions if own[at] in projects]
        else:
            found += [(0.0, texts[at], row, at) for at in positions]
    return sorted(found, key=lambda match: -match[1])


def _phrased(db: sqlite3.Connection, asking: Asking, matches: Sequence[Match]) -> Sequence[Match]:
    """Return those passages in which the bigrams of every run of letters without spaces stand side by side."""
    runs = [group for group in asking.terms.terms if len(group) > 1 and is_run(group[0])]
    if not runs:
        return matches
    orders = beside.orders(db, [number for _, number, *_ in matches])
    return [match for match in matches if all(sequence.times(run, orders.get(match[1], b"")) for run in runs)]


def _projects(db: sqlite3.Connection, identities: Sequence[str]) -> set[int] | None:
    """Return the rows of projects, of those that are known; None where any project will do."""
    if not identities:
        return None
    ask = f"SELECT rowid FROM project WHERE identity IN ({marks(identities)})"
    return {row for (row,) in db.execute(ask, tuple(identities))}
