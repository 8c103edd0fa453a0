"""The user's conversation index: chunks with their text, and how far each transcript has been read."""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections.abc import Callable, Sequence
from typing import Any

from autology import private
from autology.core.content.files import Stamp
from autology.core.conversations.conversation_index import Advance, ProjectSeen
from autology.core.conversations.transcripts import Mark
from autology.core.index.vector_search import Encoder
from autology.index.sources_of_passages import INTEGER, PERHAPS_TEXT, TEXT, Shape, batches, fitting, marks, sound, tally
from autology.index.sqlite import SqliteIndex
from autology.index.text.segments import tidied
from autology.index.vectors import embedding_queue, vector_search
from autology.index.writing import Writer, counted, project_row
from autology.model.exchange import Chunk, Opening
from autology.text.conversation.chunks import heading, searched
from autology.text.tokens import index_tokens

STEP = 1 << 16
"""Positions per turn: a chunk's position is its turn's byte offset times this, plus its number."""
SEPARATOR = "\n"
AFTER = "SELECT c.source, s.id, c.position, c.text FROM chunk c JOIN source s ON s.rowid = c.source WHERE {}"


class _Prepared:
    """A chunk ready for the tables: its heading and its words."""

    __slots__ = ("chunk", "heading", "words")

    def __init__(self, chunk: Chunk) -> None:
        self.chunk = chunk
        self.heading = heading(chunk)
        self.words = index_tokens(searched(self.heading, chunk.path, chunk.text))


class SqliteConversations(SqliteIndex):
    """The :class:`~autology.core.conversations.conversation_index.ConversationIndex` in its own file.

    Vectors are computed separately, by :meth:`encode` and, with the user's *model*, by :meth:`embed`, so that lexical
    search works at once.
    """

    def __init__(
        self,
        place: Callable[[], str],
        encoder: Callable[[], Encoder | None] = lambda: None,
        model: Callable[[], Encoder | None] = lambda: None,
    ) -> None:
        # Deleting the index must leave no copy of a conversation behind.
        super().__init__(lambda: _private(place()), encoder, model, save_codes=False)

    # ---- reading transcripts -------------------------------------------------------------------------

    def marks(self) -> dict[str, Mark]:
        """Return how far each transcript has been read."""

        def read(db: sqlite3.Connection) -> dict[str, Mark]:
            return {row[0]: _read_mark(row) for row in db.execute(_MARKS)}

        return self._file.ask(read)

    def mark(self, transcript: str) -> Mark | None:
        """Return how far one transcript has been read."""
        return self._file.ask(lambda db: _mark(db, transcript))

    def read_elsewhere(self, turns: Sequence[str], transcript: str) -> frozenset[str]:
        """Return those of *turns* that another transcript already contains."""
        numbers: dict[int, list[str]] = {}
        for turn in turns:
            numbers.setdefault(_number(turn), []).append(turn)

        def read(db: sqlite3.Connection) -> frozenset[str]:
            own = db.execute("SELECT rowid FROM transcript WHERE name = ?", (transcript,)).fetchone()
            taken: set[str] = set()
            for batch in batches(list(numbers)):
                ask = f"SELECT id FROM turn WHERE id IN ({marks(batch)}) AND transcript IS NOT ?"
                for (row,) in db.execute(ask, (*batch, own[0] if own else None)):
                    taken.update(numbers[row])
            return frozenset(taken)

        return self._file.ask(read)

    def advance(self, *steps: Advance) -> bool:
        """Apply *steps* in one transaction; unchanged chunks are left alone.

        False if another process was faster with a step, which is then skipped (compare-and-swap on the mark).
        """
        # Done before the transaction: this is most of the work.
        ready = [(step, [_Prepared(chunk) for chunk in step.chunks]) for step in steps]
        unchanged: list[bool] = []

        def write(db: sqlite3.Connection) -> None:
            unchanged.clear()
            writer = Writer(db)
            for step, chunks in ready:
                unchanged.append(_mark(db, step.transcript) == step.before)
                if unchanged[-1]:
                    self._advance(db, writer, step, chunks)
            writer.settle()

        self._file.write(write)
        return all(unchanged)

    def _advance(self, db: sqlite3.Connection, writer: Writer, step: Advance, chunks: Sequence[_Prepared]) -> None:
        row = _set_mark(db, step.transcript, step.mark)
        since = step.since * STEP
        stored = db.execute(AFTER.format("c.transcript = ? AND c.position >= ?"), (row, since)).fetchall()
        fresh = {ready.chunk.id: ready for ready in chunks}
        for source, id, position, text in stored:
            same = fresh.get(id)
            if same is not None and (same.chunk.position, same.chunk.text) == (position, text):
                del fresh[id]
            else:
                _drop_chunk(db, writer, source)
        modelled = bool(embedding_queue.model(db))
        for ready in fresh.values():
            self._insert(db, writer, row, ready, modelled)
        turns = [(_number(id), row, start) for id, start in step.turns]
        db.executemany("INSERT OR IGNORE INTO turn VALUES (?, ?, ?)", turns)

    def forget(self, transcripts: Sequence[str]) -> None:
        """Forget transcripts; those that skipped their turns as duplicates will be read again."""

        def write(db: sqlite3.Connection) -> None:
            writer = Writer(db)
            for name in transcripts:
                transcript = db.execute("SELECT rowid FROM transcript WHERE name = ?", (name,)).fetchone()
                if not transcript:
                    continue
                for (source,) in db.execute("SELECT source FROM chunk WHERE transcript = ?", transcript).fetchall():
                    _drop_chunk(db, writer, source)
                db.execute("DELETE FROM turn WHERE transcript = ?", transcript)
                db.execute("DELETE FROM transcript WHERE rowid = ?", transcript)
            writer.settle()
            db.execute("UPDATE transcript SET offset = 0, end = 0, size = -1, copied = 0 WHERE copied > 0")

        if transcripts:
            self._file.write(write)

    def rename(self, transcript: str, name: str) -> None:
        """Rename a transcript in the index."""
        self._file.write(lambda db: db.execute("UPDATE transcript SET name = ? WHERE name = ?", (name, transcript)))

    def opening(self, transcript: str, byte: int) -> Opening | None:
        """Return the start of the exchange before that byte; None if nothing of the transcript precedes it."""
        ask = (
            "SELECT c.exchange, c.question FROM chunk c JOIN transcript t ON t.rowid = c.transcript"
            " WHERE t.name = ? AND c.position < ? ORDER BY c.position DESC LIMIT 1"
        )
        row = self._file.ask(lambda db: db.execute(ask, (transcript, byte * STEP)).fetchone())
        return Opening(*fitting(row, (TEXT, TEXT))) if row else None

    def tidy(self) -> bool:
        """Merge small segments left by many transactions; return whether more may be left to merge."""
        merged: list[bool] = []

        def write(db: sqlite3.Connection) -> None:
            merged[:] = [tidied(db)]

        self._file.write(write)
        return merged[0]

    def _insert(
        self, db: sqlite3.Connection, writer: Writer, transcript: int, ready: _Prepared, modelled: bool
    ) -> None:
        chunk, words = ready.chunk, ready.words
        kind = str(chunk.kind)
        source = db.execute(
            "INSERT OR IGNORE INTO source(id, kind, type, title, title_key, status, confidence, created, modified,"
            " session, path, size, mtime_ns, project, language, trust)"
            " VALUES (?, ?, ?, '', '', 'active', 1.0, ?, ?, ?, ?, 0, 0, ?, ?, ?)",
            (chunk.id, kind, kind, chunk.at, chunk.until, chunk.session, chunk.id, chunk.project, chunk.language,
             str(chunk.trust)),
        )  # fmt: skip
        if source.rowcount != 1:
            return  # another transcript contains the same chunk
        row = source.lastrowid
        participants = SEPARATOR.join(chunk.participants)
        db.execute(
            "INSERT INTO chunk VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (row, transcript, chunk.position, chunk.exchange, chunk.turn, str(chunk.trust), chunk.until, chunk.folder,
             chunk.question, chunk.branch, chunk.agent, chunk.path, participants, chunk.text),
        )  # fmt: skip
        if chunk.files:
            db.executemany("INSERT OR IGNORE INTO reference VALUES (?, ?)", [(path, row) for path in chunk.files])
        place = (row, len(chunk.text), ready.heading, words.order)
        ask = "INSERT INTO passage(source, start, stop, heading, words) VALUES (?, 0, ?, ?, ?)"
        at = db.execute(ask, place).lastrowid
        assert at is not None
        assert row is not None
        writer.words((at, row), kind, project_row(db, chunk.project), counted(words))
        if modelled:
            db.execute("INSERT INTO due VALUES (?, ?, 0)", (at, kind))

    # ---- what was said -------------------------------------------------------------------------------

    def chunks(self, ids: Sequence[str]) -> dict[str, Chunk]:
        """Return the chunks with these ids."""
        by_id: dict[str, Chunk] = {}
        for batch in batches(ids):
            by_id.update((chunk.id, chunk) for chunk in self._chunks(f"s.id IN ({marks(batch)})", batch))
        return by_id

    def ids_starting(self, beginning: str, limit: int) -> list[str]:
        """Return the ids of chunks that start with *beginning*."""
        ask = "SELECT s.id FROM source s JOIN chunk c ON c.source = s.rowid WHERE s.id >= ? AND s.id < ? LIMIT ?"
        return self._file.ask(
            lambda db: [sound(row, 1)[0] for row in db.execute(ask, (beginning, beginning + "~", limit))]
        )

    def around(self, id: str, before: int, after: int) -> list[Chunk]:
        """Return a chunk with its neighbours in the transcript, in order; empty if the id is unknown."""
        place = "SELECT c.transcript, c.position FROM chunk c JOIN source s ON s.rowid = c.source WHERE s.id = ?"
        location = self._one(place, id)
        if not location:
            return []
        earlier = "c.transcript = ? AND c.position <= ? ORDER BY c.position DESC LIMIT ?"
        later = "c.transcript = ? AND c.position > ? ORDER BY c.position LIMIT ?"
        return [
            *reversed(self._chunks(earlier, (*location, max(before, 0) + 1))),
            *self._chunks(later, (*location, max(after, 0))),
        ]

    def of_exchange(self, exchange: str) -> list[Chunk]:
        """Return the chunks of an exchange, in order."""
        return self._chunks("c.exchange = ? ORDER BY c.transcript, c.position", (exchange,))

    def of_turn(self, turn: str) -> list[Chunk]:
        """Return the chunk that contains a turn, and the turn's code and decision chunks."""
        ask = "SELECT transcript, start FROM turn WHERE id = ?"
        location = self._one(ask, _number(turn))
        if not location:
            return []
        transcript, start = location
        last = start * STEP + STEP - 1
        talk = "c.transcript = ? AND c.position <= ? AND s.kind = 'conversation' ORDER BY c.position DESC LIMIT 1"
        own = "c.transcript = ? AND c.position BETWEEN ? AND ? AND s.kind <> 'conversation' ORDER BY c.position"
        return self._chunks(talk, (transcript, last)) + self._chunks(own, (transcript, start * STEP, last))

    def projects(self) -> list[ProjectSeen]:
        """Return the projects with conversations, the latest first."""
        ask = """SELECT s.project, c.folder, count(*), max(s.created)
            FROM chunk c JOIN source s ON s.rowid = c.source GROUP BY s.project, c.folder ORDER BY 4 DESC"""

        def read(db: sqlite3.Connection) -> list[ProjectSeen]:
            by_identity: dict[str, ProjectSeen] = {}
            for row in db.execute(ask):
                identity, folder, many, last = fitting(row, _SEEN)
                merged = by_identity.get(identity, ProjectSeen(identity, (), 0, last))
                folders = (*merged.folders, folder)
                by_identity[identity] = ProjectSeen(identity, folders, merged.chunks + many, max(merged.last, last))
            return sorted(by_identity.values(), key=lambda project: project.last, reverse=True)

        return self._file.ask(read)

    def chunk_counts(self) -> dict[str, int]:
        """Return the number of chunks by kind."""
        return self._file.ask(lambda db: tally(db, "SELECT kind, count(*) FROM source GROUP BY kind"))

    def _one(self, ask: str, value: object) -> tuple[int, int] | None:
        """Return the two numbers that *ask* selects for *value*."""

        def read(db: sqlite3.Connection) -> tuple[int, int] | None:
            row = db.execute(ask, (value,)).fetchone()
            return (row[0], row[1]) if row and fitting(row, (INTEGER, INTEGER)) else None

        return self._file.ask(read)

    def _chunks(self, tail: str, values: Sequence[object]) -> list[Chunk]:
        joined = "JOIN source s ON s.rowid = c.source JOIN transcript t ON t.rowid = c.transcript"

        def read(db: sqlite3.Connection) -> list[Chunk]:
            rows = db.execute(f"SELECT {_FIELDS} FROM chunk c {joined} WHERE {tail}", tuple(values)).fetchall()
            return [_chunk(row, _files(db, row[-1])) for row in rows]

        return self._file.ask(read)

    # ---- meaning -------------------------------------------------------------------------------------

    def unencoded(self) -> int:
        """Return how many chunks have no vector yet."""
        if self._tiers.table() is None:
            return 0

        def read(db: sqlite3.Connection) -> int:
            return int(
                db.execute("SELECT count(*) FROM passage WHERE rowid > ?", (self._last_encoded(db),)).fetchone()[0]
            )

        return self._file.ask(read)

    def encode(self, limit: int) -> int:
        """Encode at most *limit* of them; return how many are left."""
        encoder = self._tiers.table()
        if encoder is None:
            return 0
        ask = """SELECT p.rowid, s.kind, p.heading, c.path, c.text
            FROM passage p JOIN source s ON s.rowid = p.source JOIN chunk c ON c.source = s.rowid
            WHERE p.rowid > ? ORDER BY p.rowid LIMIT ?"""
        rows = self._file.ask(lambda db: db.execute(ask, (self._last_encoded(db), limit)).fetchall())
        vectors = encoder.encode([searched(question, path, text) for _, _, question, path, text in rows])

        def write(db: sqlite3.Connection) -> None:
            self._settle_encoder(db, encoder)
            for (passage, kind, *_), vector in zip(rows, vectors, strict=True):
                if db.execute("SELECT 1 FROM passage WHERE rowid = ?", (passage,)).fetchone():
                    vector_search.put(db, passage, kind, vector)
            db.execute("INSERT OR REPLACE INTO meta VALUES ('encoded', ?)", (str(rows[-1][0]),))

        if rows:
            self._file.write(write)
        return self.unencoded()

    def _last_encoded(self, db: sqlite3.Connection) -> int:
        """Return the last passage that has a vector of the current encoder."""
        encoder = self._tiers.table()
        meta = dict(db.execute("SELECT key, value FROM meta WHERE key IN ('encoder', 'encoded')"))
        last = str(meta.get("encoded", 0))
        if not last.isdecimal():
            raise sqlite3.DatabaseError("malformed row")
        return int(last) if encoder and meta.get("encoder") == encoder.name else 0

    def _settle_encoder(self, db: sqlite3.Connection, encoder: Encoder) -> None:
        stored = db.execute("SELECT value FROM meta WHERE key='encoder'").fetchone()
        if stored == (encoder.name,):
            return
        if stored:
            db.execute("DELETE FROM meaning")
            db.execute("UPDATE meta SET value = ? WHERE key = 'generation'", (secrets.token_hex(8),))
        db.execute("INSERT OR REPLACE INTO meta VALUES ('encoder', ?)", (encoder.name,))


def _private(path: str) -> str:
    """Return *path* after creating it readable by the user only: conversations are private."""
    if not os.path.exists(path):
        try:
            if not os.path.isdir(os.path.dirname(path)):
                private.folder(os.path.dirname(path))
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
        except OSError:
            pass  # opening the file reports the reason
    else:
        for suffix in ("", "-wal", "-shm"):
            private.restrict(path + suffix)
    return path


_FIELDS = (
    "s.id, s.kind, c.text, c.trust, s.created, c.until, t.name, c.position, s.session, s.project, c.folder, c.exchange,"
    " c.turn, c.question, c.branch, c.agent, s.language, c.path, c.participants, s.rowid"
)


_CHUNK: Shape = (
    *(TEXT,) * 7, INTEGER, *(TEXT,) * 2, *(TEXT,) * 4, *(PERHAPS_TEXT,) * 4, TEXT, INTEGER
)  # fmt: skip


def _chunk(row: tuple[Any, ...], files: tuple[str, ...]) -> Chunk:
    participants = fitting(row, _CHUNK)[-2]
    who = tuple(participants.split(SEPARATOR)) if participants else ()
    fields: tuple[Any, ...] = (*row[:-2], who, files)
    return Chunk(*fields)


def _files(db: sqlite3.Connection, source: int) -> tuple[str, ...]:
    ask = "SELECT path FROM reference WHERE source = ? ORDER BY path"
    return tuple(sound(row, 1)[0] for row in db.execute(ask, (source,)))


_SEEN: Shape = (TEXT, TEXT, INTEGER, TEXT)
_MARK: Shape = (TEXT, *(INTEGER,) * 4, *(TEXT,) * 2, *(INTEGER,) * 2)
_MARKS = "SELECT name, size, mtime_ns, offset, end, proof, session, broken, copied FROM transcript"


def _mark(db: sqlite3.Connection, name: str) -> Mark | None:
    row = db.execute(f"{_MARKS} WHERE name = ?", (name,)).fetchone()
    return _read_mark(row) if row else None


def _read_mark(row: tuple[Any, ...]) -> Mark:
    _, size, mtime, *rest = fitting(row, _MARK)
    return Mark(Stamp(size, mtime), *rest)


def _set_mark(db: sqlite3.Connection, name: str, mark: Mark) -> int:
    values = (
        mark.session,
        mark.stamp.size,
        mark.stamp.mtime_ns,
        mark.offset,
        mark.end,
        mark.proof,
        mark.broken,
        mark.copied,
    )
    existing = db.execute("SELECT rowid FROM transcript WHERE name = ?", (name,)).fetchone()
    if existing:
        names = "session = ?, size = ?, mtime_ns = ?, offset = ?, end = ?, proof = ?, broken = ?, copied = ?"
        db.execute(f"UPDATE transcript SET {names} WHERE rowid = ?", (*values, existing[0]))
        return int(existing[0])
    names = "session, size, mtime_ns, offset, end, proof, broken, copied, name"
    inserted = db.execute(
        f"INSERT INTO transcript({names}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", (*values, name)
    ).lastrowid
    assert inserted is not None
    return inserted


def _drop_chunk(db: sqlite3.Connection, writer: Writer, source: int) -> None:
    db.execute("DELETE FROM reference WHERE source = ?", (source,))
    passages = [row for (row,) in db.execute("SELECT rowid FROM passage WHERE source = ?", (source,))]
    writer.forget(passages)
    for passage in passages:
        for table in (vector_search.TABLE, vector_search.MODEL, "due"):
            db.execute(f"DELETE FROM {table} WHERE passage = ?", (passage,))
        db.execute("DELETE FROM passage WHERE rowid = ?", (passage,))
    db.execute("DELETE FROM chunk WHERE source = ?", (source,))
    db.execute("DELETE FROM source WHERE rowid = ?", (source,))


def _number(turn: str) -> int:
    """Return a turn's id as an integer that SQLite can store: 63 bits of a UUID."""
    try:
        return int(turn.replace("-", "")[:16], 16) >> 1
    except ValueError:
        from hashlib import blake2b

        return int.from_bytes(blake2b(turn.encode("utf-8", "replace"), digest_size=8).digest(), "big") >> 1
