"""Semantic search: the passages nearest in meaning to a query, by the encoder in use."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import replace

from autology.core.index.retrieval import Encoder, EncoderState
from autology.index import filter_sql
from autology.index.checked_rows import INTEGER, ROW, VECTOR, checked
from autology.index.open_index import IndexPart, OpenIndex, generation_of
from autology.index.row_cache import RowCache
from autology.index.text import posting_search
from autology.index.text.postings import BODY, Postings
from autology.index.vectors import unencoded_sources, waiting_passages
from autology.index.vectors.nearest import BUILT_IN, CHOSEN, CodeTable, VectorQuery
from autology.model.errors import EncodingError
from autology.model.hit import Candidate, Place
from autology.model.query import Filter
from autology.ranking import quantized_vectors
from autology.ranking.relevance_feedback import moved

_PASSAGES = "FROM source s JOIN passage p ON p.source = s.rowid"
_OF_PLACES = """
WITH place(number, id, start) AS (VALUES {places})
SELECT place.number, m.passage, m.row FROM place CROSS JOIN source s ON s.id = place.id
JOIN passage p ON p.source = s.rowid AND p.start = place.start JOIN {table} m ON m.passage = p.rowid
ORDER BY place.number"""


class SqliteVectorSearch(IndexPart):
    """The :class:`~autology.core.index.retrieval.VectorSearch` of an index file."""

    def __init__(self, opened: OpenIndex) -> None:
        super().__init__(opened)
        self._codes = {table: CodeTable(table, opened.save_codes) for table in (BUILT_IN, CHOSEN)}

    def semantic_candidates(self, text: str, where: Filter, limit: int, like: Sequence[Place] = ()) -> list[Candidate]:
        """Return semantic candidates for *text*, with feedback from the passages *like*, that pass *where*."""
        table, encoder, vector = self._query_vector(text, where.kind)
        if encoder is None or not any(vector):
            return []
        kinds = (where.kind,) if where.kind else where.kinds

        def read(db: sqlite3.Connection) -> list[Candidate]:
            generation = generation_of(db)
            cache = self._opened.cache(generation)
            eligible = _eligible(db, cache, filter_sql.needed(db, where), kinds)
            passages, feedback = _feedback(db, table, like, len(vector))
            products = quantized_vectors.rescore(vector, [row for _, row in feedback])
            goal = moved(vector, feedback, encoder.moves, products)
            query = VectorQuery(vector, goal, kinds, eligible, dict(zip(passages, products, strict=True)))
            hits = self._codes[table].nearest(db, cache, f"{generation} {encoder.name}", query, limit)
            return cache.candidates(db, "meaning", hits)

        return self._file.snapshot(read)

    def _query_vector(self, text: str, kind: str | None) -> tuple[str, Encoder | None, bytes]:
        """Return the table of vectors to search, its encoder, and the vector of *text*."""
        chosen = self._encoders.chosen()
        if chosen is not None and self._file.query(lambda db: waiting_passages.nearly_none(db, chosen.name, kind)):
            try:
                return CHOSEN, chosen, chosen.encode([text])[0]
            except EncodingError as error:
                self._encoders.failed(chosen, error)
        built_in = self._encoders.built_in()
        return BUILT_IN, built_in, built_in.encode([text])[0] if built_in else b""

    def vectors(self, where: Filter, limit: int) -> list[tuple[str, bytes]]:
        """Return the built-in encoder's vectors of the sources that pass *where*, latest first."""
        condition, values = filter_sql.condition(where)
        sql = (
            f"SELECT s.id, m.row {_PASSAGES} JOIN meaning m ON m.passage = p.rowid"
            f" WHERE {condition} ORDER BY s.modified DESC, s.rowid DESC LIMIT ?"
        )
        return self._file.query(lambda db: [checked(row, ROW) for row in db.execute(sql, (*values, limit))])

    def vector_count(self) -> int:
        """Return the number of passages with a vector."""
        return self._file.query(lambda db: int(db.execute("SELECT count(*) FROM meaning").fetchone()[0]))

    def encoder(self, kind: str | None = None) -> tuple[str, float]:
        """Return the name and the weight of the encoder that searches use for *kind*, or for all; "" without one."""
        # Another process may have left passages without vectors.
        left = self._file.query(lambda db: db.execute("SELECT 1 FROM unencoded LIMIT 1").fetchone())
        self._opened.vectors_due |= left is not None
        built_in, chosen = self._encoders.built_in(), self._encoders.chosen()
        if chosen is not None and self._file.query(lambda db: waiting_passages.nearly_none(db, chosen.name, kind)):
            return chosen.name, chosen.share
        return (built_in.name, built_in.share) if built_in else ("", 0.0)

    def encoder_state(self, kind: str | None = None) -> EncoderState:
        """Return the encoder that searches use for *kind*, or for all, and the progress of the user's model."""
        built_in, chosen = self._encoders.built_in(), self._encoders.chosen()
        name, share = (built_in.name, built_in.share) if built_in else ("", 0.0)

        def read(db: sqlite3.Connection) -> EncoderState:
            unencoded = unencoded_sources.count(db, kind)
            self._opened.vectors_due |= unencoded > 0  # another process may have left some
            if chosen is None:
                total = waiting_passages.passage_count(db, kind) if unencoded else 0
                return EncoderState(name, share, "", total, total, self._encoders.fault, unencoded)
            ready = waiting_passages.nearly_none(db, chosen.name, kind)
            current = (chosen.name, chosen.share) if ready else (name, share)
            waiting, total = waiting_passages.counted(db, chosen.name, kind)
            lacking = 0 if ready else unencoded
            return EncoderState(*current, chosen.name if waiting else "", total - waiting, total, "", lacking)

        return self._file.query(read)


def _feedback(
    db: sqlite3.Connection, table: str, like: Sequence[Place], dims: int
) -> tuple[list[int], list[tuple[float, bytes]]]:
    """Return which of the passages *like* have a vector of so many *dims*, and the score of each, with its vector."""
    if not like:
        return [], []
    sql = _OF_PLACES.format(table=table, places=", ".join(["(?, ?, ?)"] * len(like)))
    values = (value for number, place in enumerate(like) for value in (number, place.id, place.passage[0]))
    read = [checked(row, (INTEGER, INTEGER, VECTOR)) for row in db.execute(sql, tuple(values))]
    fitting = [row for row in read if len(row[2]) == dims]
    return [passage for _, passage, _ in fitting], [(like[number].score, vector) for number, _, vector in fitting]


def _eligible(db: sqlite3.Connection, cache: RowCache, where: Filter, kinds: Sequence[str]) -> set[int] | None:
    """Return the passages that pass *where*, ignoring kind; None if all do."""
    condition, values = filter_sql.condition(replace(where, kind=None, kinds=()))
    if condition == filter_sql.EVERYTHING:
        return None
    is_selective = where.ids is not None or where.projects
    if not is_selective and (bitmap := cache.filters.rows(db, where)) is not None:
        return posting_search.passing(Postings(db, BODY, kinds, cache.segments), bitmap)
    return {row for (row,) in db.execute(f"SELECT p.rowid {_PASSAGES} WHERE {condition}", values)}
