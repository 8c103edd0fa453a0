"""The index by meaning: a vector for every passage, and the ones nearest to a question's."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress

from autology.index import codefile
from autology.index.found import Known, Scored, batches, best, marks
from autology.index.postings import malformed
from autology.index.scanned import SURVIVORS, Scanned
from autology.ranking import codes

PASSAGES = 4
"""Passages looked at for each source that is wanted: several of one source may come first."""
AT_ONCE = 4_096
"""Codes that are taken in together."""
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


class Codes:
    """Every passage's code in one table, held in memory; what was added since is read before each look.

    Rows of passages are never used twice, so that a code whose passage is no more only fails
    to find its vector. Where many had to be read, and *kept* says so, they are kept beside the index: who asks one
    question, in a process of its own, would read them all for it.
    """

    def __init__(self, table: str = TABLE, kept: bool = True) -> None:
        self._table = table
        self._kept = kept
        self._lock = threading.Lock()
        self._generation = ""
        self._last = 0
        self._kinds: dict[str, Scanned] = {}

    def nearest(self, db: sqlite3.Connection, known: Known, generation: str, asked: Asked, limit: int) -> list[Scored]:
        """Return at most *limit* sources, the nearest first; scores are cosines."""
        if asked.among is not None and len(asked.among) <= SURVIVORS:
            return _nearest(db, known, asked, _vectors(db, self._table, sorted(asked.among)), limit)
        with self._lock:
            self._read_new(db, generation)
            survivors = self._survivors(asked.row, asked.kinds, asked.among)
            found = _vectors(db, self._table, survivors)
            if len(found) < (1 - LOST) * len(survivors):
                self._generation = ""
                self._read_new(db, generation, anew=True)
                found = _vectors(db, self._table, self._survivors(asked.row, asked.kinds, asked.among))
        return _nearest(db, known, asked, found, limit)

    def _survivors(self, row: bytes, kinds: Sequence[str], among: set[int] | None) -> list[int]:
        survivors: list[int] = []
        for name, scanned in self._kinds.items():
            if not kinds or name in kinds:
                survivors += scanned.nearest(row, among)
        return survivors

    def _read_new(self, db: sqlite3.Connection, generation: str, anew: bool = False) -> None:
        if self._generation != generation:
            self._generation, self._last, self._kinds = generation, 0, {}
            if self._kept and not anew:
                last, known = codefile.read(self._beside(db), generation)
                if last <= (db.execute(f"SELECT max(rowid) FROM {self._table}").fetchone()[0] or 0):
                    self._last, self._kinds = last, known
        # In the order in which they came: a model takes up old passages after new ones.
        ask = f"SELECT rowid, passage, kind, code FROM {self._table} WHERE rowid > ? ORDER BY rowid"
        rows = db.execute(ask, (self._last,))
        many = 0
        while some := rows.fetchmany(AT_ONCE):
            numbers, passages, kinds, found = zip(*some, strict=True)
            # All at once: a step of Python for each would be most of the first answer's time.
            if {*map(type, passages), *map(type, found)} != {int, bytes}:
                raise malformed()
            for kind in set(kinds):
                which = [each == kind for each in kinds]
                self._take(kind, list(compress(passages, which)), list(compress(found, which)))
            self._last = numbers[-1]
            many += len(some)
        for scanned in self._kinds.values():
            scanned.settle()
        if self._kept and many >= codefile.WORTH:
            codefile.write(self._beside(db), generation, self._last, self._kinds)

    def _beside(self, db: sqlite3.Connection) -> str:
        """Return where the codes are kept."""
        return f"{db.execute('PRAGMA database_list').fetchone()[2]}-{self._table}"

    def _take(self, kind: str, passages: Sequence[int], found: Sequence[bytes]) -> None:
        scanned = self._kinds.get(kind)
        if scanned is None and (width := next(filter(None, map(len, found)), 0)):
            scanned = self._kinds[kind] = Scanned(width)
        if scanned is not None:
            scanned.add(passages, found)


def _vectors(db: sqlite3.Connection, table: str, passages: Sequence[int]) -> list[tuple[int, bytes]]:
    found: list[tuple[int, bytes]] = []
    for some in batches(passages):
        found += db.execute(f"SELECT passage, row FROM {table} WHERE passage IN ({marks(some)})", some)
    if not {tuple(map(type, row)) for row in found} <= {(int, bytes)}:
        raise malformed()
    return found


def _nearest(
    db: sqlite3.Connection, known: Known, asked: Asked, vectors: list[tuple[int, bytes]], limit: int
) -> list[Scored]:
    fitting = [each for each in vectors if len(each[1]) == len(asked.row)]
    queries = [asked.row] if asked.own == asked.row else [asked.row, asked.own]
    products = codes.products(queries, [row for _, row in fitting])
    passages = [passage for passage, _ in fitting]
    near = sorted(zip(*products, passages, strict=True), reverse=True)[: limit * PASSAGES]
    where = known.places(db, passages)
    scale = codes.SCALE**2
    scored = best([(each[0] / scale, where[each[-1]][0], each[-1]) for each in near if each[-1] in where])[:limit]
    own = dict(zip(passages, products[-1], strict=True))
    for one in scored:
        one.asked = own[one.passage or 0] / scale
    return scored
