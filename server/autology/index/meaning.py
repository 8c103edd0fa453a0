"""The index by meaning: a vector for every passage, and the ones nearest to a question's."""

from __future__ import annotations

import sqlite3
import threading
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field

from autology.index.found import ENCODED, Row, Scored, batches, best, fitting, marks, places
from autology.ranking import codes, slices

SURVIVORS = 120
"""Passages multiplied out after the scan, in 0.5 ms (bench/quality: 250 are level, and take twice that)."""
PASSAGES = 4
"""Passages looked at for each source that is wanted: several of one source may come first."""
LATEST = 1_000
"""Codes that are compared one by one before they are sliced, in 0.2 ms; slicing them takes 2."""
LOST = 0.2
"""Share of survivors that are no more from which the codes are read anew: a changed note leaves its old ones."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question's own vector, the one to search with, and which passages: of *kinds* or all, *among* some if given."""

    own: bytes
    row: bytes
    kinds: Sequence[str]
    among: set[int] | None


TABLE, MODEL = "meaning", "model"
"""The tables of vectors: by the encoder that is built in, and by the model that the user chose."""


def put(db: sqlite3.Connection, passage: int, kind: str, row: bytes, table: str = TABLE) -> None:
    """Keep the vector of a passage; one without a known word has none."""
    if any(row):
        ask = f"INSERT OR REPLACE INTO {table}(passage, kind, code, row) VALUES (?, ?, ?, ?)"
        db.execute(ask, (passage, kind, codes.sign_code(row), row))


@dataclass(slots=True)
class Scanned:
    """The codes of one kind's passages, *width* bytes each, as the scan takes them: in slices, the latest not yet."""

    width: int
    passages: array[int] = field(default_factory=lambda: array("q"))
    slices: list[int] = field(default_factory=list)
    sliced: int = 0
    latest: bytearray = field(default_factory=bytearray)

    def add(self, passage: int, code: bytes) -> None:
        """Take in a code; one of another width belongs to no encoder that there is."""
        if len(code) == self.width:
            self.passages.append(passage)
            self.latest += code

    def settle(self) -> None:
        """Slice the latest codes once they are many."""
        many = len(self.latest) // self.width
        if many < LATEST:
            return
        more = slices.sliced(bytes(self.latest), self.width)
        self.slices = [one << many | two for one, two in zip(self.slices, more, strict=True)] if self.slices else more
        self.sliced += many
        self.latest.clear()

    def nearest(self, row: bytes, among: set[int] | None) -> list[int]:
        """Return the passages whose codes are nearest to *row*'s: some SURVIVORS in slices, and of the latest."""
        if len(row) != 8 * self.width:
            return []
        passages, sliced = self.passages, self.sliced
        marks = None if among is None else slices.marked(map(among.__contains__, passages[:sliced]))
        new = [at for at in range(sliced, len(passages)) if among is None or passages[at] in among]
        found = slices.nearest(codes.sign_code(row), self.slices, sliced, SURVIVORS, marks) if sliced else []
        latest = codes.unpacked(self.latest, len(row))
        places = codes.scan(row, [latest[at - sliced] for at in new], SURVIVORS)
        return [passages[at] for at in found] + [passages[new[at]] for at in places]


class Codes:
    """Every passage's code in one table, held in memory; what was added since is read before each look.

    Rows of passages are never used twice, so that a code whose passage is no more only fails
    to find its vector.
    """

    def __init__(self, table: str = TABLE) -> None:
        self._table = table
        self._lock = threading.Lock()
        self._generation = ""
        self._last = 0
        self._kinds: dict[str, Scanned] = {}

    def nearest(self, db: sqlite3.Connection, generation: str, asked: Asked, limit: int) -> list[Scored]:
        """Return at most *limit* sources, the nearest first; scores are cosines."""
        if asked.among is not None and len(asked.among) <= SURVIVORS:
            return _nearest(db, asked, _vectors(db, self._table, sorted(asked.among)), limit)
        with self._lock:
            self._read_new(db, generation)
            survivors = self._survivors(asked.row, asked.kinds, asked.among)
            found = _vectors(db, self._table, survivors)
            if len(found) < (1 - LOST) * len(survivors):
                self._generation = ""
                self._read_new(db, generation)
                found = _vectors(db, self._table, self._survivors(asked.row, asked.kinds, asked.among))
        return _nearest(db, asked, found, limit)

    def _survivors(self, row: bytes, kinds: Sequence[str], among: set[int] | None) -> list[int]:
        survivors: list[int] = []
        for name, scanned in self._kinds.items():
            if not kinds or name in kinds:
                survivors += scanned.nearest(row, among)
        return survivors

    def _read_new(self, db: sqlite3.Connection, generation: str) -> None:
        if self._generation != generation:
            self._generation, self._last, self._kinds = generation, 0, {}
        # In the order in which they came: a model takes up old passages after new ones.
        ask = f"SELECT rowid, passage, kind, code FROM {self._table} WHERE rowid > ? ORDER BY rowid"
        rows = db.execute(ask, (self._last,))
        for at, passage, kind, code in rows:
            fitting((passage, code), ENCODED)
            scanned = self._kinds.get(kind)
            if scanned is None and code:
                scanned = self._kinds[kind] = Scanned(len(code))
            if scanned is not None:
                scanned.add(passage, code)
            self._last = at
        for scanned in self._kinds.values():
            scanned.settle()


def _vectors(db: sqlite3.Connection, table: str, passages: Sequence[int]) -> list[tuple[int, bytes]]:
    found: list[tuple[int, bytes]] = []
    for some in batches(passages):
        rows = db.execute(f"SELECT passage, row FROM {table} WHERE passage IN ({marks(some)})", some)
        found += [fitting(row, ENCODED) for row in rows]
    return found


def _nearest(db: sqlite3.Connection, asked: Asked, vectors: list[tuple[int, bytes]], limit: int) -> list[Scored]:
    fitting = [(passage, row) for passage, row in vectors if len(row) == len(asked.row)]
    queries = [asked.row] if asked.own == asked.row else [asked.row, asked.own]
    products = codes.products(queries, [row for _, row in fitting])
    near = sorted(zip(*products, (passage for passage, _ in fitting), strict=True), reverse=True)[: limit * PASSAGES]
    where = places(db, [each[-1] for each in near])
    own: dict[int, int] = {}
    rows: list[Row] = []
    for each in near:
        if place := where.get(each[-1]):
            rows.append((each[0] / codes.SCALE**2, *place))
            own.setdefault(place[0], each[-2])
    scored = best(rows)[:limit]
    for one in scored:
        one.asked = own[one.source] / codes.SCALE**2
    return scored
