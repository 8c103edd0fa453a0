"""Which sources pass a filter, remembered: a source's row never changes, and what changes gets another."""

from __future__ import annotations

import sqlite3
from dataclasses import replace

from autology.index import sql
from autology.index.found import INTEGER, fitting
from autology.index.postings import malformed
from autology.model.query import Filter

FILTERS = 8
"""Filters remembered, a byte for each row of a source."""
MOST = 50_000
"""Sources that are all looked at for a filter, a microsecond each; where there are more, only those that are found."""


class Remembered:
    """What passed filters that were asked for lately, of the index that was asked last."""

    def __init__(self) -> None:
        self._last = Passing("")

    def of(self, generation: str) -> Passing:
        """Return what is known of the index of that name.

        Whoever still asks an index that was made anew meanwhile keeps what is known of that one: of both, rows have the
        same numbers.
        """
        last = self._last
        if last.generation != generation:
            last = self._last = Passing(generation)
        return last


class Passing:
    """What passes the filters that were asked for lately, of the index of one name."""

    def __init__(self, generation: str) -> None:
        self.generation = generation
        self._known: dict[tuple[str, tuple[object, ...]], bytes] = {}

    def rows(self, db: sqlite3.Connection, where: Filter) -> bytes | bytearray | None:
        """Return a byte for each row of a source, 1 if it passes *where*, whatever its kind and project.

        None where there are too many of them.
        """
        passed = self._passed(db, replace(where, alive_at=None))
        if passed is None or where.alive_at is None:
            return passed
        alive = bytearray(passed)
        for (row,) in db.execute(sql.EXPIRED, (where.alive_at,)):
            if row >= len(alive):
                raise malformed()
            alive[row] = 0
        return alive

    def _passed(self, db: sqlite3.Connection, where: Filter) -> bytes | None:
        asked = sql.condition(where, marked=False)
        # What is related to a source changes without it; and hardly anybody asks for the same ids twice.
        lasting = where.related_to is None and where.ids is None
        known = self._known.pop(asked, b"\0") if lasting else b"\0"
        later = _later(db, asked, len(known))
        if later is None:
            return None
        known += later
        if lasting:
            self._known[asked] = known
            if len(self._known) > FILTERS:
                self._known.pop(next(iter(self._known)), None)  # another thread may forget at the same time
        return known


def _later(db: sqlite3.Connection, asked: tuple[str, tuple[object, ...]], first: int) -> bytearray | None:
    """Return a byte for each row of a source from the *first* on, those that are no more too; None for too many."""
    found = db.execute("SELECT seq FROM sqlite_sequence WHERE name = 'source'").fetchone() or (0,)
    (last,) = fitting(found, (INTEGER,))
    if last - first >= MOST:
        return None
    passed = bytearray(max(0, last + 1 - first))
    if passed:
        condition, values = asked
        for (row,) in db.execute(f"SELECT s.rowid FROM source s WHERE s.rowid >= ? AND {condition}", (first, *values)):
            if row > last:
                raise malformed()
            passed[row - first] = 1
    return passed
