"""From passages that were found to the sources that they belong to."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any, TypeVar

from autology.index import sql
from autology.index.postings import Segment
from autology.model.hit import SOURCE_FIELDS, Candidate, Source
from autology.text.times import moment

OTHERS = 8
"""Further passages of a source that are told of."""
BATCH = 500
"""Values put into one statement; SQLite's own limit is 999 in its older builds."""
SEGMENTS = 300
"""Segments kept at hand, 12 bytes for each text of theirs: those that were put together since are among them."""
REMEMBERED = 5_000
"""Sources kept at hand, half a kilobyte each."""
PLACES = 20_000
"""Places of passages kept at hand, a sixth of a kilobyte each: looking 250 up takes a third of a millisecond."""

B = TypeVar("B")

Shape = tuple[tuple[type, ...], ...]
"""What types the values of a row may have."""
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
    """A source's row, how well it answered, in which passage, by its row, and how well its other passages did."""

    source: int
    score: float
    passage: int | None = None
    others: list[float] = field(default_factory=list)
    asked: float = 0.0


_SCORE = itemgetter(0)

Row = tuple[float, int, int]
"""A passage: its score, its source's row and its own."""
Place = tuple[int, int | None, int | None]
"""Where a passage is: its source's row, where it begins there and ends."""


def best(rows: list[Row]) -> list[Scored]:
    """Return each source once, by its best passage, the best first."""
    rows.sort(key=_SCORE, reverse=True)
    found: dict[int, Scored] = {}
    for score, source, passage in rows:
        if (known := found.get(source)) is None:
            found[source] = Scored(source, score, passage)
        else:
            known.others.append(score)
    return list(found.values())


class Known:
    """Sources, places of passages and segments of words of one index, by their row.

    A row is never used twice, and what changes gets another.
    """

    def __init__(self, generation: str = "") -> None:
        self._generation = generation
        self._sources: dict[int, Source] = {}
        self._places: dict[int, Place] = {}
        self.segments: dict[int, Segment] = {}
        """Segments of words that were looked into, to put more into."""

    def of(self, generation: str) -> Known:
        """Return what is known of the index of that name: of another one than before nothing.

        That is another object, for a thread that is still with the old one goes on with what it knows.
        """
        if self._generation != generation:
            return Known(generation)
        if len(self._sources) > REMEMBERED:
            self._sources = {}
        if len(self._places) > PLACES:
            self._places = {}
        if len(self.segments) > SEGMENTS:
            self.segments = {}
        return self

    def candidates(self, db: sqlite3.Connection, field: str, scored: Sequence[Scored]) -> list[Candidate]:
        """Return *scored* with their sources and where their passages lie."""
        known = self._sources
        for some in batches([each.source for each in scored if each.source not in known]):
            ask = f"SELECT s.rowid, {sql.COLUMNS} FROM source s WHERE s.rowid IN ({marks(some)})"
            known.update((row[0], source(row[1:])) for row in db.execute(ask, some))
        where = self.places(db, [each.passage for each in scored if each.passage is not None])
        return [
            Candidate(
                known[each.source],
                field,
                each.score,
                None if each.passage is None else _span(where.get(each.passage)),
                tuple(each.others[:OTHERS]),
                each.asked,
            )
            for each in scored
            if each.source in known
        ]

    def places(self, db: sqlite3.Connection, passages: Sequence[int]) -> Mapping[int, Place]:
        """Return where *passages* are, and others, by their row."""
        known = self._places
        if missing := [passage for passage in passages if passage not in known]:
            known.update(_places(db, missing))
        return known


def _span(place: Place | None) -> tuple[int, int] | None:
    _, start, stop = place or (0, None, None)
    return None if start is None or stop is None else (start, stop)


def _places(db: sqlite3.Connection, passages: Sequence[int]) -> dict[int, Place]:
    found: dict[int, Place] = {}
    for some in batches(passages):
        ask = f"SELECT rowid, source, start, stop FROM passage WHERE rowid IN ({marks(some)})"
        rows = db.execute(ask, some).fetchall()
        if not {tuple(map(type, row)) for row in rows} <= _PLACES:
            raise sqlite3.DatabaseError("malformed row")
        found.update((row[0], row[1:]) for row in rows)
    return found


def source(row: tuple[Any, ...]) -> Source:
    """Return the source in a row that begins with sql.COLUMNS."""
    made = Source(*fitting(row, SOURCE)[: len(SOURCE_FIELDS)])
    try:
        for stamp in filter(None, (made.created, made.modified)):
            moment(stamp)
    except ValueError:
        raise sqlite3.DatabaseError("malformed stamp") from None
    return made


def fitting(row: tuple[Any, ...], shape: Shape) -> tuple[Any, ...]:
    """Return *row*, which begins with values of that *shape*; SQLite itself does not notice every damage."""
    for value, types in zip(row, shape, strict=False):
        if type(value) not in types:
            raise sqlite3.DatabaseError("malformed row")
    return row


def sound(row: tuple[Any, ...], texts: int) -> tuple[Any, ...]:
    """Return *row*, which begins with that many *texts*."""
    return fitting(row, (TEXT,) * texts)


def tally(db: sqlite3.Connection, ask: str) -> dict[str, int]:
    """Return what *ask* counts, by name."""
    return dict(fitting(row, TALLY) for row in db.execute(ask))


def marks(values: Sequence[object]) -> str:
    """Return a question mark for each of *values*."""
    return ", ".join("?" * len(values))


def batches(values: Sequence[B]) -> Iterator[Sequence[B]]:
    """Yield *values* in parts that one statement takes."""
    for at in range(0, len(values), BATCH):
        yield values[at : at + BATCH]
