"""The positions up to which transcripts have been read, and adding the chunks read from them."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from autology.core.content.files import Stamp
from autology.core.conversations.conversation_index import Advance
from autology.core.conversations.transcripts import Mark
from autology.index.checked_rows import INTEGER, TEXT, Shape, batches, checked
from autology.index.chunks import SEPARATOR, STEP, turn_number
from autology.index.open_index import IndexPart
from autology.index.readonly import placeholders
from autology.index.text.segments import tidied
from autology.index.writing import PreparedPassage, Writer, prepared_passage, project_row
from autology.model.conversation import Chunk, Opening
from autology.text.conversation.chunks import heading, searched
from autology.text.tokens import indexed


class SqliteTranscripts(IndexPart):
    """The :class:`~autology.core.conversations.conversation_index.TranscriptIndex` of an index file."""

    def marks(self) -> dict[str, Mark]:
        """Return how far each transcript has been read."""

        def read(db: sqlite3.Connection) -> dict[str, Mark]:
            return {row[0]: _read_mark(row) for row in db.execute(_MARKS)}

        return self._file.query(read)

    def mark(self, transcript: str) -> Mark | None:
        """Return how far one transcript has been read."""
        return self._file.query(lambda db: _mark(db, transcript))

    def read_elsewhere(self, turns: Sequence[str], transcript: str) -> frozenset[str]:
        """Return those of *turns* that another transcript already contains."""
        numbers: dict[int, list[str]] = {}
        for turn in turns:
            numbers.setdefault(turn_number(turn), []).append(turn)

        def read(db: sqlite3.Connection) -> frozenset[str]:
            own = db.execute("SELECT rowid FROM transcript WHERE name = ?", (transcript,)).fetchone()
            known: set[str] = set()
            for batch in batches(list(numbers)):
                sql = f"SELECT id FROM turn WHERE id IN ({placeholders(batch)}) AND transcript IS NOT ?"
                for (row,) in db.execute(sql, (*batch, own[0] if own else None)):
                    known.update(numbers[row])
            return frozenset(known)

        return self._file.query(read)

    def prepare_advance(self, step: Advance) -> PreparedAdvance:
        """Prepare *step* for :meth:`advance`, without accessing the index."""
        return step if isinstance(step, PreparedAdvance) else _prepared(step)

    def advance(self, *steps: Advance) -> bool:
        """Apply *steps* in one transaction; unchanged chunks are left alone.

        Return False if another process already applied a step, which is then skipped (compare-and-swap on the mark).
        """
        # Done before the transaction: this is most of the work.
        prepared = [self.prepare_advance(step) for step in steps]
        unchanged: list[bool] = []

        def write(db: sqlite3.Connection) -> None:
            unchanged.clear()
            writer = Writer(db)
            for step in prepared:
                unchanged.append(_mark(db, step.transcript) == step.before)
                if unchanged[-1]:
                    _advance(db, writer, step)
            writer.settle()

        self._file.write(write)
        return all(unchanged)

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

    def forget_folders(self, is_excluded: Callable[[str], bool]) -> None:
        """Forget the chunks of folders that *is_excluded* is true of; the marks of their transcripts stay."""
        sql = "SELECT DISTINCT folder FROM chunk"
        folders = self._file.query(lambda db: [checked(row, (TEXT,))[0] for row in db.execute(sql)])
        excluded = list(filter(is_excluded, folders))

        def write(db: sqlite3.Connection) -> None:
            writer = Writer(db)
            for folder in excluded:
                for (source,) in db.execute("SELECT source FROM chunk WHERE folder = ?", (folder,)).fetchall():
                    _drop_chunk(db, writer, source)
            writer.settle()

        if excluded:
            self._file.write(write)

    def rename(self, transcript: str, name: str) -> None:
        """Rename a transcript in the index."""
        self._file.write(lambda db: db.execute("UPDATE transcript SET name = ? WHERE name = ?", (name, transcript)))

    def opening(self, transcript: str, byte: int) -> Opening | None:
        """Return the start of the exchange before that byte; None if nothing of the transcript precedes it."""
        sql = (
            "SELECT c.exchange, c.question FROM chunk c JOIN transcript t ON t.rowid = c.transcript"
            " WHERE t.name = ? AND c.position < ? ORDER BY c.position DESC LIMIT 1"
        )
        row = self._file.query(lambda db: db.execute(sql, (transcript, byte * STEP)).fetchone())
        return Opening(*checked(row, (TEXT, TEXT))) if row else None

    def tidy(self) -> bool:
        """Merge small segments left by many transactions; return whether more may be left to merge."""
        merged: list[bool] = []

        def write(db: sqlite3.Connection) -> None:
            merged[:] = [tidied(db)]

        self._file.write(write)
        return merged[0]


@dataclass(frozen=True, slots=True)
class PreparedAdvance(Advance):
    """A step with the passage of each chunk, ready for the tables."""

    passages: tuple[PreparedPassage, ...]


def _prepared(step: Advance) -> PreparedAdvance:
    passages = []
    for chunk in step.chunks:
        question = heading(chunk)
        text = indexed(searched(question, chunk.path, chunk.text))
        passages.append(prepared_passage((0, len(chunk.text), question), text))
    fields = (step.transcript, step.since, step.chunks, step.turns, step.before, step.mark)
    return PreparedAdvance(*fields, tuple(passages))


def _advance(db: sqlite3.Connection, writer: Writer, step: PreparedAdvance) -> None:
    row = _set_mark(db, step.transcript, step.mark)
    sql = (
        "SELECT c.source, s.id, c.position, c.text FROM chunk c JOIN source s ON s.rowid = c.source"
        " WHERE c.transcript = ? AND c.position >= ?"
    )
    fresh = {chunk.id: (chunk, passage) for chunk, passage in zip(step.chunks, step.passages, strict=True)}
    for source, id, position, text in db.execute(sql, (row, step.since * STEP)).fetchall():
        chunk = fresh[id][0] if id in fresh else None
        if chunk is not None and (chunk.position, chunk.text) == (position, text):
            del fresh[id]
        else:
            _drop_chunk(db, writer, source)
    for chunk, passage in fresh.values():
        _insert(db, writer, row, chunk, passage)
    turns = [(turn_number(id), row, start) for id, start in step.turns]
    db.executemany("INSERT OR IGNORE INTO turn VALUES (?, ?, ?)", turns)


def _insert(db: sqlite3.Connection, writer: Writer, transcript: int, chunk: Chunk, passage: PreparedPassage) -> None:
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
    assert row is not None
    participants = SEPARATOR.join(chunk.participants)
    db.execute(
        "INSERT INTO chunk VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (row, transcript, chunk.position, chunk.exchange, chunk.turn, str(chunk.trust), chunk.until, chunk.folder,
         chunk.question, chunk.branch, chunk.agent, chunk.path, participants, chunk.text),
    )  # fmt: skip
    db.executemany("INSERT OR IGNORE INTO reference VALUES (?, ?)", [(path, row) for path in chunk.files])
    writer.add_passage(row, kind, project_row(db, chunk.project), passage)


def _drop_chunk(db: sqlite3.Connection, writer: Writer, source: int) -> None:
    db.execute("DELETE FROM chunk WHERE source = ?", (source,))
    writer.drop_source(source)


_MARK: Shape = (TEXT, *(INTEGER,) * 4, *(TEXT,) * 2, *(INTEGER,) * 2)
_MARKS = "SELECT name, size, mtime_ns, offset, end, proof, session, broken, copied FROM transcript"


def _mark(db: sqlite3.Connection, name: str) -> Mark | None:
    row = db.execute(f"{_MARKS} WHERE name = ?", (name,)).fetchone()
    return _read_mark(row) if row else None


def _read_mark(row: tuple[Any, ...]) -> Mark:
    _, size, mtime, *rest = checked(row, _MARK)
    return Mark(Stamp(size, mtime), *rest)


def _set_mark(db: sqlite3.Connection, name: str, mark: Mark) -> int:
    """Store how far the transcript called *name* has been read; return its row."""
    stamp = mark.stamp
    values = (mark.session, stamp.size, stamp.mtime_ns, mark.offset, mark.end, mark.proof, mark.broken, mark.copied)
    columns = ("session", "size", "mtime_ns", "offset", "end", "proof", "broken", "copied")
    existing = db.execute("SELECT rowid FROM transcript WHERE name = ?", (name,)).fetchone()
    if existing:
        assignments = ", ".join(f"{column} = ?" for column in columns)
        db.execute(f"UPDATE transcript SET {assignments} WHERE rowid = ?", (*values, existing[0]))
        return int(existing[0])
    sql = f"INSERT INTO transcript(name, {', '.join(columns)}) VALUES (?, {placeholders(columns)})"
    row = db.execute(sql, (name, *values)).lastrowid
    assert row is not None
    return row
