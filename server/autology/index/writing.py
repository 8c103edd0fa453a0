"""Writing sources into the index: their fields, references, terms and vectors."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple

from autology.core.index.changes import Fault, Put
from autology.core.index.retrieval import Encoder
from autology.index.readonly import placeholders
from autology.index.text.postings import BODY, TITLE
from autology.index.text.segments import Segments
from autology.index.vectors import nearest, unencoded_sources, waiting_passages
from autology.model.entry import Entry
from autology.model.query import author_key
from autology.ranking import bm25
from autology.text.slug import key as name_key
from autology.text.tokens import Indexed, index_stems, indexed, title_words

_SAME_ID = "has the same id as"
_FIELDS = (
    "id kind type title status decision_status confidence created modified session origin project language trust"
    " org scope_project branch expires_at"
).split()
_fields_of = attrgetter(*_FIELDS)
_COLUMNS = (*_FIELDS, "title_key", "changed", "authors", "path", "size", "mtime_ns")
_INSERT_SOURCE = f"INSERT INTO source({', '.join(_COLUMNS)}) VALUES ({placeholders(_COLUMNS)})"


@dataclass(frozen=True, slots=True)
class Prepared(Put):
    """A file ready for the tables: weighted terms of its title, tags and headings, and its passages.

    The passages' texts are dropped, to keep the message from a worker process small."""

    head: Mapping[str, float]
    length: int
    ready_passages: tuple[PreparedPassage, ...]
    texts_to_encode: bytes = b""
    """Its passages' texts, packed, if their vectors are left to the second pass."""


class PreparedPassage(NamedTuple):
    """A passage ready for the tables; one about the source itself has no position and no vector.

    A tuple: unpickling it takes two thirds of a dataclass's time.
    """

    span: tuple[int | None, int | None, str | None]
    """Its start, end and heading."""
    terms: Mapping[str, int]
    """Its terms with their frequencies."""
    length: int
    """Its number of tokens."""
    order: bytes
    vector: bytes = b""


def prepared(change: Put, encoder: Encoder | None, vectors: bool = True) -> Prepared:
    """Prepare *change* for the tables: most of the work, done outside the transaction.

    Without *vectors*, these are left to the second pass."""
    entry = change.entry
    texts = change.texts
    rows = encoder.encode(texts) if encoder and vectors else [b""] * len(texts)
    later = b"" if vectors or encoder is None or not texts else unencoded_sources.packed(texts)
    passages = [
        prepared_passage((passage.start, passage.stop, passage.heading), indexed(text), vector)
        for passage, text, vector in zip(change.passages, texts, rows, strict=True)
    ]
    if entry.extra_text:
        passages.append(prepared_passage((None, None, None), indexed(entry.extra_text)))
    headings = " \n".join(dict.fromkeys(passage.heading for passage in change.passages))
    head: dict[str, float] = {}
    length = 1
    for weight, text in zip(bm25.WEIGHTS, (entry.title, " \n".join(entry.tags), headings), strict=True):
        stems = index_stems(text)
        length += len(stems)
        for word in stems:
            head[word] = head.get(word, 0) + weight
    return Prepared(change.path, change.stamp, entry, (), head, length, tuple(passages), later)


def prepared_passage(
    span: tuple[int | None, int | None, str | None], text: Indexed, vector: bytes = b""
) -> PreparedPassage:
    """Prepare a passage with its *text* as indexed."""
    return PreparedPassage(span, text.counts, text.length + 1, text.order, vector)


class Writer:
    """The writes of one transaction; :meth:`settle` ends it."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._segments = Segments(db)
        self._is_queueing = bool(waiting_passages.model(db))
        self.vectors_due = False  # whether a source was stored without its vectors

    def settle(self) -> None:
        """Write the deferred segments."""
        self._segments.settle()

    def put(self, ready: Prepared) -> None:
        """Store a file."""
        db = self._db
        entry = ready.entry
        other = db.execute("SELECT path FROM source WHERE id = ? AND path <> ?", (entry.id, ready.path)).fetchone()
        self.drop(ready.path, entry.id)
        db.execute("DELETE FROM problem WHERE path = ?", (ready.path,))
        if other:
            reason = f"{_SAME_ID} {other[0]}; give one of them a new id"
            self.report(Fault(ready.path, ready.stamp, reason, entry.kind))
            return
        row = _insert_source(db, ready)
        self._put_references(row, entry)
        project = project_row(db, entry.project)
        self._segments.add((TITLE, entry.kind), row, row, ready.head, ready.length, project)
        for passage in ready.ready_passages:
            self.add_passage(row, entry.kind, project, passage)
        if ready.texts_to_encode:
            waiting = sum(passage.span[0] is not None for passage in ready.ready_passages)
            db.execute("INSERT INTO unencoded VALUES (?, ?, ?, ?)", (row, entry.kind, waiting, ready.texts_to_encode))
            self.vectors_due = True

    def _put_references(self, row: int, entry: Entry) -> None:
        """Store what leads to the source in that *row*, and where it leads."""
        rows: tuple[tuple[str, Sequence[tuple[object, ...]]], ...] = (
            ("IGNORE INTO tag VALUES (?, ?)", [(tag, row) for tag in entry.tags]),
            ("IGNORE INTO reference VALUES (?, ?)", [(path, row) for path in entry.references]),
            ("IGNORE INTO rule VALUES (?, ?, ?, ?)", [(term, what, row, detail) for what, term, detail in entry.rules]),
            ("IGNORE INTO title_word VALUES (?, ?)", [(word, row) for word in title_words(entry.title)]),
            ("IGNORE INTO alias VALUES (?, ?)", [(name_key(alias), row) for alias in entry.aliases]),
            (
                "REPLACE INTO edge VALUES (?, ?, ?, ?, ?, ?)",
                [
                    (entry.id, edge.type, edge.target, edge.confidence, edge.description, edge.kind or entry.kind)
                    for edge in entry.links
                ],
            ),
        )
        for statement, values in rows:
            if values:
                self._db.executemany(f"INSERT OR {statement}", values)

    def drop(self, path: str, new_id: str = "") -> None:
        """Delete the entry of *path*; unless *new_id* is its id, a file rejected for the same id is read again."""
        db = self._db
        stored = db.execute("SELECT rowid, id FROM source WHERE path = ?", (path,)).fetchone()
        if not stored:
            return
        row, id = stored
        for table in ("tag", "rule", "title_word", "alias"):
            db.execute(f"DELETE FROM {table} WHERE source = ?", (row,))
        db.execute("DELETE FROM edge WHERE source = ?", (id,))
        self._segments.drop(TITLE, [row])
        self.drop_source(row)
        if id != new_id:
            db.execute("DELETE FROM problem WHERE reason LIKE ?", (f"{_SAME_ID}%",))  # will be read again

    def report(self, fault: Fault) -> None:
        """Record a file as unreadable."""
        values = (fault.path, fault.reason, fault.stamp.size, fault.stamp.mtime_ns, fault.kind)
        self._db.execute("INSERT OR REPLACE INTO problem VALUES (?, ?, ?, ?, ?)", values)

    def add_passage(self, source: int, kind: str, project: int, passage: PreparedPassage) -> None:
        """Store a passage of that source, its terms and its vector."""
        sql = "INSERT INTO passage(source, start, stop, heading, words) VALUES (?, ?, ?, ?, ?)"
        row = self._db.execute(sql, (source, *passage.span, passage.order)).lastrowid
        assert row is not None
        self._segments.add((BODY, kind), row, source, passage.terms, passage.length, project)
        if passage.span[0] is None:
            return
        if passage.vector:
            nearest.put(self._db, row, kind, passage.vector)
        if self._is_queueing:
            self._db.execute("INSERT INTO due VALUES (?, ?, 0)", (row, kind))

    def drop_source(self, source: int) -> None:
        """Delete a source with its references, and its passages with their terms and vectors."""
        db = self._db
        db.execute("DELETE FROM reference WHERE source = ?", (source,))
        sql = "SELECT rowid FROM passage WHERE source = ?"
        self._segments.drop(BODY, [passage for (passage,) in db.execute(sql, (source,))])
        for table in (nearest.BUILT_IN, nearest.CHOSEN, "due"):
            db.execute(f"DELETE FROM {table} WHERE passage IN ({sql})", (source,))
        db.execute("DELETE FROM unencoded WHERE source = ?", (source,))
        db.execute("DELETE FROM passage WHERE source = ?", (source,))
        db.execute("DELETE FROM source WHERE rowid = ?", (source,))


def _insert_source(db: sqlite3.Connection, change: Put) -> int:
    entry, stamp = change.entry, change.stamp
    more = (name_key(entry.title), ", ".join(entry.changed) or None, author_key(entry.authors))
    values = (*_fields_of(entry), *more, change.path, stamp.size, stamp.mtime_ns)
    cursor = db.execute(_INSERT_SOURCE, values)
    assert cursor.lastrowid is not None
    return cursor.lastrowid


def project_row(db: sqlite3.Connection, identity: str | None) -> int:
    """Return the project's row for that identity, 0 for none."""
    if identity is None:
        return 0
    row = db.execute("SELECT rowid FROM project WHERE identity = ?", (identity,)).fetchone()
    if row is None:
        row = (db.execute("INSERT INTO project(identity) VALUES (?)", (identity,)).lastrowid,)
    return int(row[0])
