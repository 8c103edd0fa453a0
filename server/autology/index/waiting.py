"""The passages that wait for the model that the user chose: which, whose turn it is, and whether it may answer yet."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Sequence

from autology.core.ports import Due
from autology.index import meaning
from autology.index.found import marks, sound

TAKEN = 20.0
"""Seconds that passages belong to whoever took them to be encoded: a batch takes two on a busy machine."""
FEW, SEEN = 64, 19
"""So many passages may wait for a model that answers, and one for so many that it has seen; words find them."""

_ALL = """
INSERT INTO due SELECT p.rowid, s.kind, 0 FROM passage p JOIN source s ON s.rowid = p.source
WHERE p.start IS NOT NULL"""  # what is told about a source has no place, and no meaning of its own

_NEXT = """
SELECT d.passage, d.kind, s.path, p.start, p.stop FROM due d
JOIN passage p ON p.rowid = d.passage JOIN source s ON s.rowid = p.source
WHERE d.kind IN ({kinds}) AND d.taken NOT BETWEEN ? AND ? ORDER BY d.passage DESC LIMIT ?"""


def model(db: sqlite3.Connection) -> str:
    """Return the name of the model that passages wait for, or ""."""
    found = db.execute("SELECT value FROM meta WHERE key='model'").fetchone()
    return str(sound(found or ("",), 1)[0])


def settle(db: sqlite3.Connection, name: str) -> None:
    """Have every passage wait for the model *name*, unless that is the one that there are vectors of."""
    if model(db) != name:
        db.execute("DELETE FROM model")
        db.execute("DELETE FROM due")
        db.execute(_ALL)
        db.execute("INSERT OR REPLACE INTO meta VALUES ('model', ?)", (name,))


def any_of(db: sqlite3.Connection, name: str, kinds: Sequence[str]) -> bool:
    """Whether passages of one of these kinds may wait for the model *name*."""
    ask = f"SELECT 1 FROM due WHERE kind IN ({marks(kinds)}) LIMIT 1"
    return model(db) != name or db.execute(ask, tuple(kinds)).fetchone() is not None


def take(db: sqlite3.Connection, kinds: Sequence[str], limit: int) -> list[Due]:
    """Return passages that wait and that nobody else has taken, the newest first; they are the caller's now."""
    now = time.time()
    rows = db.execute(_NEXT.format(kinds=marks(kinds)), (*kinds, now - TAKEN, now, limit)).fetchall()
    db.executemany("UPDATE due SET taken = ? WHERE passage = ?", [(now, row[0]) for row in rows])
    return [Due(number, kind, path, (start, stop)) for number, kind, path, start, stop in rows]


def keep(db: sqlite3.Connection, rows: Iterable[tuple[int, bytes | None]]) -> None:
    """Keep the vectors of passages that waited; they wait no more."""
    for number, row in rows:
        # What was dropped or changed meanwhile is due no more, and has another number.
        due = db.execute("SELECT kind FROM due WHERE passage = ?", (number,)).fetchone()
        if due and row is not None:
            meaning.put(db, number, due[0], row, meaning.MODEL)
        db.execute("DELETE FROM due WHERE passage = ?", (number,))


def nearly_none(db: sqlite3.Connection, name: str, kind: str | None) -> bool:
    """Whether the model *name* has seen passages of that kind, or of any, and few wait for it."""
    if model(db) != name:
        return False
    of, values = _of(kind)
    ask = "SELECT count(*) FROM (SELECT 1 FROM {} {} LIMIT ?)"
    (wait,) = db.execute(ask.format("due", of), (*values, FEW + 1)).fetchone()
    enough = wait * SEEN or 1
    (seen,) = db.execute(ask.format("model", of), (*values, enough)).fetchone()
    return bool(wait <= FEW and seen >= enough)


def counted(db: sqlite3.Connection, name: str, kind: str | None) -> tuple[int, int]:
    """Return how many passages of that kind, or of any, wait for the model *name*, and how many there are."""
    of, values = _of(kind)
    (wait,) = db.execute(f"SELECT count(*) FROM due {of}", values).fetchone()
    if not wait and model(db) == name:
        return 0, 0
    of = of.replace("WHERE", "AND")
    ask = f"SELECT count(*) FROM passage p JOIN source s ON s.rowid = p.source WHERE p.start IS NOT NULL {of}"
    (there,) = db.execute(ask, values).fetchone()
    return (wait if model(db) == name else there), there


def _of(kind: str | None) -> tuple[str, tuple[str, ...]]:
    return ("WHERE kind = ?", (kind,)) if kind else ("", ())
