"""Lexical search over titles and passages; filters apply before the results are cut."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from autology.index import sql
from autology.index.filter_cache import FilterBitmaps
from autology.index.sources_of_passages import Scored, batches, best, marks
from autology.index.text import phrase_match, posting_search
from autology.index.text.posting_search import Match, TermQuery, TermSearch
from autology.index.text.postings import BODY, TITLE, Postings, Segment
from autology.model.query import Filter, Terms
from autology.ranking import bm25
from autology.text.language import word_order
from autology.text.tokens import apart, is_run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from autology.index.text.posting_search import TextFilter

SOURCES, PASSAGES, EACH = 100, 200, 4
"""Passages fetched for up to SOURCES sources (bench/quality: 400 are level), and passages per source beyond that:
a source may match with every passage, and none may be missed."""
FURTHER = 8
"""The growth factor of the candidate set if too few candidates pass."""
POSTINGS = 2_500
"""The budget of postings per query word, shared by all words, rarest first.

5,000 are level in bench/quality, on long proposals too. Ignoring words in 5 % of passages costs nothing on small
notes, but 5 points of nDCG@10 on long proposals, whose words are all common: so only what would take too long is
ignored."""


@dataclass(frozen=True, slots=True)
class LexicalQuery:
    """A lexical query: its terms, filter and limit, whether all terms must match, and the caches to use."""

    terms: Terms
    where: Filter
    every: bool
    limit: int
    segments: dict[int, Segment]
    passing: FilterBitmaps


def retrieve(db: sqlite3.Connection, query: LexicalQuery) -> tuple[list[Scored], list[Scored]]:
    """Return the sources that match by title, tags and headings, and those that match by passage, best first."""
    kinds = (query.where.kind,) if query.where.kind else query.where.kinds
    projects = _projects(db, query.where.projects)
    if projects is not None and not projects:
        return [], []
    bodies, titles = (Postings(db, field, kinds, query.segments) for field in (BODY, TITLE))
    if query.every:
        return _holding_all_in_titles(db, titles, query, projects), _holding_all(db, bodies, query, projects)
    terms = _rarer(bodies, apart(query.terms.terms))
    return _by_title(db, titles, terms, query, projects), _by_passage(db, bodies, terms, query, projects)


def _rarer(postings: Postings, terms: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Return the rarest of *terms*, within the budget."""
    if postings.count <= POSTINGS:
        return list(terms)
    often = posting_search.frequencies(postings, posting_search.term_queries(postings, terms))
    chosen = set(posting_search.rarest(often, POSTINGS * len(terms)))
    return [term for at, term in enumerate(terms) if at in chosen]


def _by_title(
    db: sqlite3.Connection,
    postings: Postings,
    terms: Sequence[tuple[str, ...]],
    query: LexicalQuery,
    projects: set[int] | None,
) -> list[Scored]:
    search = TermSearch(postings, posting_search.term_queries(postings, terms), scale=bm25.TITLES)
    matches = _best(db, postings, search, query, projects, query.limit)
    exactly = _exactly(postings, [match for match, _ in matches], bm25.TITLES)
    scored = [Scored(source, score) for (_, source), score in zip(matches, exactly, strict=True)]
    return sorted(scored, key=lambda hit: -hit.score)


def _by_passage(
    db: sqlite3.Connection,
    postings: Postings,
    terms: Sequence[tuple[str, ...]],
    query: LexicalQuery,
    projects: set[int] | None,
) -> list[Scored]:
    search = TermSearch(postings, posting_search.term_queries(postings, terms), posting_search.exact(terms))
    most = PASSAGES if query.limit <= SOURCES else query.limit * EACH  # several of one source may rank first
    matches = _best(db, postings, search, query, projects, most)
    adjacent = phrase_match.scores(db, search, query.terms.pairs, [match for match, _ in matches])
    exactly = _exactly(postings, [match for match, _ in matches], bm25.PASSAGES)
    scored = [
        (bm25.PAIRS * adjacent.get(match[1], 0.0) + score, source, match[1])
        for (match, source), score in zip(matches, exactly, strict=True)
    ]
    return best(scored)[: query.limit]


def _exactly(postings: Postings, matches: Sequence[Match], scale: bm25.Scale) -> list[float]:
    """Return the scores of *matches*, recomputed with exact text lengths."""
    lengths = {row: postings.lengths(row) for row in {match[2] for match in matches}}
    text_lengths = [lengths[row][at] for _, _, row, at in matches]
    return bm25.refined([match[0] for match in matches], text_lengths, postings.average, scale)


def _best(
    db: sqlite3.Connection,
    postings: Postings,
    search: TermSearch,
    query: LexicalQuery,
    projects: set[int] | None,
    most: int,
) -> list[tuple[Match, int]]:
    """Return the *most* best texts whose source passes the query's filter, each with its source."""
    filters = [] if projects is None else [posting_search.within(postings, projects)]
    passing = None
    if query.where.alive_at is not None or sql.condition(query.where, marked=False)[0] != sql.EVERYTHING:
        passing = query.passing.rows(db, query.where)
        if passing is None:
            return _progressively(db, postings, search, query.where, posting_search.all_of(*filters), most)
        filters.append(posting_search.of_sources(postings, passing))
    return _with_sources(postings, search.best(most, accept=posting_search.all_of(*filters)))


def _progressively(
    db: sqlite3.Connection, postings: Postings, search: TermSearch, where: Filter, accept: TextFilter | None, most: int
) -> list[tuple[Match, int]]:
    """Return the same, but check only the best candidates, and more of them if too few pass."""
    many = most
    while True:
        matches = search.best(many, accept=accept)
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
    for batch in matches:
        rows = _with_sources(postings, batch)
        if condition != sql.EVERYTHING:
            source_rows = list(dict.fromkeys(source for _, source in rows))
            ask = f"SELECT s.rowid FROM source s WHERE s.rowid IN ({marks(source_rows)}) AND {condition}"
            passing_rows = {source for (source,) in db.execute(ask, (*source_rows, *values))}
            rows = [row for row in rows if row[1] in passing_rows]
        passing += rows
        if len(passing) >= most:
            break
    return passing[:most]


def _with_sources(postings: Postings, matches: Iterable[Match]) -> list[tuple[Match, int]]:
    sources = {row: postings.sources(row) for row in postings.segments}
    return [(match, sources[match[2]][match[3]]) for match in matches]


# ---- all terms in one text -----------------------------------------------------------------------------------


def _holding_all(
    db: sqlite3.Connection, postings: Postings, query: LexicalQuery, projects: set[int] | None
) -> list[Scored]:
    units = posting_search.term_queries(postings, query.terms.terms)
    newest = (_phrased(db, query, batch) for batch in batches(_newest(postings, units, projects)))
    matches = _passing(db, postings, newest, query.where, query.limit * 4)
    return best([(0.0, source, match[1]) for match, source in matches])[: query.limit]


def _holding_all_in_titles(
    db: sqlite3.Connection, postings: Postings, query: LexicalQuery, projects: set[int] | None
) -> list[Scored]:
    units = posting_search.term_queries(postings, query.terms.terms)
    matches = _passing(db, postings, batches(_newest(postings, units, projects)), query.where, query.limit)
    return [Scored(source, 0.0) for _, source in matches]


def _newest(postings: Postings, units: Sequence[TermQuery], projects: set[int] | None) -> list[Match]:
    """Return the texts that match all of *units*, newest first."""
    matches: list[Match] = []
    for row, positions in TermSearch(postings, units).every().items():
        texts = postings.texts(row)
        if projects is not None:
            own = postings.projects(row)
            matches += [(0.0, texts[at], row, at) for at in positions if own[at] in projects]
        else:
            matches += [(0.0, texts[at], row, at) for at in positions]
    return sorted(matches, key=lambda match: -match[1])


def _phrased(db: sqlite3.Connection, query: LexicalQuery, matches: Sequence[Match]) -> Sequence[Match]:
    """Return those passages in which each run of a script without spaces occurs as a phrase."""
    runs = [group for group in query.terms.terms if len(group) > 1 and is_run(group[0])]
    if not runs:
        return matches
    orders = phrase_match.orders(db, [number for _, number, *_ in matches])
    return [match for match in matches if all(word_order.times(run, orders.get(match[1], b"")) for run in runs)]


def _projects(db: sqlite3.Connection, identities: Sequence[str]) -> set[int] | None:
    """Return the rows of the known projects among *identities*; None if any project will do."""
    if not identities:
        return None
    ask = f"SELECT rowid FROM project WHERE identity IN ({marks(identities)})"
    return {row for (row,) in db.execute(ask, tuple(identities))}
