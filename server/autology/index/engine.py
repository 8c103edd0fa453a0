"""The SQLite library in use."""

from __future__ import annotations

import sqlite3


def version() -> str:
    """Return its version."""
    return sqlite3.sqlite_version
