"""What the SQLite at hand can do."""

from __future__ import annotations

import sqlite3
from contextlib import closing


def facts() -> tuple[str, bool]:
    """Return its version, and whether it has what the search over words needs."""
    try:
        with closing(sqlite3.connect(":memory:")) as db:
            db.execute("CREATE VIRTUAL TABLE words USING fts5(body)")
    except sqlite3.Error:
        return sqlite3.sqlite_version, False
    return sqlite3.sqlite_version, True
