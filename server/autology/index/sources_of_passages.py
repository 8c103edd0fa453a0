"""From matching passages to the sources that contain them, with caches of immutable rows."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any, TypeVar

from autology.index import sql
from autology.index.text.postings import Segment
from autology.model.hit import SOURCE_FIELDS, Candidate, Source
from autology.text.language.timestamps import moment

OTHERS = 8
"""Further passage scores kept per source."""
BATCH = 500
"""Values bound in one statement; older SQLite builds allow 999."""
SEGMENTS = 300
"""Segments cached, 12 bytes per text; segments merged since are among them."""
REMEMBERED = 5_000
"""Sources cached, half a kilobyte each."""
PLACES = 20_000
"""Passage positions cached, a sixth of a kilobyte each: looking up 250 takes a third of a millisecond."""

B = TypeVar("B")

Shape = tuple[tuple[type, ...], ...]
"""The accepted types of a row's values."""
TEXT, INTEGER, NUMBER, VECTOR = (str,), (int,), (int, float), (bytes,)
PERHAPS_TEXT, PERHAPS_PLACE = (str, type(None)), (int, type(None))
SOURCE: Shape = (*(TEXT,) * 4, NUMBER, *(TEXT,) * 3, *(PERHAPS_TEXT,) * 3, TEXT, *(PERHAPS_TEXT,) * 6)
EDGE: Shape = (TEXT, TEXT, TEXT, NUMBER, PERHAPS_TEXT)
FAULT: Shape = (TEXT, PERHAPS_TEXT)
TALLY: Shape = (TEXT, INTEGER)
_PLACES = {(int, int, one, two) for one in PERHAPS_PLACE for two in PERHAPS_PLACE}
ROW: Shape = (TEXT, VECTOR)


@dataclass(slots=True)
class Scored:
    """A source's row, its score, its best passage's row, the scores of its other passages, and its cosine."""

    source: int
    score: float
    passage: int | None = None
    others: list[float] = field(default_factory=list)
    cosine: float = 0.0


_SCORE = itemgetter(0)

Row = tuple[float, int, int]
"""A passage: its score, its source's row and its own row."""
Place = tuple[int, int | None, int | None]
"""A passage's source row, start and end."""


def best(rows: list[Row]) -> list[Scored]:
    """Group passages by source, each with its best one, best first."""
    rows.sort(key=_SCORE, reverse=True)
    by_source: dict[int, Scored] = {}
    for score, source, passage in rows:
        if (scored := by_source.get(source)) is None:
            by_source[source] = Scored(source, score, passage)
        else:
            scored.others.append(score)
    return list(by_source.values())


class RowCache:
    """Cache of sources, passage positions and segments of one index, by row.

    Safe because rows are immutable: an update inserts a new row.
    """

    def __init__(self, generation: str = "") -> None:
        self._generation = generation
        self._sources: dict[int, Source] = {}
        self._places: dict[int, Place] = {}
        self.segments: dict[int, Segment] = {}
        """Segments read so far; readers add to them."""

    def of(self, generation: str) -> RowCache:
        """Return the cache for the index with that generation, empty if it differs.

        A new object, because a thread still working on the old index keeps using the old one.
        """
        if self._generation != generation:
            return RowCache(generation)
        if len(self._sources) > REMEMBERED:
            self._sources = {}
        if len(self._places) > PLACES:
            self._places = {}
        if len(self.segments) > SEGMENTS:
            self.segments = {}
        return self

    def candidates(self, db: sqlite3.Connection, field: str, scored: Sequence[Scored]) -> list[Candidate]:
        """Return *scored* as candidates, with their sources and passage positions."""
        sources = self._sources
        for batch in batches([hit.source for hit in scored if hit.source not in sources]):
            ask = f"SELECT s.rowid, {sql.COLUMNS} FROM source s WHERE s.rowid IN ({marks(batch)})"
            sources.update((row[0], source(row[1:])) for row in db.execute(ask, batch))
        where = self.places(db, [hit.passage for hit in scored if hit.passage is not None])
        return [
            Candidate(
                sources[hit.source],
                field,
                hit.score,
                None if hit.passage is None else _span(where.get(hit.passage)),
                tuple(hit.others[:OTHERS]),
                hit.cosine,
            )
            for hit in scored
            if hit.source in sources
        ]

    def places(self, db: sqlite3.Connection, passages: Sequence[int]) -> Mapping[int, Place]:
        """Return the positions of at least *passages*, by row."""
        places = self._places
        if missing := [passage for passage in passages if passage not in places]:
            places.update(_places(db, missing))
        return places


def _span(place: Place | None) -> tuple[int, int] | None:
    _, start, stop = place or (0, None, None)
    return None if start is None or stop is None else (start, stop)


def _places(db: sqlite3.Connection, passages: Sequence[int]) -> dict[int, Place]:
    places: dict[int, Place] = {}
    for batch in batches(passages):
        ask = f"SELECT rowid, source, start, stop FROM passage WHERE rowid IN ({marks(batch)})"
        rows = db.execute(ask, batch).fetchall()
        if not {tuple(map(type, row)) for row in rows} <= _PLACES:
            raise sqlite3.DatabaseError("malformed row")
        places.update((row[0], row[1:]) for row in rows)
    return places


def source(row: tuple[Any, ...]) -> Source:
    """Return the source in a row that begins with sql.COLUMNS."""
    result = Source(*fitting(row, SOURCE)[: len(SOURCE_FIELDS)])
    try:
        for stamp in filter(None, (result.created, result.modified)):
            moment(stamp)
    except ValueError:
        raise sqlite3.DatabaseError("malformed stamp") from None
    return result


def fitting(row: tuple[Any, ...], shape: Shape) -> tuple[Any, ...]:
    """Return *row* after checking its types against *shape*; SQLite does not detect all damage."""
    for value, types in zip(row, shape, strict=False):
        if type(value) not in types:
            raise sqlite3.DatabaseError("malformed row")
    return row


def sound(row: tuple[Any, ...], texts: int) -> tuple[Any, ...]:
    """Return *row* after checking that it starts with *texts* strings."""
    return fitting(row, (TEXT,) * texts)


def tally(db: sqlite3.Connection, ask: str) -> dict[str, int]:
    """Return the counts that *ask* selects, by name."""
    return dict(fitting(row, TALLY) for row in db.execute(ask))


def marks(values: Sequence[object]) -> str:
    """Return a comma-separated placeholder for each of *values*."""
    return ", ".join("?" * len(values))


def batches(values: Sequence[B]) -> Iterator[Sequence[B]]:
    """Split *values* into batches that fit one statement."""
    for at in range(0, len(values), BATCH):
        yield values[at : at + BATCH]
