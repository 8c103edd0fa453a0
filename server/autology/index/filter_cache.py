"""Cache of filter results. Safe because rows are immutable: an update inserts a new row."""

from __future__ import annotations

import sqlite3
from dataclasses import replace

from autology.index import filter_sql
from autology.index.checked_rows import INTEGER, checked
from autology.index.text.postings import malformed
from autology.model.query import Filter

FILTERS = 8
"""Filters cached, one byte per source row each."""
MAX_SOURCES = 50_000
"""Maximum sources evaluated for a bitmap, a microsecond each; beyond that only the hits are checked."""


class FilterBitmaps:
    """Bitmaps of recently used filters, for one generation of the index."""

    def __init__(self) -> None:
        self._bitmaps: dict[tuple[str, tuple[object, ...]], bytes] = {}

    def rows(self, db: sqlite3.Connection, where: Filter) -> bytes | bytearray | None:
        """Return one byte per source row, 1 if it passes *where*, ignoring kind and project.

        None if there are too many sources.
        """
        passed = self._passed(db, replace(where, alive_at=None))
        if passed is None or where.alive_at is None:
            return passed
        alive = bytearray(passed)
        for (row,) in db.execute(filter_sql.EXPIRED, (where.alive_at,)):
            if row >= len(alive):
                raise malformed()
            alive[row] = 0
        return alive

    def _passed(self, db: sqlite3.Connection, where: Filter) -> bytes | None:
        condition = filter_sql.condition(where, segments=False)
        # Relations change without a new row, and the same ids are hardly ever requested twice.
        cacheable = where.related_to is None and where.ids is None
        bitmap = self._bitmaps.pop(condition, b"\0") if cacheable else b"\0"
        added = _evaluated(db, condition, len(bitmap))
        if added is None:
            return None
        bitmap += added
        if cacheable:
            self._bitmaps[condition] = bitmap
            if len(self._bitmaps) > FILTERS:
                self._bitmaps.pop(next(iter(self._bitmaps)), None)  # another thread may evict concurrently
        return bitmap


def _evaluated(
    db: sqlite3.Connection, filter_condition: tuple[str, tuple[object, ...]], first: int
) -> bytearray | None:
    """Return one byte per source row from *first* on, deleted rows included; None if there are too many."""
    sequence = db.execute("SELECT seq FROM sqlite_sequence WHERE name = 'source'").fetchone() or (0,)
    (last,) = checked(sequence, (INTEGER,))
    if last - first >= MAX_SOURCES:
        return None
    passed = bytearray(max(0, last + 1 - first))
    if passed:
        condition, values = filter_condition
        for (row,) in db.execute(f"SELECT s.rowid FROM source s WHERE s.rowid >= ? AND {condition}", (first, *values)):
            if row > last:
                raise malformed()
            passed[row - first] = 1
    return passed
