"""The user's conversation index: chunks with their text, and how far each transcript has been read."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable

from autology import private_files
from autology.index.chunks import SqliteChunks
from autology.index.open_index import MakeEncoder
from autology.index.sqlite import SqliteIndex
from autology.index.transcripts import SqliteTranscripts
from autology.index.vectors import nearest
from autology.text.conversation.chunks import searched


class SqliteConversations(SqliteIndex, SqliteTranscripts, SqliteChunks):
    """The :class:`~autology.core.conversations.conversation_index.ConversationIndex` in its own file.

    Vectors are computed separately, by :meth:`encode` and, with the user's model, by :meth:`embed`, so that lexical
    search works at once.
    """

    def __init__(
        self, path: Callable[[], str], built_in: MakeEncoder = lambda: None, chosen: MakeEncoder = lambda: None
    ) -> None:
        # Deleting the index must leave no copy of a conversation behind.
        super().__init__(lambda: _private(path()), built_in, chosen, save_codes=False)

    def unencoded(self) -> int:
        """Return how many chunks have no vector yet."""
        if self._encoders.built_in() is None:
            return 0

        def read(db: sqlite3.Connection) -> int:
            return int(
                db.execute("SELECT count(*) FROM passage WHERE rowid > ?", (self._last_encoded(db),)).fetchone()[0]
            )

        return self._file.query(read)

    def encode(self, limit: int) -> int:
        """Encode at most *limit* chunks without a vector; return how many remain."""
        encoder = self._encoders.built_in()
        if encoder is None:
            return 0
        sql = """SELECT p.rowid, s.kind, p.heading, c.path, c.text
            FROM passage p JOIN source s ON s.rowid = p.source JOIN chunk c ON c.source = s.rowid
            WHERE p.rowid > ? ORDER BY p.rowid LIMIT ?"""
        rows = self._file.query(lambda db: db.execute(sql, (self._last_encoded(db), limit)).fetchall())
        vectors = encoder.encode([searched(question, path, text) for _, _, question, path, text in rows])

        def write(db: sqlite3.Connection) -> None:
            nearest.set_encoder(db, encoder.name)
            for (passage, kind, *_), vector in zip(rows, vectors, strict=True):
                if db.execute("SELECT 1 FROM passage WHERE rowid = ?", (passage,)).fetchone():
                    nearest.put(db, passage, kind, vector)
            db.execute("INSERT OR REPLACE INTO meta VALUES ('encoded', ?)", (str(rows[-1][0]),))

        if rows:
            self._file.write(write)
        return self.unencoded()

    def _last_encoded(self, db: sqlite3.Connection) -> int:
        """Return the last passage that has a vector of the current encoder."""
        encoder = self._encoders.built_in()
        meta = dict(db.execute("SELECT key, value FROM meta WHERE key IN ('encoder', 'encoded')"))
        last = str(meta.get("encoded", 0))
        if not last.isdecimal():
            raise sqlite3.DatabaseError("malformed row")
        return int(last) if encoder and meta.get("encoder") == encoder.name else 0


def _private(path: str) -> str:
    """Create the file *path* readable only by the user, because conversations are private; return *path*."""
    if not os.path.exists(path):
        try:
            if not os.path.isdir(os.path.dirname(path)):
                private_files.folder(os.path.dirname(path))
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
        except OSError:
            pass  # opening the file reports the reason
    else:
        for suffix in ("", "-wal", "-shm"):
            private_files.restrict(path + suffix)
    return path
