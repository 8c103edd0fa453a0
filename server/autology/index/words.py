"""The leg of words: the sources that best match what is asked, by titles and by passages, filtered before any cut."""

from __future__ import annotations

import sqlite3
import zlib
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from autology.index import lookup, sql
from autology.index.found import PLACE, Scored, batches, best, fitting, marks
from autology.index.lookup import Look, Match, Unit
from autology.index.postings import BODY, TITLE, Postings
from autology.model.query import Filter, Terms
from autology.ranking import bm25
from autology.text.stems import stem
from autology.text.tokens import apart, is_run

PASSAGES = 400
"""Passages of which the best sources are taken: 100 sources with four each."""
PAIRS = 0.5
"""What a pair of words side by side adds, of its rank as one term (bench/quality: 0.25 and 0.5 are level over the
sets, 0.5 gains 0.8 MRR on pooled conversations, 1.0 loses 0.3 nDCG@10)."""
POSTINGS = 2_500
"""Places of words looked at for each word of a question, shared among them, the rarest words' first.

5,000 are level in bench/quality, on long proposals too. Leaving out what stands in 5 % of passages costs nothing on
small notes, and 5 points of nDCG@10 on long proposals, whose every word is common: so only what would take too long
is left out.
"""

Place = tuple[int, int | None, int | None]
"""A passage's source, and where in it the passage begins and ends."""
Bodies = Callable[[sqlite3.Connection, Sequence[int]], dict[int, str]]
"""Gives passages, by number, as their stems in order."""


@dataclass(frozen=True, slots=True)
class Asking:
    """A question for words: what to look for, what an answer must be, how many, and how to read passages."""

    terms: Terms
    where: Filter
    every: bool
    limit: int
    bodies: Bodies


def found(db: sqlite3.Connection, asking: Asking) -> tuple[list[Scored], list[Scored]]:
    """Return the sources that match by title, tags and headings, and those that do by their passages, best first."""
    kinds = (asking.where.kind,) if asking.where.kind else ()
    projects = _projects(db, asking.where.projects)
    if projects is not None and not projects:
        return [], []
    bodies, titles = Postings(db, BODY, kinds), Postings(db, TITLE, kinds)
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
    look = Look(postings, lookup.units(postings, terms), times=bm25.WEIGHED)
    scores = look.scores()
    if projects is not None:
        scores = lookup.within(postings, scores, projects)
    titled: list[Scored] = []
    for some in lookup.best_first(postings, scores, asking.limit):
        passing = _passing_sources(db, [source for _, source, *_ in some], asking.where)
        titled += [Scored(source, score) for score, source, *_ in some if source in passing]
        if len(titled) >= asking.limit:
            break
    return titled[: asking.limit]


def _by_passage(
    db: sqlite3.Connection,
    postings: Postings,
    terms: Sequence[tuple[str, ...]],
    asking: Asking,
    projects: set[int] | None,
) -> list[Scored]:
    look = Look(postings, lookup.units(postings, terms), lookup.exact(terms))
    scores = look.scores()
    if projects is not None:
        scores = lookup.within(postings, scores, projects)
    most = max(asking.limit * 4, PASSAGES)  # several of one source may come first
    matches: list[tuple[Match, Place]] = []
    for some in lookup.best_first(postings, scores, most):
        matches += _passing(db, some, asking.where, most - len(matches))
        if len(matches) >= most:
            break
    beside = _beside(db, look, asking, [match for match, _ in matches])
    return best([(PAIRS * beside.get(match[1], 0.0) + match[0], *place) for match, place in matches])[: asking.limit]


def _passing(db: sqlite3.Connection, some: Sequence[Match], where: Filter, most: int) -> list[tuple[Match, Place]]:
    """Return the first *most* of these passages whose source passes *where*, with their place."""
    condition, values = sql.condition(where, marked=False)
    passing: list[tuple[Match, Place]] = []
    for few in batches(some):
        numbers = [number for _, number, *_ in few]
        rows = db.execute(sql.passing(len(few), condition), (*numbers, *values))
        places = {number: fitting(tuple(place), PLACE) for number, *place in rows}
        passing += [(match, places[match[1]]) for match in few if match[1] in places]
        if len(passing) >= most:
            break
    return passing[:most]


def _passing_sources(db: sqlite3.Connection, sources: Sequence[int], where: Filter) -> set[int]:
    condition, values = sql.condition(where, marked=False)
    if condition == sql.EVERYTHING:
        return set(sources)
    found: set[int] = set()
    for some in batches(sources):
        ask = f"SELECT s.rowid FROM source s WHERE s.rowid IN ({marks(some)}) AND {condition}"
        found.update(row for (row,) in db.execute(ask, (*some, *values)))
    return found


def _beside(db: sqlite3.Connection, look: Look, asking: Asking, among: Sequence[Match]) -> dict[int, float]:
    """Return what words of the question that stand side by side add to the passages *among* that hold them."""
    pairs = [(stem(one), stem(two)) for one, two in asking.terms.pairs]
    if not pairs or not among:
        return {}
    positions: dict[int, dict[int, int]] = {}
    for _, number, row, at in among:
        positions.setdefault(row, {})[at] = number
    both: dict[int, list[tuple[tuple[str, str], int]]] = {}
    for pair, one, two in look.pairs(pairs):
        for row, some in positions.items():
            if row in one and row in two:
                places, codes = one[row]
                for at in some.keys() & set(places).intersection(two[row][0]):
                    length = codes[bisect_left(places, at)] & bm25.LENGTH
                    both.setdefault(some[at], []).append((pair, length))
    return _side_by_side(asking.bodies(db, list(both)), both, look)


def _side_by_side(
    bodies: dict[int, str], both: dict[int, list[tuple[tuple[str, str], int]]], look: Look
) -> dict[int, float]:
    """Return what the pairs add that do stand side by side, each as rare as it is among these passages."""
    times: dict[tuple[str, str], dict[int, int]] = {}
    for number, pairs in both.items():
        body = f" {bodies.get(number, '')} "
        for (one, two), length in pairs:
            if many := body.count(f" {one} {two} "):
                times.setdefault((one, two), {})[number] = bm25.times_class(many) | length
    beside: dict[int, float] = {}
    for holding in times.values():
        counts = look.counts(len(holding))
        for number, code in holding.items():
            beside[number] = beside.get(number, 0.0) + counts[code]
    return beside


# ---- every word in one place ---------------------------------------------------------------------------------


def _holding_all(db: sqlite3.Connection, postings: Postings, asking: Asking, projects: set[int] | None) -> list[Scored]:
    units = lookup.units(postings, asking.terms.terms)
    numbers = _newest(postings, units, projects)
    most = asking.limit * 4
    places: list[Place] = []
    for some in batches(numbers):
        phrased = [(0.0, number, 0, 0) for number in _phrased(db, asking, some)]
        places += [place for _, place in _passing(db, phrased, asking.where, most - len(places))]
        if len(places) >= most:
            break
    return best([(0.0, *place) for place in places])[: asking.limit]


def _holding_all_in_titles(
    db: sqlite3.Connection, postings: Postings, asking: Asking, projects: set[int] | None
) -> list[Scored]:
    units = lookup.units(postings, asking.terms.terms)
    titled: list[Scored] = []
    for some in batches(_newest(postings, units, projects)):
        passing = _passing_sources(db, some, asking.where)
        titled += [Scored(source, 0.0) for source in some if source in passing]
        if len(titled) >= asking.limit:
            break
    return titled[: asking.limit]


def _newest(postings: Postings, units: Sequence[Unit], projects: set[int] | None) -> list[int]:
    """Return the texts that hold all of *units*, the newest first."""
    found: list[int] = []
    for row, positions in Look(postings, units).every().items():
        segment = postings.segments[row]
        found += [segment.texts[at] for at in positions if projects is None or segment.projects[at] in projects]
    return sorted(found, reverse=True)


def _phrased(db: sqlite3.Connection, asking: Asking, numbers: Sequence[int]) -> list[int]:
    """Return those passages in which the bigrams of every run of letters without spaces stand side by side."""
    runs = [f" {' '.join(group)} " for group in asking.terms.terms if len(group) > 1 and is_run(group[0])]
    if not runs:
        return list(numbers)
    bodies = asking.bodies(db, numbers)
    return [number for number in numbers if all(run in f" {bodies.get(number, '')} " for run in runs)]


def packed_bodies(db: sqlite3.Connection, numbers: Sequence[int]) -> dict[int, str]:
    """Return passages, by number, as their stems in order, from where they are kept packed."""
    found: dict[int, str] = {}
    for some in batches(numbers):
        ask = f"SELECT rowid, tokens FROM passage WHERE rowid IN ({marks(some)})"
        found.update((number, unpacked(blob)) for number, blob in db.execute(ask, some))
    return found


def packed(body: str) -> bytes:
    """Return the stems of a passage as they are kept."""
    return zlib.compress(body.encode(), 1)


def unpacked(blob: object) -> str:
    """Return the stems in *blob*."""
    try:
        return zlib.decompress(blob).decode()  # type: ignore[arg-type]
    except (zlib.error, TypeError, UnicodeDecodeError):
        raise sqlite3.DatabaseError("malformed tokens") from None


def _projects(db: sqlite3.Connection, identities: Sequence[str]) -> set[int] | None:
    """Return the rows of projects, of those that are known; None where any project will do."""
    if not identities:
        return None
    ask = f"SELECT rowid FROM project WHERE identity IN ({marks(identities)})"
    return {row for (row,) in db.execute(ask, tuple(identities))}
