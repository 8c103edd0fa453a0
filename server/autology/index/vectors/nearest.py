"""The vectors of passages, and those nearest to a query's."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import compress

from autology.index.checked_rows import batches
from autology.index.readonly import placeholders
from autology.index.row_cache import RowCache, SourceHit, best_of_sources
from autology.index.text.postings import malformed, state_of
from autology.index.vectors import sign_codes
from autology.index.vectors.sign_codes import SURVIVORS, SignCodes
from autology.ranking import quantized_vectors

PASSAGES = 4
"""Passages considered per requested source: several of one source may rank first."""
BATCH = 4_096
"""Codes read per batch."""
KEPT = 4_000
"""Vectors that a connection keeps until the index changes, a third of a kilobyte each: reading the 120 of a query from
the file takes a twentieth of its time."""
STALE_SHARE = 0.2
"""Share of stale survivors from which all codes are read again: a changed note leaves its old codes behind."""


@dataclass(frozen=True, slots=True)
class VectorQuery:
    """A query's own vector, the (feedback) vector to search with, the *kinds* to search, and eligible passages.

    *products* are those of its own vector with passages, as far as they are known.
    """

    own: bytes
    row: bytes
    kinds: Sequence[str]
    eligible: set[int] | None
    products: Mapping[int, int] = field(default_factory=dict)


ScoredPassage = tuple[int, int, int]
"""A passage's product with the vector to search with, that with the query's own vector, and its row."""
BUILT_IN, CHOSEN = "meaning", "model"
"""The vector tables of the built-in encoder and of the user's model."""


def put(db: sqlite3.Connection, passage: int, kind: str, row: bytes, table: str = BUILT_IN) -> None:
    """Store a passage's vector; a zero vector (no known word) is not stored."""
    put_all(db, [(passage, kind, row)], table)


def put_all(db: sqlite3.Connection, vectors: Iterable[tuple[int, str, bytes]], table: str = BUILT_IN) -> None:
    """Store the vectors of passages, each with its kind."""
    sql = f"INSERT OR REPLACE INTO {table}(passage, kind, code, row) VALUES (?, ?, ?, ?)"
    sign_code = quantized_vectors.sign_code
    db.executemany(sql, ((passage, kind, sign_code(row), row) for passage, kind, row in vectors if any(row)))


def set_encoder(db: sqlite3.Connection, name: str) -> bool:
    """Make *name* the built-in encoder of the stored vectors; return whether vectors of another one were deleted."""
    stored = db.execute("SELECT value FROM meta WHERE key='encoder'").fetchone()
    if stored == (name,):
        return False
    if stored:
        db.execute("DELETE FROM meaning")
        db.execute("UPDATE meta SET value = ? WHERE key = 'generation'", (os.urandom(8).hex(),))
    db.execute("INSERT OR REPLACE INTO meta VALUES ('encoder', ?)", (name,))
    return bool(stored)


class CodeTable:
    """The sign-bit codes of one table, in memory; new ones are read before each search.

    Passage rows are immutable, so a stale code merely finds no vector. If many codes had to be read, they are saved to
    a file next to the index (unless *save* is false), so that a short-lived process need not read them again.
    """

    def __init__(self, table: str = BUILT_IN, save: bool = True) -> None:
        self._table = table
        self._save = save
        self._lock = threading.Lock()
        self._generation = ""
        self._last = 0
        self._kinds: dict[str, SignCodes] = {}
        self._latest: tuple[tuple[str, bytes], dict[int, int]] = (("", b""), {})

    def nearest(
        self, db: sqlite3.Connection, cache: RowCache, generation: str, query: VectorQuery, limit: int
    ) -> list[SourceHit]:
        """Return at most *limit* sources, nearest first; scores are cosines."""
        question = (generation, query.own)
        if query.eligible is not None and len(query.eligible) <= SURVIVORS:
            # A question is asked of all first, and then of what was found, to judge it.
            latest, products = self._latest
            known = products if latest == question and query.row == query.own else {}
            scored = [(known[passage], known[passage], passage) for passage in query.eligible if passage in known]
            scored += _scored(query, _vectors(db, self._table, sorted(query.eligible - known.keys())))
            return _hits(db, cache, scored, limit)
        with self._lock:
            self._read_new(db, generation)
            survivors = self._survivors(query.row, query.kinds, query.eligible)
            vectors = _vectors(db, self._table, survivors)
            if len(vectors) < (1 - STALE_SHARE) * len(survivors):
                self._generation = ""
                self._read_new(db, generation, rebuild=True)
                vectors = _vectors(db, self._table, self._survivors(query.row, query.kinds, query.eligible))
        scored = _scored(query, vectors)
        self._latest = question, {**query.products, **{passage: product for _, product, passage in scored}}
        return _hits(db, cache, scored, limit)

    def _survivors(self, row: bytes, kinds: Sequence[str], eligible: set[int] | None) -> list[int]:
        survivors: list[int] = []
        for name, codes in self._kinds.items():
            if not kinds or name in kinds:
                survivors += codes.nearest(row, eligible)
        return survivors

    def _read_new(self, db: sqlite3.Connection, generation: str, rebuild: bool = False) -> None:
        if self._generation != generation:
            self._generation, self._last, self._kinds = generation, 0, {}
            if self._save and not rebuild:
                last, scans = sign_codes.read(self._code_file(db), generation)
                if last <= (db.execute(f"SELECT max(rowid) FROM {self._table}").fetchone()[0] or 0):
                    self._last, self._kinds = last, scans
        # In row order: old passages may be encoded after new ones.
        sql = f"SELECT rowid, passage, kind, code FROM {self._table} WHERE rowid > ? ORDER BY rowid"
        rows = db.execute(sql, (self._last,))
        count = 0
        while batch := rows.fetchmany(BATCH):
            numbers, passages, kinds, code_blobs = zip(*batch, strict=True)
            # Type checks in bulk: a Python loop would dominate the first query's time.
            if {*map(type, passages)} != {int} or {*map(type, code_blobs)} != {bytes}:
                raise malformed()
            for kind in set(kinds):
                mask = [name == kind for name in kinds]
                self._take(kind, list(compress(passages, mask)), list(compress(code_blobs, mask)))
            self._last = numbers[-1]
            count += len(batch)
        for codes in self._kinds.values():
            codes.settle()
        if self._save and count >= sign_codes.MIN_NEW:
            sign_codes.write(self._code_file(db), generation, self._last, self._kinds)

    def _code_file(self, db: sqlite3.Connection) -> str:
        """Return the path of the code file."""
        return f"{db.execute('PRAGMA database_list').fetchone()[2]}-{self._table}"

    def _take(self, kind: str, passages: Sequence[int], code_blobs: Sequence[bytes]) -> None:
        codes = self._kinds.get(kind)
        if codes is None and (width := next(filter(None, map(len, code_blobs)), 0)):
            codes = self._kinds[kind] = SignCodes(width)
        if codes is not None:
            codes.add(passages, code_blobs)


def _vectors(db: sqlite3.Connection, table: str, passages: Sequence[int]) -> list[tuple[int, bytes]]:
    """Return those of *passages* that have a vector, each with it."""
    vectors_read = _vectors_read(db, table)
    rows: list[tuple[int, bytes]] = []
    for batch in batches([passage for passage in passages if passage not in vectors_read]):
        rows += db.execute(f"SELECT passage, row FROM {table} WHERE passage IN ({placeholders(batch)})", batch)
    if not {type(passage) for passage, _ in rows} <= {int} or not {type(row) for _, row in rows} <= {bytes}:
        raise malformed()
    vectors_read.update(rows)
    return [(passage, vectors_read[passage]) for passage in passages if passage in vectors_read]


def _vectors_read(db: sqlite3.Connection, table: str) -> dict[int, bytes]:
    """Return the vectors that this connection has read since the index changed, if it keeps them."""
    by_table: dict[str, tuple[tuple[int, int], dict[int, bytes]]] | None = getattr(db, "vectors", None)
    if by_table is None:
        return {}
    state = state_of(db)
    if table not in by_table or by_table[table][0] != state or len(by_table[table][1]) > KEPT:
        by_table[table] = state, {}
    return by_table[table][1]


def _scored(query: VectorQuery, vectors: Sequence[tuple[int, bytes]]) -> list[ScoredPassage]:
    """Return the products of each of *vectors* of passages."""
    matching = [entry for entry in vectors if len(entry[1]) == len(query.row)]
    queries = [query.row] if query.own == query.row else [query.row, query.own]
    products = quantized_vectors.products(queries, [row for _, row in matching])
    return list(zip(products[0], products[-1], [passage for passage, _ in matching], strict=True))


def _hits(db: sqlite3.Connection, cache: RowCache, scored: list[ScoredPassage], limit: int) -> list[SourceHit]:
    """Return the sources of the passages that are *scored*, nearest first."""
    best = sorted(scored, reverse=True)[: limit * PASSAGES]
    spans = cache.passages(db, [passage for *_, passage in best])
    scale = quantized_vectors.SCALE**2
    hits = best_of_sources(
        [(product / scale, spans[passage][0], passage) for product, _, passage in best if passage in spans], limit
    )
    cosines = {passage: product for _, product, passage in best}
    for hit in hits:
        hit.cosine = cosines[hit.passage or 0] / scale
    return hits
