"""Rows of the index file: checked against the types they must have, because SQLite does not detect all damage."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from autology.model.hit import SOURCE_FIELDS, Source
from autology.text.language.timestamps import moment

COLUMNS = ", ".join(f"s.{name}" for name in SOURCE_FIELDS)
"""What a query selects for :func:`read_source`."""
BATCH = 500
"""Values bound in one statement; older SQLite builds allow 999."""

B = TypeVar("B")

Shape = tuple[tuple[type, ...], ...]
"""The accepted types of a row's values."""
TEXT, INTEGER, NUMBER, VECTOR = (str,), (int,), (int, float), (bytes,)
PERHAPS_TEXT, PERHAPS_PLACE = (str, type(None)), (int, type(None))
SOURCE: Shape = (*(TEXT,) * 4, NUMBER, *(TEXT,) * 3, *(PERHAPS_TEXT,) * 3, TEXT, *(PERHAPS_TEXT,) * 6)
EDGE: Shape = (TEXT, TEXT, TEXT, NUMBER, PERHAPS_TEXT)
FAULT: Shape = (TEXT, PERHAPS_TEXT)
COUNT: Shape = (TEXT, INTEGER)
ROW: Shape = (TEXT, VECTOR)


def read_source(row: tuple[Any, ...]) -> Source:
    """Return the source in a row that begins with COLUMNS."""
    result = Source(*checked(row, SOURCE)[: len(SOURCE_FIELDS)])
    try:
        for stamp in filter(None, (result.created, result.modified)):
            moment(stamp)
    except ValueError:
        raise sqlite3.DatabaseError("malformed stamp") from None
    return result


def checked(row: tuple[Any, ...], shape: Shape) -> tuple[Any, ...]:
    """Return *row* after checking its types against *shape*."""
    for value, types in zip(row, shape, strict=False):
        if type(value) not in types:
            raise sqlite3.DatabaseError("malformed row")
    return row


def checked_texts(row: tuple[Any, ...], texts: int) -> tuple[Any, ...]:
    """Return *row* after checking that it starts with *texts* strings."""
    return checked(row, (TEXT,) * texts)


def count_by_name(db: sqlite3.Connection, sql: str) -> dict[str, int]:
    """Return the counts that *sql* selects, by name."""
    return dict(checked(row, COUNT) for row in db.execute(sql))


def batches(values: Sequence[B]) -> Iterator[Sequence[B]]:
    """Split *values* into batches that fit one statement."""
    for at in range(0, len(values), BATCH):
        yield values[at : at + BATCH]
