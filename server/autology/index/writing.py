"""Writing sources into the index: what they are, what they speak of, their words and their vectors."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from autology.core.ports import Encoder, Fault, Put
from autology.index import meaning, waiting
from autology.index.found import marks
from autology.index.meaning import MODEL, TABLE
from autology.index.postings import BODY, TITLE
from autology.index.segments import Segments
from autology.model.query import author_key
from autology.ranking import bm25
from autology.text.slug import key as name_key
from autology.text.tokens import Indexed, index_tokens, title_words

_TWICE = "has the same id as"
_COLUMNS = (
    "id kind type title status decision_status confidence created modified session origin project language trust"
    " org scope_project branch expires_at"
)


@dataclass(frozen=True, slots=True)
class Prepared(Put):
    """A file as the tables take it: what each word of its title, tags and headings counts, and its passages.

    The texts of these are left out, so that it is small where another process made it.
    """

    head: Mapping[str, float]
    length: int
    held: tuple[Held, ...]


class Held(NamedTuple):
    """A passage as the tables take it; what is told about a source has no place, and no vector.

    A tuple: to read one from another process takes two thirds of a dataclass's time.
    """

    place: tuple[int | None, int | None, str | None]
    words: Words
    order: bytes
    vector: bytes = b""


Words = tuple[Mapping[str, int], int]
"""The words of a passage with how often each stands there, and how many there are."""


def counted(indexed: Indexed) -> Words:
    """Return what the index takes of a text as its words are written."""
    every = indexed.stems + indexed.forms
    return dict(Counter(every)), len(every) + 1


def prepared(change: Put, encoder: Encoder | None) -> Prepared:
    """Return *change* as the tables take it: nearly half of the work, for which no other writer need wait."""
    entry = change.entry
    texts = change.texts
    vectors = encoder.encode(texts) if encoder else [b""] * len(texts)
    held = [
        _held((passage.start, passage.stop, passage.heading), text, vector)
        for passage, text, vector in zip(change.passages, texts, vectors, strict=True)
    ]
    if entry.told:
        held.append(_held((None, None, None), entry.told))
    headings = " \n".join(dict.fromkeys(passage.heading for passage in change.passages))
    head: dict[str, float] = {}
    length = 1
    for weight, text in zip(bm25.WEIGHTS, (entry.title, " \n".join(entry.tags), headings), strict=True):
        stems = index_tokens(text).stems
        length += len(stems)
        for word in stems:
            head[word] = head.get(word, 0) + weight
    return Prepared(change.path, change.stamp, entry, (), head, length, tuple(held))


def _held(place: tuple[int | None, int | None, str | None], text: str, vector: bytes = b"") -> Held:
    indexed = index_tokens(text)
    return Held(place, counted(indexed), indexed.order, vector)


class Writer:
    """What one transaction writes; :meth:`settle` ends it."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._segments = Segments(db)

    def settle(self) -> None:
        """Write what was kept back to be written at once."""
        self._segments.settle()

    def put(self, ready: Prepared) -> None:
        """Take in a file."""
        db = self._db
        entry = ready.entry
        other = db.execute("SELECT path FROM source WHERE id = ? AND path <> ?", (entry.id, ready.path)).fetchone()
        self.drop(ready.path, entry.id)
        db.execute("DELETE FROM problem WHERE path = ?", (ready.path,))
        if other:
            reason = f"{_TWICE} {other[0]}; give one of them a new id"
            self.report(Fault(ready.path, ready.stamp, reason, entry.kind))
            return
        row = _insert_source(db, ready)
        db.executemany("INSERT OR IGNORE INTO tag VALUES (?, ?)", [(tag, row) for tag in entry.tags])
        db.executemany("INSERT OR IGNORE INTO reference VALUES (?, ?)", [(path, row) for path in entry.references])
        rules = [(term, what, row) for what, term in entry.rules]
        db.executemany("INSERT OR IGNORE INTO rule VALUES (?, ?, ?)", rules)
        db.executemany("INSERT OR IGNORE INTO title_word VALUES (?, ?)", [(w, row) for w in title_words(entry.title)])
        db.executemany("INSERT OR IGNORE INTO alias VALUES (?, ?)", [(name_key(alias), row) for alias in entry.aliases])
        edges = [(entry.id, e.type, e.target, e.confidence, e.description, e.kind or entry.kind) for e in entry.links]
        db.executemany("INSERT OR REPLACE INTO edge VALUES (?, ?, ?, ?, ?, ?)", edges)
        self._insert_words(row, ready)

    def drop(self, path: str, kept_id: str = "") -> None:
        """Forget what the file at *path* held; unless it keeps its id, another file may have that to itself now."""
        db = self._db
        found = db.execute("SELECT rowid, id FROM source WHERE path = ?", (path,)).fetchone()
        if not found:
            return
        row, id = found
        for table in ("tag", "reference", "rule", "title_word", "alias"):
            db.execute(f"DELETE FROM {table} WHERE source = ?", (row,))
        db.execute("DELETE FROM edge WHERE source = ?", (id,))
        self._segments.drop(TITLE, [row])
        self._segments.drop(BODY, [at for (at,) in db.execute("SELECT rowid FROM passage WHERE source = ?", (row,))])
        for table in (TABLE, MODEL, "due"):
            db.execute(f"DELETE FROM {table} WHERE passage IN (SELECT rowid FROM passage WHERE source = ?)", (row,))
        db.execute("DELETE FROM passage WHERE source = ?", (row,))
        db.execute("DELETE FROM source WHERE rowid = ?", (row,))
        if id != kept_id:
            db.execute("DELETE FROM problem WHERE reason LIKE ?", (f"{_TWICE}%",))  # looked at again, then

    def report(self, fault: Fault) -> None:
        """Say of a file that it cannot be read."""
        values = (fault.path, fault.reason, fault.stamp.size, fault.stamp.mtime_ns, fault.kind)
        self._db.execute("INSERT OR REPLACE INTO problem VALUES (?, ?, ?, ?, ?)", values)

    def words(self, place: tuple[int, int], kind: str, project: int, words: Words) -> None:
        """Take in the words of a passage, given as number and source."""
        self._segments.add((BODY, kind), *place, *words, project)

    def forget(self, passages: Sequence[int]) -> None:
        """Forget the words of passages."""
        self._segments.drop(BODY, passages)

    def _insert_words(self, row: int, ready: Prepared) -> None:
        entry = ready.entry
        project = project_row(self._db, entry.project)
        self._segments.add((TITLE, entry.kind), row, row, ready.head, ready.length, project)
        modelled = bool(waiting.model(self._db))
        for passage in ready.held:
            at = self._insert_passage(row, passage)
            self.words((at, row), entry.kind, project, passage.words)
            if passage.place[0] is None:
                continue
            if passage.vector:
                meaning.put(self._db, at, entry.kind, passage.vector)
            if modelled:
                self._db.execute("INSERT INTO due VALUES (?, ?, 0)", (at, entry.kind))

    def _insert_passage(self, source: int, passage: Held) -> int:
        ask = "INSERT INTO passage(source, start, stop, heading, words) VALUES (?, ?, ?, ?, ?)"
        row = self._db.execute(ask, (source, *passage.place, passage.order)).lastrowid
        assert row is not None
        return row


def _insert_source(db: sqlite3.Connection, change: Put) -> int:
    entry = change.entry
    values = {
        **{name: getattr(entry, name) for name in _COLUMNS.split()},
        "title_key": name_key(entry.title),
        "changed": ", ".join(entry.changed) or None,
        "authors": author_key(entry.authors),
        "path": change.path,
        "size": change.stamp.size,
        "mtime_ns": change.stamp.mtime_ns,
    }
    names = ", ".join(values)
    cursor = db.execute(f"INSERT INTO source({names}) VALUES ({marks(list(values))})", tuple(values.values()))
    assert cursor.lastrowid is not None
    return cursor.lastrowid


def project_row(db: sqlite3.Connection, identity: str | None) -> int:
    """Return the row of the project with that identity, 0 for none."""
    if identity is None:
        return 0
    row = db.execute("SELECT rowid FROM project WHERE identity = ?", (identity,)).fetchone()
    if row is None:
        row = (db.execute("INSERT INTO project(identity) VALUES (?)", (identity,)).lastrowid,)
    return int(row[0])
