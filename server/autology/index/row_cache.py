"""From matching passages to the sources that contain them, with caches of immutable rows."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter

from autology.index.checked_rows import COLUMNS, PERHAPS_PLACE, batches, read_source
from autology.index.filter_cache import FilterBitmaps
from autology.index.readonly import placeholders
from autology.index.text.postings import Segment
from autology.model.hit import Candidate, Source

MAX_OTHERS = 8
"""Maximum scores of further passages per source."""
SEGMENTS = 300
"""Segments cached, 12 bytes per text; including segments that were merged since."""
SOURCES = 5_000
"""Sources cached, half a kilobyte each."""
PASSAGES = 20_000
"""Passage positions cached, a sixth of a kilobyte each: looking up 250 takes a third of a millisecond."""
ORDERS = 3_000
"""Word sequences of passages cached, half a kilobyte each: reading 160 takes a third of a millisecond."""

_PASSAGE_TYPES = {(int, int, start, stop) for start in PERHAPS_PLACE for stop in PERHAPS_PLACE}
_SCORE = itemgetter(0)

ScoredPassage = tuple[float, int, int]
"""A passage: its score, its source's row and its own row."""
PassageSpan = tuple[int, int | None, int | None]
"""A passage's source row, start and end."""


@dataclass(slots=True)
class SourceHit:
    """A source's row, its score, its best passage's row, the scores of its other passages, its cosine,
    and the score of all of it."""

    source: int
    score: float
    passage: int | None = None
    others: list[float] | None = None
    cosine: float = 0.0
    document: float = 0.0


def best_of_sources(passages: list[ScoredPassage], limit: int) -> list[SourceHit]:
    """Group *passages* by source, each with its best one, and return the *limit* best."""
    passages.sort(key=_SCORE, reverse=True)
    if len({source for _, source, _ in passages}) == len(passages):  # short notes have one passage each
        return [SourceHit(source, score, passage) for score, source, passage in passages[:limit]]
    by_source: dict[int, SourceHit] = {}
    for score, source, passage in passages:
        if (hit := by_source.get(source)) is not None:
            if hit.others is None:
                hit.others = [score]
            else:
                hit.others.append(score)
        elif len(by_source) < limit:
            by_source[source] = SourceHit(source, score, passage)
    return list(by_source.values())


class RowCache:
    """Cache of sources, passages, segments and filter results of one generation of the index.

    Safe because rows are immutable: an update inserts a new row.
    """

    def __init__(self, generation: str = "") -> None:
        self._generation = generation
        self._sources: dict[int, Source] = {}
        self._passages: dict[int, PassageSpan] = {}
        self.segments: dict[int, Segment] = {}
        """Segments read so far; readers add to them."""
        self.orders: dict[int, bytes] = {}
        """Word sequences of passages read so far; readers add to them."""
        self.filters = FilterBitmaps()

    def of(self, generation: str) -> RowCache:
        """Return the cache for the index with that generation, empty if it differs.

        A new object, because a thread still working on the old index keeps using the old one: row numbers of both
        overlap.
        """
        if self._generation != generation:
            return RowCache(generation)
        if len(self._sources) > SOURCES:
            self._sources = {}
        if len(self._passages) > PASSAGES:
            self._passages = {}
        if len(self.segments) > SEGMENTS:
            self.segments = {}
        if len(self.orders) > ORDERS:
            self.orders = {}
        return self

    def candidates(self, db: sqlite3.Connection, field: str, hits: Sequence[SourceHit]) -> list[Candidate]:
        """Return *hits* as candidates, with their sources and passage positions."""
        sources = self.sources(db, [hit.source for hit in hits])
        spans = self.passages(db, [hit.passage for hit in hits if hit.passage is not None])
        return [
            Candidate(
                sources[hit.source],
                field,
                hit.score,
                None if hit.passage is None else _span(spans.get(hit.passage)),
                tuple(hit.others[:MAX_OTHERS]) if hit.others else (),
                hit.cosine,
                hit.document,
            )
            for hit in hits
            if hit.source in sources
        ]

    def sources(self, db: sqlite3.Connection, rows: Sequence[int]) -> Mapping[int, Source]:
        """Return at least the sources in *rows*."""
        sources = self._sources
        for batch in batches([row for row in rows if row not in sources]):
            sql = f"SELECT s.rowid, {COLUMNS} FROM source s WHERE s.rowid IN ({placeholders(batch)})"
            sources.update((row[0], read_source(row[1:])) for row in db.execute(sql, batch))
        return sources

    def passages(self, db: sqlite3.Connection, rows: Sequence[int]) -> Mapping[int, PassageSpan]:
        """Return the positions of at least the passages *rows*."""
        spans = self._passages
        for batch in batches([row for row in rows if row not in spans]):
            sql = f"SELECT rowid, source, start, stop FROM passage WHERE rowid IN ({placeholders(batch)})"
            read = db.execute(sql, batch).fetchall()
            if not {tuple(map(type, row)) for row in read} <= _PASSAGE_TYPES:
                raise sqlite3.DatabaseError("malformed row")
            spans.update((row[0], row[1:]) for row in read)
        return spans


def _span(place: PassageSpan | None) -> tuple[int, int] | None:
    _, start, stop = place or (0, None, None)
    return None if start is None or stop is None else (start, stop)
