"""The index of everything that was said, one for a user: chunks with their text, and how far transcripts were read."""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections.abc import Callable, Sequence
from typing import Any

from autology import private
from autology.core.ports import Advance, Encoder, Mark, ProjectSeen, Stamp
from autology.index import meaning, waiting
from autology.index.found import INTEGER, PERHAPS_TEXT, TEXT, Shape, batches, fitting, marks, sound, tally
from autology.index.segments import tidied
from autology.index.sqlite import SqliteIndex
from autology.index.writing import Writer, counted, project_row
from autology.model.exchange import Chunk, Opening
from autology.text.chunks import heading, searched
from autology.text.tokens import index_tokens

STEP = 1 << 16
"""Positions for what one turn holds: a chunk's position is its turn's byte times this, and its number."""
SEPARATOR = "\n"
AFTER = "SELECT c.source, s.id, c.position, c.text FROM chunk c JOIN source s ON s.rowid = c.source WHERE {}"


class _Prepared:
    """A chunk as the tables take it: what was asked, and its words."""

    __slots__ = ("asked", "chunk", "words")

    def __init__(self, chunk: Chunk) -> None:
        self.chunk = chunk
        self.asked = heading(chunk)
        self.words = index_tokens(searched(self.asked, chunk.path, chunk.text))


class SqliteConversations(SqliteIndex):
    """The :class:`~autology.core.ports.ConversationIndex` in a file of its own.

    Vectors are made apart, by :meth:`encode` and, with the *model* that the user chose, by :meth:`embed`: words are
    to be found at once.
    """

    def __init__(
        self,
        place: Callable[[], str],
        encoder: Callable[[], Encoder | None] = lambda: None,
        model: Callable[[], Encoder | None] = lambda: None,
    ) -> None:
        # What was said leaves nothing behind when its index goes.
        super().__init__(lambda: _private(place()), encoder, model, kept=False)

    # ---- reading transcripts -------------------------------------------------------------------------

    def marks(self) -> dict[str, Mark]:
        """Return how far every transcript has been read."""

        def read(db: sqlite3.Connection) -> dict[str, Mark]:
            return {row[0]: _read_mark(row) for row in db.execute(_MARKS)}

        return self._file.ask(read)

    def mark(self, transcript: str) -> Mark | None:
        """Return how far one transcript has been read."""
        return self._file.ask(lambda db: _mark(db, transcript))

    def of_others(self, turns: Sequence[str], transcript: str) -> frozenset[str]:
        """Return those of *turns* that another transcript holds already."""
        numbers: dict[int, list[str]] = {}
        for turn in turns:
            numbers.setdefault(_number(turn), []).append(turn)

        def read(db: sqlite3.Connection) -> frozenset[str]:
            own = db.execute("SELECT rowid FROM transcript WHERE name = ?", (transcript,)).fetchone()
            found: set[str] = set()
            for some in batches(list(numbers)):
                ask = f"SELECT id FROM turn WHERE id IN ({marks(some)}) AND transcript IS NOT ?"
                for (row,) in db.execute(ask, (*some, own[0] if own else None)):
                    found.update(numbers[row])
            return frozenset(found)

        return self._file.ask(read)

    def advance(self, *steps: Advance) -> bool:
        """Take in *steps* in one transaction, a chunk that is there already as it is.

        False where another was first with one of them: that one is left out.
        """
        # Most of the work, for which no other writer need wait.
        ready = [(step, [_Prepared(chunk) for chunk in step.chunks]) for step in steps]
        first: list[bool] = []

        def write(db: sqlite3.Connection) -> None:
            first.clear()
            writer = Writer(db)
            for step, chunks in ready:
                first.append(_mark(db, step.transcript) == step.before)
                if first[-1]:
                    self._advance(db, writer, step, chunks)
            writer.settle()

        self._file.write(write)
        return all(first)

    def _advance(self, db: sqlite3.Connection, writer: Writer, step: Advance, chunks: Sequence[_Prepared]) -> None:
        row = _set_mark(db, step.transcript, step.mark)
        since = step.since * STEP
        known = db.execute(AFTER.format("c.transcript = ? AND c.position >= ?"), (row, since)).fetchall()
        fresh = {each.chunk.id: each for each in chunks}
        for source, id, position, text in known:
            same = fresh.get(id)
            if same is not None and (same.chunk.position, same.chunk.text) == (position, text):
                del fresh[id]
            else:
                _drop_chunk(db, writer, source)
        modelled = bool(waiting.model(db))
        for each in fresh.values():
            self._insert(db, writer, row, each, modelled)
        turns = [(_number(id), row, start) for id, start in step.turns]
        db.executemany("INSERT OR IGNORE INTO turn VALUES (?, ?, ?)", turns)

    def forget(self, transcripts: Sequence[str]) -> None:
        """Forget transcripts; the marks of those that left turns to others say then that nothing of them was read."""

        def write(db: sqlite3.Connection) -> None:
            writer = Writer(db)
            for name in transcripts:
                found = db.execute("SELECT rowid FROM transcript WHERE name = ?", (name,)).fetchone()
                if not found:
                    continue
                for (source,) in db.execute("SELECT source FROM chunk WHERE transcript = ?", found).fetchall():
                    _drop_chunk(db, writer, source)
                db.execute("DELETE FROM turn WHERE transcript = ?", found)
                db.execute("DELETE FROM transcript WHERE rowid = ?", found)
            writer.settle()
            db.execute("UPDATE transcript SET offset = 0, end = 0, size = -1, copied = 0 WHERE copied > 0")

        if transcripts:
            self._file.write(write)

    def rename(self, transcript: str, name: str) -> None:
        """Call what was read of a transcript by another *name*."""
        self._file.write(lambda db: db.execute("UPDATE transcript SET name = ? WHERE name = ?", (name, transcript)))

    def opening(self, transcript: str, byte: int) -> Opening | None:
        """Return what the exchange before that byte began with; None where nothing of the transcript stands there."""
        ask = (
            "SELECT c.exchange, c.question FROM chunk c JOIN transcript t ON t.rowid = c.transcript"
            " WHERE t.name = ? AND c.position < ? ORDER BY c.position DESC LIMIT 1"
        )
        row = self._file.ask(lambda db: db.execute(ask, (transcript, byte * STEP)).fetchone())
        return Opening(*fitting(row, (TEXT, TEXT))) if row else None

    def tidy(self) -> bool:
        """Put together what many small steps left apart; return whether there may be more of that."""
        found: list[bool] = []

        def write(db: sqlite3.Connection) -> None:
            found[:] = [tidied(db)]

        self._file.write(write)
        return found[0]

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
            return  # another transcript holds the same
        row = source.lastrowid
        participants = SEPARATOR.join(chunk.participants)
        db.execute(
            "INSERT INTO chunk VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (row, transcript, chunk.position, chunk.exchange, chunk.turn, str(chunk.trust), chunk.until, chunk.folder,
             chunk.question, chunk.branch, chunk.agent, chunk.path, participants, chunk.text),
        )  # fmt: skip
        if chunk.files:
            db.executemany("INSERT OR IGNORE INTO reference VALUES (?, ?)", [(path, row) for path in chunk.files])
        place = (row, len(chunk.text), ready.asked, words.order)
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
        found: dict[str, Chunk] = {}
        for some in batches(ids):
            found.update((chunk.id, chunk) for chunk in self._chunks(f"s.id IN ({marks(some)})", some))
        return found

    def by_beginning(self, beginning: str, limit: int) -> list[str]:
        """Return the ids of chunks that begin with *beginning*."""
        ask = "SELECT s.id FROM source s JOIN chunk c ON c.source = s.rowid WHERE s.id >= ? AND s.id < ? LIMIT ?"
        return self._file.ask(
            lambda db: [sound(row, 1)[0] for row in db.execute(ask, (beginning, beginning + "~", limit))]
        )

    def around(self, id: str, before: int, after: int) -> list[Chunk]:
        """Return a chunk with its neighbours in the transcript, in order; nothing where there is none of that id."""
        place = "SELECT c.transcript, c.position FROM chunk c JOIN source s ON s.rowid = c.source WHERE s.id = ?"
        found = self._one(place, id)
        if not found:
            return []
        earlier = "c.transcript = ? AND c.position <= ? ORDER BY c.position DESC LIMIT ?"
        later = "c.transcript = ? AND c.position > ? ORDER BY c.position LIMIT ?"
        return [
            *reversed(self._chunks(earlier, (*found, max(before, 0) + 1))),
            *self._chunks(later, (*found, max(after, 0))),
        ]

    def of_exchange(self, exchange: str) -> list[Chunk]:
        """Return the chunks of an exchange, in order."""
        return self._chunks("c.exchange = ? ORDER BY c.transcript, c.position", (exchange,))

    def of_turn(self, turn: str) -> list[Chunk]:
        """Return the chunk that a turn is in, and the code and decisions of it."""
        ask = "SELECT transcript, start FROM turn WHERE id = ?"
        found = self._one(ask, _number(turn))
        if not found:
            return []
        transcript, start = found
        last = start * STEP + STEP - 1
        talk = "c.transcript = ? AND c.position <= ? AND s.kind = 'conversation' ORDER BY c.position DESC LIMIT 1"
        own = "c.transcript = ? AND c.position BETWEEN ? AND ? AND s.kind <> 'conversation' ORDER BY c.position"
        return self._chunks(talk, (transcript, last)) + self._chunks(own, (transcript, start * STEP, last))

    def projects(self) -> list[ProjectSeen]:
        """Return the projects that were talked about, the latest first."""
        ask = """SELECT s.project, c.folder, count(*), max(s.created)
            FROM chunk c JOIN source s ON s.rowid = c.source GROUP BY s.project, c.folder ORDER BY 4 DESC"""

        def read(db: sqlite3.Connection) -> list[ProjectSeen]:
            found: dict[str, ProjectSeen] = {}
            for row in db.execute(ask):
                identity, folder, many, last = fitting(row, _SEEN)
                known = found.get(identity, ProjectSeen(identity, (), 0, last))
                folders = (*known.folders, folder)
                found[identity] = ProjectSeen(identity, folders, known.chunks + many, max(known.last, last))
            return sorted(found.values(), key=lambda project: project.last, reverse=True)

        return self._file.ask(read)

    def held_chunks(self) -> dict[str, int]:
        """Return how many chunks there are by kind."""
        return self._file.ask(lambda db: tally(db, "SELECT kind, count(*) FROM source GROUP BY kind"))

    def _one(self, ask: str, value: object) -> tuple[int, int] | None:
        """Return the two numbers that *ask* finds of *value*."""

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
        """Return how many chunks cannot be found by meaning yet."""
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
        vectors = encoder.encode([searched(asked, path, text) for _, _, asked, path, text in rows])

        def write(db: sqlite3.Connection) -> None:
            self._settle_encoder(db, encoder)
            for (passage, kind, *_), vector in zip(rows, vectors, strict=True):
                if db.execute("SELECT 1 FROM passage WHERE rowid = ?", (passage,)).fetchone():
                    meaning.put(db, passage, kind, vector)
            db.execute("INSERT OR REPLACE INTO meta VALUES ('encoded', ?)", (str(rows[-1][0]),))

        if rows:
            self._file.write(write)
        return self.unencoded()

    def _last_encoded(self, db: sqlite3.Connection) -> int:
        """Return the last passage that has a vector of the present encoder."""
        encoder = self._tiers.table()
        known = dict(db.execute("SELECT key, value FROM meta WHERE key IN ('encoder', 'encoded')"))
        last = str(known.get("encoded", 0))
        if not last.isdecimal():
            raise sqlite3.DatabaseError("malformed row")
        return int(last) if encoder and known.get("encoder") == encoder.name else 0

    def _settle_encoder(self, db: sqlite3.Connection, encoder: Encoder) -> None:
        known = db.execute("SELECT value FROM meta WHERE key='encoder'").fetchone()
        if known == (encoder.name,):
            return
        if known:
            db.execute("DELETE FROM meaning")
            db.execute("UPDATE meta SET value = ? WHERE key = 'generation'", (secrets.token_hex(8),))
        db.execute("INSERT OR REPLACE INTO meta VALUES ('encoder', ?)", (encoder.name,))


def _private(path: str) -> str:
    """Return *path*, once there is a file that nobody but the user can read: what is said is said to few."""
    if not os.path.exists(path):
        try:
            if not os.path.isdir(os.path.dirname(path)):
                private.folder(os.path.dirname(path))
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
        except OSError:
            pass  # opening it says why
    else:
        for beside in ("", "-wal", "-shm"):
            private.mend(path + beside)
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
    found = db.execute("SELECT rowid FROM transcript WHERE name = ?", (name,)).fetchone()
    if found:
        names = "session = ?, size = ?, mtime_ns = ?, offset = ?, end = ?, proof = ?, broken = ?, copied = ?"
        db.execute(f"UPDATE transcript SET {names} WHERE rowid = ?", (*values, found[0]))
        return int(found[0])
    names = "session, size, mtime_ns, offset, end, proof, broken, copied, name"
    made = db.execute(f"INSERT INTO transcript({names}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", (*values, name)).lastrowid
    assert made is not None
    return made


def _drop_chunk(db: sqlite3.Connection, writer: Writer, source: int) -> None:
    db.execute("DELETE FROM reference WHERE source = ?", (source,))
    passages = [row for (row,) in db.execute("SELECT rowid FROM passage WHERE source = ?", (source,))]
    writer.forget(passages)
    for passage in passages:
        for table in (meaning.TABLE, meaning.MODEL, "due"):
            db.execute(f"DELETE FROM {table} WHERE passage = ?", (passage,))
        db.execute("DELETE FROM passage WHERE rowid = ?", (passage,))
    db.execute("DELETE FROM chunk WHERE source = ?", (source,))
    db.execute("DELETE FROM source WHERE rowid = ?", (source,))


def _number(turn: str) -> int:
    """Return a turn's id as a whole number that SQLite can hold: of a UUID, 63 of its bits."""
    try:
        return int(turn.replace("-", "")[:16], 16) >> 1
    except ValueError:
        from hashlib import blake2b

        return int.from_bytes(blake2b(turn.encode("utf-8", "replace"), digest_size=8).digest(), "big") >> 1
