"""The index by meaning: a vector for every passage, and the ones nearest to a question's."""

from __future__ import annotations

import sqlite3
import threading
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field

from autology.ranking import codes

SURVIVORS = 400
"""Passages multiplied out after the scan."""
BATCH = 500
"""Rows asked for in one statement."""
LOST = 0.2
"""Share of survivors that are no more from which the codes are read anew: a changed note leaves its old ones."""

Near = tuple[int, int]
"""A passage's row and its product with the question's vector, over codes.SCALE squared the cosine."""


def put(db: sqlite3.Connection, passage: int, kind: str, row: bytes) -> None:
    """Keep the vector of a passage; one without a known word has none."""
    if any(row):
        db.execute("INSERT OR REPLACE INTO meaning VALUES (?, ?, ?, ?)", (passage, kind, codes.sign_code(row), row))


@dataclass(slots=True)
class Scanned:
    """The codes of one kind's passages, as the scan takes them."""

    passages: array[int] = field(default_factory=lambda: array("q"))
    codes: list[int] = field(default_factory=list)


class Codes:
    """Every passage's code, held in memory; what was added since is read before each look.

    Rows of passages are never used twice, so that a code whose passage is no more only fails
    to find its vector.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._generation = ""
        self._last = 0
        self._kinds: dict[str, Scanned] = {}

    def nearest(
        self, db: sqlite3.Connection, generation: str, row: bytes, kind: str | None, among: set[int] | None
    ) -> list[Near]:
        """Return the passages of *kind*, and *among* these if given, nearest to *row*, the nearest first."""
        if among is not None and len(among) <= SURVIVORS:
            return _products(db, row, sorted(among))
        with self._lock:
            self._read_new(db, generation)
            survivors = self._survivors(row, kind, among)
            found = _products(db, row, survivors)
            if len(found) < (1 - LOST) * len(survivors):
                self._generation = ""
                self._read_new(db, generation)
                found = _products(db, row, self._survivors(row, kind, among))
        return found

    def _survivors(self, row: bytes, kind: str | None, among: set[int] | None) -> list[int]:
        survivors: list[int] = []
        for name, scanned in self._kinds.items():
            if kind not in (None, name):
                continue
            passages, held = scanned.passages, scanned.codes
            if among is not None:
                places = [at for at, passage in enumerate(passages) if passage in among]
                passages, held = array("q", [passages[at] for at in places]), [held[at] for at in places]
            survivors += [passages[at] for at in codes.scan(row, held, SURVIVORS)]
        return survivors

    def _read_new(self, db: sqlite3.Connection, generation: str) -> None:
        if self._generation != generation:
            self._generation, self._last, self._kinds = generation, 0, {}
        rows = db.execute("SELECT passage, kind, code FROM meaning WHERE passage > ? ORDER BY passage", (self._last,))
        number = int.from_bytes
        for passage, kind, code in rows:
            scanned = self._kinds.get(kind)
            if scanned is None:
                scanned = self._kinds[kind] = Scanned()
            scanned.passages.append(passage)
            scanned.codes.append(number(code, "big"))
            self._last = passage


def _products(db: sqlite3.Connection, row: bytes, passages: Sequence[int]) -> list[Near]:
    found: list[tuple[int, bytes]] = []
    for at in range(0, len(passages), BATCH):
        some = passages[at : at + BATCH]
        marks = ", ".join("?" * len(some))
        found += db.execute(f"SELECT passage, row FROM meaning WHERE passage IN ({marks})", some).fetchall()
    found = [(passage, vector) for passage, vector in found if len(vector) == len(row)]
    products = codes.rescore(row, [vector for _, vector in found])
    near = [(passage, product) for (passage, _), product in zip(found, products, strict=True)]
    return sorted(near, key=lambda pair: (-pair[1], pair[0]))
