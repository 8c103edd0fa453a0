"""Looking up the indexed chunks of conversations, with their text."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any

from autology.core.conversations.conversation_index import ProjectSeen
from autology.index.checked_rows import (
    INTEGER,
    PERHAPS_TEXT,
    TEXT,
    Shape,
    batches,
    checked,
    checked_texts,
    count_by_name,
)
from autology.index.open_index import IndexPart
from autology.index.readonly import placeholders
from autology.model.conversation import Chunk

STEP = 1 << 16
"""Positions per turn: a chunk's position is its turn's byte offset times this, plus its number."""
SEPARATOR = "\n"
"""Between the stored participants of a chunk."""


class SqliteChunks(IndexPart):
    """The :class:`~autology.core.conversations.conversation_index.ChunkIndex` of an index file."""

    def chunks(self, ids: Sequence[str]) -> dict[str, Chunk]:
        """Return the chunks with these ids."""
        by_id: dict[str, Chunk] = {}
        for batch in batches(ids):
            by_id.update((chunk.id, chunk) for chunk in self._chunks(f"s.id IN ({placeholders(batch)})", batch))
        return by_id

    def ids_starting(self, prefix: str, limit: int) -> list[str]:
        """Return the ids of chunks that start with *prefix*."""
        sql = "SELECT s.id FROM source s JOIN chunk c ON c.source = s.rowid WHERE s.id >= ? AND s.id < ? LIMIT ?"
        return self._file.query(
            lambda db: [checked_texts(row, 1)[0] for row in db.execute(sql, (prefix, prefix + "~", limit))]
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
        sql = "SELECT transcript, start FROM turn WHERE id = ?"
        location = self._one(sql, turn_number(turn))
        if not location:
            return []
        transcript, start = location
        last = start * STEP + STEP - 1
        conversation = (
            "c.transcript = ? AND c.position <= ? AND s.kind = 'conversation' ORDER BY c.position DESC LIMIT 1"
        )
        others = "c.transcript = ? AND c.position BETWEEN ? AND ? AND s.kind <> 'conversation' ORDER BY c.position"
        return self._chunks(conversation, (transcript, last)) + self._chunks(others, (transcript, start * STEP, last))

    def projects(self) -> list[ProjectSeen]:
        """Return the projects with conversations, the latest first."""
        sql = """SELECT s.project, c.folder, count(*), max(s.created)
            FROM chunk c JOIN source s ON s.rowid = c.source GROUP BY s.project, c.folder ORDER BY 4 DESC"""

        def read(db: sqlite3.Connection) -> list[ProjectSeen]:
            by_identity: dict[str, ProjectSeen] = {}
            for row in db.execute(sql):
                identity, folder, count, last = checked(row, _SEEN)
                merged = by_identity.get(identity, ProjectSeen(identity, (), 0, last))
                folders = (*merged.folders, folder)
                by_identity[identity] = ProjectSeen(identity, folders, merged.chunks + count, max(merged.last, last))
            return sorted(by_identity.values(), key=lambda project: project.last, reverse=True)

        return self._file.query(read)

    def chunk_counts(self) -> dict[str, int]:
        """Return the number of chunks by kind."""
        return self._file.query(lambda db: count_by_name(db, "SELECT kind, count(*) FROM source GROUP BY kind"))

    def _one(self, sql: str, value: object) -> tuple[int, int] | None:
        """Return the two numbers that *sql* selects for *value*."""

        def read(db: sqlite3.Connection) -> tuple[int, int] | None:
            row = db.execute(sql, (value,)).fetchone()
            return (row[0], row[1]) if row and checked(row, (INTEGER, INTEGER)) else None

        return self._file.query(read)

    def _chunks(self, tail: str, values: Sequence[object]) -> list[Chunk]:
        joined = "JOIN source s ON s.rowid = c.source JOIN transcript t ON t.rowid = c.transcript"

        def read(db: sqlite3.Connection) -> list[Chunk]:
            rows = db.execute(f"SELECT {_FIELDS} FROM chunk c {joined} WHERE {tail}", tuple(values)).fetchall()
            return [_chunk(row, _files(db, row[-1])) for row in rows]

        return self._file.query(read)


_FIELDS = (
    "s.id, s.kind, c.text, c.trust, s.created, c.until, t.name, c.position, s.session, s.project, c.folder, c.exchange,"
    " c.turn, c.question, c.branch, c.agent, s.language, c.path, c.participants, s.rowid"
)


_CHUNK: Shape = (
    *(TEXT,) * 7, INTEGER, *(TEXT,) * 2, *(TEXT,) * 4, *(PERHAPS_TEXT,) * 4, TEXT, INTEGER
)  # fmt: skip


def _chunk(row: tuple[Any, ...], files: tuple[str, ...]) -> Chunk:
    participants = checked(row, _CHUNK)[-2]
    participant_names = tuple(participants.split(SEPARATOR)) if participants else ()
    fields: tuple[Any, ...] = (*row[:-2], participant_names, files)
    return Chunk(*fields)


def _files(db: sqlite3.Connection, source: int) -> tuple[str, ...]:
    sql = "SELECT path FROM reference WHERE source = ? ORDER BY path"
    return tuple(checked_texts(row, 1)[0] for row in db.execute(sql, (source,)))


_SEEN: Shape = (TEXT, TEXT, INTEGER, TEXT)


def turn_number(turn: str) -> int:
    """Return a turn's id as an integer that SQLite can store: 63 bits of a UUID."""
    try:
        return int(turn.replace("-", "")[:16], 16) >> 1
    except ValueError:
        from hashlib import blake2b

        return int.from_bytes(blake2b(turn.encode("utf-8", "replace"), digest_size=8).digest(), "big") >> 1
