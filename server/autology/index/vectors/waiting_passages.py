"""Passages that wait to be encoded with the model the user chose."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Mapping, Sequence

from autology.core.index.embedding_queue import QueuedPassage
from autology.index.checked_rows import checked_texts
from autology.index.open_index import IndexPart
from autology.index.readonly import placeholders
from autology.index.vectors.nearest import CHOSEN, put
from autology.model.errors import EncodingError

CLAIM_SECONDS = 20.0
"""Seconds for which a batch belongs to the process that took it: encoding takes two on a busy machine."""
MAX_WAITING, PER_WAITING = 64, 19
"""A model is used while at most MAX_WAITING passages wait, and at most one per PER_WAITING encoded ones.
The waiting ones are found lexically."""

_ALL = """
INSERT INTO due SELECT p.rowid, s.kind, 0 FROM passage p JOIN source s ON s.rowid = p.source
WHERE p.start IS NOT NULL"""  # passages about a source itself have no position and no vector

_NEXT = """
SELECT d.passage, d.kind, s.path, p.start, p.stop FROM due d
JOIN passage p ON p.rowid = d.passage JOIN source s ON s.rowid = p.source
WHERE d.kind IN ({kinds}) AND d.taken NOT BETWEEN ? AND ? ORDER BY d.passage DESC LIMIT ?"""


class SqliteEmbeddingQueue(IndexPart):
    """Claims and encodes the waiting passages of an index file."""

    def claim(self, kinds: Sequence[str], limit: int) -> list[QueuedPassage]:
        """Claim passages of these kinds that wait for the user's model, newest first."""
        chosen = self._encoders.chosen()
        claimed: list[QueuedPassage] = []

        def write(db: sqlite3.Connection) -> None:
            assert chosen is not None
            settle(db, chosen.name)
            claimed[:] = take(db, kinds, limit)

        if chosen is not None and self._file.query(lambda db: any_of(db, chosen.name, kinds)):
            self._file.write(write)
        return claimed

    def embed(self, texts: Mapping[int, str | None]) -> None:
        """Encode the texts of claimed passages, by row; None for a deleted text.

        Raises:
            EncodingError: the model cannot be used.
        """
        chosen = self._encoders.chosen()
        if chosen is None:
            return
        try:
            encoded = iter(chosen.encode([text for text in texts.values() if text is not None]))
        except EncodingError as error:
            self._encoders.failed(chosen, error)
            raise
        rows = [(number, None if text is None else next(encoded)) for number, text in texts.items()]

        def write(db: sqlite3.Connection) -> None:
            if model(db) == chosen.name:  # else a different one was chosen meanwhile
                store(db, rows)

        self._file.write(write)


def model(db: sqlite3.Connection) -> str:
    """Return the name of the model that passages wait for, or ""."""
    stored = db.execute("SELECT value FROM meta WHERE key='model'").fetchone()
    return str(checked_texts(stored or ("",), 1)[0])


def settle(db: sqlite3.Connection, name: str) -> None:
    """Queue every passage for the model *name*, unless the stored vectors are already its own."""
    if model(db) != name:
        db.execute("DELETE FROM model")
        db.execute("DELETE FROM due")
        db.execute(_ALL)
        db.execute("INSERT OR REPLACE INTO meta VALUES ('model', ?)", (name,))


def any_of(db: sqlite3.Connection, name: str, kinds: Sequence[str]) -> bool:
    """Whether passages of these kinds may wait for the model *name*."""
    sql = f"SELECT 1 FROM due WHERE kind IN ({placeholders(kinds)}) LIMIT 1"
    return model(db) != name or db.execute(sql, tuple(kinds)).fetchone() is not None


def take(db: sqlite3.Connection, kinds: Sequence[str], limit: int) -> list[QueuedPassage]:
    """Claim waiting passages that no other process has claimed, newest first."""
    now = time.time()
    rows = db.execute(_NEXT.format(kinds=placeholders(kinds)), (*kinds, now - CLAIM_SECONDS, now, limit)).fetchall()
    db.executemany("UPDATE due SET taken = ? WHERE passage = ?", [(now, row[0]) for row in rows])
    return [QueuedPassage(number, kind, path, (start, stop)) for number, kind, path, start, stop in rows]


def store(db: sqlite3.Connection, rows: Iterable[tuple[int, bytes | None]]) -> None:
    """Store vectors of claimed passages and remove these from the queue."""
    for number, row in rows:
        # A passage deleted or changed meanwhile is no longer queued; its replacement has another row.
        due = db.execute("SELECT kind FROM due WHERE passage = ?", (number,)).fetchone()
        if due and row is not None:
            put(db, number, due[0], row, CHOSEN)
        db.execute("DELETE FROM due WHERE passage = ?", (number,))


def nearly_none(db: sqlite3.Connection, name: str, kind: str | None) -> bool:
    """Whether the model *name* has encoded passages of that kind (None for any) and few are waiting."""
    if model(db) != name:
        return False
    condition, values = _kind_condition(kind)
    sql = "SELECT count(*) FROM (SELECT 1 FROM {} {} LIMIT ?)"
    (waiting,) = db.execute(sql.format("due", condition), (*values, MAX_WAITING + 1)).fetchone()
    required = waiting * PER_WAITING or 1
    (encoded,) = db.execute(sql.format("model", condition), (*values, required)).fetchone()
    return bool(waiting <= MAX_WAITING and encoded >= required)


def counted(db: sqlite3.Connection, name: str, kind: str | None) -> tuple[int, int]:
    """Return the numbers of passages of that kind (None for any) that wait for the model *name*, and that exist."""
    condition, values = _kind_condition(kind)
    (waiting,) = db.execute(f"SELECT count(*) FROM due {condition}", values).fetchone()
    if not waiting and model(db) == name:
        return 0, 0
    total = passage_count(db, kind)
    return (waiting if model(db) == name else total), total


def passage_count(db: sqlite3.Connection, kind: str | None) -> int:
    """Return the number of passages of that kind (None for any) that have a vector, or will have."""
    condition, values = _kind_condition(kind)
    condition = condition.replace("WHERE", "AND")
    sql = f"SELECT count(*) FROM passage p JOIN source s ON s.rowid = p.source WHERE p.start IS NOT NULL {condition}"
    (total,) = db.execute(sql, values).fetchone()
    return int(total)


def _kind_condition(kind: str | None) -> tuple[str, tuple[str, ...]]:
    return ("WHERE kind = ?", (kind,)) if kind else ("", ())
