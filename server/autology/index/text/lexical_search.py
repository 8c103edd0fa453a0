"""Lexical search over titles and passages; filters apply before the results are cut."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence

from autology.index import filter_sql
from autology.index.checked_rows import INTEGER, batches, checked, checked_texts
from autology.index.open_index import IndexPart, generation_of
from autology.index.readonly import placeholders
from autology.index.row_cache import RowCache, SourceHit, best_of_sources
from autology.index.text import document_score, phrase_match, posting_search
from autology.index.text.posting_search import Match, TermSearch
from autology.index.text.postings import BODY, TITLE, Postings
from autology.model.hit import Candidate
from autology.model.query import Filter, Terms
from autology.ranking import bm25
from autology.text.language import word_order
from autology.text.tokens import apart, is_run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from autology.index.text.posting_search import TextFilter

SOURCES, PASSAGES, PER_SOURCE = 100, 200, 4
"""Passages fetched for up to SOURCES sources (bench/quality: 400 are level), and passages per source beyond that:
a source may match with every passage, and none may be missed."""
GROWTH = 8
"""The growth factor of the candidate set if too few candidates pass."""
POSTINGS = 2_500
"""The budget of postings per query word, shared by all words, rarest first.

5,000 are level in bench/quality, on long proposals too. Ignoring words in 5 % of passages costs nothing on small
notes, but 5 points of nDCG@10 on long proposals, whose words are all common: so words are only
ignored if they would take too long."""


_SPANS = """
SELECT s.id, p.start, p.stop FROM source s JOIN passage p ON p.source = s.rowid
WHERE s.id IN ({}) AND p.start IS NOT NULL ORDER BY p.start"""


class SqliteTextSearch(IndexPart):
    """The :class:`~autology.core.index.retrieval.TextSearch` of an index file."""

    def lexical_candidates(self, terms: Terms, where: Filter, every: bool, limit: int) -> list[Candidate]:
        """Return lexical candidates, by title and by body, that pass *where*; if *every*, only those with all terms."""
        if not terms:
            return []

        def read(db: sqlite3.Connection) -> list[Candidate]:
            cache = self._opened.cache(generation_of(db))
            projects = _projects(db, where.projects)
            if projects is not None and not projects:
                return []
            retrieval = _Retrieval(db, cache, terms, filter_sql.needed(db, where), projects, limit)
            titles, bodies = retrieval.with_all_terms() if every else retrieval.with_any_term()
            return [*cache.candidates(db, "title", titles), *cache.candidates(db, "body", bodies)]

        return self._file.snapshot(read)

    def spans(self, ids: Sequence[str]) -> dict[str, tuple[tuple[int, int], ...]]:
        """Return the start and end of each passage of these sources, in order."""
        by_id: dict[str, list[tuple[int, int]]] = {}

        def read(db: sqlite3.Connection) -> None:
            for batch in batches(ids):
                for id, start, stop in db.execute(_SPANS.format(placeholders(batch)), batch):
                    checked_texts((id,), 1)
                    by_id.setdefault(id, []).append(checked((start, stop), (INTEGER, INTEGER)))

        if ids:
            self._file.query(read)
        return {id: tuple(spans) for id, spans in by_id.items()}


class _Retrieval:
    """The evaluation of one query, in the rows of *projects* only unless None."""

    def __init__(
        self,
        db: sqlite3.Connection,
        cache: RowCache,
        terms: Terms,
        where: Filter,
        projects: set[int] | None,
        limit: int,
    ) -> None:
        kinds = (where.kind,) if where.kind else where.kinds
        self._db, self._cache, self._terms, self._where = db, cache, terms, where
        self._projects, self._limit = projects, limit
        self._bodies, self._titles = (Postings(db, field, kinds, cache.segments) for field in (BODY, TITLE))

    def with_any_term(self) -> tuple[list[SourceHit], list[SourceHit]]:
        """Return the sources that match by title, tags and headings, and those that match by passage, best first."""
        terms = self._rarer(apart(self._terms.terms))
        return self._by_title(terms), self._by_passage(terms)

    def _rarer(self, terms: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
        """Return the rarest of *terms*, within the budget."""
        postings = self._bodies
        if postings.count <= POSTINGS:
            return list(terms)
        frequencies = posting_search.frequencies(postings, posting_search.term_queries(postings, terms))
        chosen = set(posting_search.rarest(frequencies, POSTINGS * len(terms)))
        return [term for at, term in enumerate(terms) if at in chosen]

    def _by_title(self, terms: Sequence[tuple[str, ...]]) -> list[SourceHit]:
        postings = self._titles
        search = TermSearch(postings, posting_search.term_queries(postings, terms), scale=bm25.TITLES)
        matches = self._best(postings, search, self._limit)
        scores = _rescored(postings, matches, bm25.TITLES)
        hits = [SourceHit(source, score) for (_, source), score in zip(matches, scores, strict=True)]
        return sorted(hits, key=lambda hit: -hit.score)

    def _by_passage(self, terms: Sequence[tuple[str, ...]]) -> list[SourceHit]:
        postings, limit = self._bodies, self._limit
        search = TermSearch(postings, posting_search.term_queries(postings, terms), posting_search.exact(terms))
        count = PASSAGES if limit <= SOURCES else limit * PER_SOURCE  # several of one source may rank first
        matches = self._best(postings, search, count)
        adjacent = phrase_match.scores(
            self._db, self._cache.orders, search, self._terms.pairs, [match for match, _ in matches]
        )
        scores = _rescored(postings, matches, bm25.PASSAGES)
        passages = [
            (bm25.PAIRS * adjacent.get(match[1], 0.0) + score, source, match[1])
            for (match, source), score in zip(matches, scores, strict=True)
        ]
        hits = best_of_sources(passages, limit)
        sources = {hit.source for hit in hits}
        average = postings.average * postings.count / (self._titles.count or 1)
        documents = document_score.scores(postings, search, matches, sources, average)
        for hit in hits:
            hit.document = documents[hit.source]
        return hits

    def _best(self, postings: Postings, search: TermSearch, count: int) -> list[tuple[Match, int]]:
        """Return the *count* best texts whose source passes the query's filter, each with its source."""
        filters = [] if self._projects is None else [posting_search.within(postings, self._projects)]
        where = self._where
        if where.alive_at is not None or filter_sql.condition(where, segments=False)[0] != filter_sql.EVERYTHING:
            bitmap = self._cache.filters.rows(self._db, where)
            if bitmap is None:
                return self._best_progressively(postings, search, posting_search.all_of(*filters), count)
            filters.append(posting_search.of_sources(postings, bitmap))
        return _with_sources(postings, search.best(count, accept=posting_search.all_of(*filters)))

    def _best_progressively(
        self, postings: Postings, search: TermSearch, accept: TextFilter | None, count: int
    ) -> list[tuple[Match, int]]:
        """Return the same as :meth:`_best`, but check only the best candidates, and more if too few pass."""
        checked_count = count
        while True:
            matches = search.best(checked_count, accept=accept)
            passing = self._passing(postings, batches(matches), count)
            if len(passing) == count or len(matches) < checked_count:
                return passing
            checked_count *= GROWTH

    def _passing(self, postings: Postings, matches: Iterable[Sequence[Match]], count: int) -> list[tuple[Match, int]]:
        """Return the first *count* texts whose source passes the filter, each with its source."""
        condition, values = filter_sql.condition(self._where, segments=False)
        passing: list[tuple[Match, int]] = []
        for batch in matches:
            rows = _with_sources(postings, batch)
            if condition != filter_sql.EVERYTHING:
                sources = list(dict.fromkeys(source for _, source in rows))
                sql = f"SELECT s.rowid FROM source s WHERE s.rowid IN ({placeholders(sources)}) AND {condition}"
                accepted = {source for (source,) in self._db.execute(sql, (*sources, *values))}
                rows = [row for row in rows if row[1] in accepted]
            passing += rows
            if len(passing) >= count:
                break
        return passing[:count]

    def with_all_terms(self) -> tuple[list[SourceHit], list[SourceHit]]:
        """Return the sources with all terms in their title, and those with all in a passage, newest first."""
        titles = self._passing(self._titles, batches(self._newest(self._titles)), self._limit)
        phrased = (self._phrased(batch) for batch in batches(self._newest(self._bodies)))
        bodies = self._passing(self._bodies, phrased, self._limit * 4)
        passages = best_of_sources([(0.0, source, match[1]) for match, source in bodies], self._limit)
        return [SourceHit(source, 0.0) for _, source in titles], passages

    def _newest(self, postings: Postings) -> list[Match]:
        """Return the texts that match all terms, newest first."""
        terms = posting_search.term_queries(postings, self._terms.terms)
        matches: list[Match] = []
        for row, positions in posting_search.matching_all(postings, terms).items():
            texts, projects = postings.texts(row), postings.projects(row)
            accepted = (at for at in positions if self._projects is None or projects[at] in self._projects)
            matches += [(0.0, texts[at], row, at) for at in accepted]
        return sorted(matches, key=lambda match: -match[1])

    def _phrased(self, matches: Sequence[Match]) -> Sequence[Match]:
        """Return those passages in which each run of a script without spaces occurs as a phrase."""
        runs = [group for group in self._terms.terms if len(group) > 1 and is_run(group[0])]
        if not runs:
            return matches
        orders = phrase_match.orders(self._db, [text for _, text, *_ in matches], self._cache.orders)
        return [match for match in matches if all(word_order.times(run, orders.get(match[1], b"")) for run in runs)]


def _rescored(postings: Postings, matches: Sequence[tuple[Match, int]], scale: bm25.Scale) -> list[float]:
    """Return the scores of *matches*, recomputed with exact text lengths."""
    lengths = {row: postings.lengths(row) for row in {match[2] for match, _ in matches}}
    text_lengths = [lengths[match[2]][match[3]] for match, _ in matches]
    return bm25.refined([match[0] for match, _ in matches], text_lengths, postings.average, scale)


def _with_sources(postings: Postings, matches: Iterable[Match]) -> list[tuple[Match, int]]:
    sources = {row: postings.sources(row) for row in postings.segments}
    return [(match, sources[match[2]][match[3]]) for match in matches]


def _projects(db: sqlite3.Connection, identities: Sequence[str]) -> set[int] | None:
    """Return the rows of the known projects among *identities*; None if any project will do."""
    if not identities:
        return None
    sql = f"SELECT rowid FROM project WHERE identity IN ({placeholders(identities)})"
    return {row for (row,) in db.execute(sql, tuple(identities))}
