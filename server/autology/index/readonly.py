"""Read-only, non-blocking access to an index file for hooks; standard library only.

Rows are plain tuples, so that a look-up costs little more than opening the file.
"""

from __future__ import annotations

import os
import time

try:  # the `sqlite3` package adds date support, which costs a hook 2 ms
    import _sqlite3 as sqlite3
except ImportError:
    import sqlite3  # type: ignore[no-redef]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from typing import Self, TypeVar

    T = TypeVar("T")

VERSION = 19
"""The version of the tables, here so that a hook can check it without loading the schema.

Raised whenever a table changes; an index of another version is rebuilt from the files."""
_PATIENCE = 0.02
"""Lock timeout in seconds; readers of a write-ahead log meet a lock only during its recovery."""


class ReadOnlyFile:
    """An open index. Queries return lists of tuples; a failing index returns empty ones."""

    deadline = 0.15
    """The seconds that a query may take."""
    types: tuple[type, ...] = (str, int)
    """The accepted types of values: a file written by another program may contain any."""
    steps = 2000
    """SQLite instructions between deadline checks, some 0.1 ms."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self.failed = False
        self.is_shared = False
        """Whether it stays open at the end of a `with` block, for another one, until :meth:`close`."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if not self.is_shared:
            self._db.close()

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def _rows(self, sql: str, values: Sequence[object]) -> list:  # type: ignore[type-arg]
        rows = self._run(lambda: self._db.execute(sql, values).fetchall())
        return [row for row in rows if all(isinstance(value, self.types) for value in row)]

    def _run(self, query: Callable[[], Sequence[T]]) -> Sequence[T]:
        """Return the result of *query*; empty on an error or after the deadline."""
        end = self._deadline_time()
        self._db.set_progress_handler(lambda: time.monotonic() > end, self.steps)
        try:
            return query()
        except sqlite3.Error:
            self.failed = True
            return []

    def _deadline_time(self) -> float:
        return time.monotonic() + self.deadline


def connect(file: str, timeout: float = _PATIENCE, check_same_thread: bool = True) -> sqlite3.Connection | str:
    """Return a connection to the index in *file*, or why it is unusable: `missing`, `old`, `newer`, `damaged`."""
    # Opening a pipe would block; an empty file is an index that was never filled.
    if not os.path.isfile(file) or not os.path.getsize(file):
        return "missing"
    for mode in ("mode=ro", "mode=ro&immutable=1"):
        try:
            db = sqlite3.connect(
                f"file:{_quoted(os.path.abspath(file))}?{mode}",
                uri=True,
                timeout=timeout,
                isolation_level=None,
                check_same_thread=check_same_thread,
            )
        except sqlite3.Error:
            continue
        problem = _inspected(db)
        if not problem:
            return db
        db.close()
        if problem != "unusable":
            return problem
    return "damaged"


def _inspected(db: sqlite3.Connection) -> str:
    """Return the problem with the index, "" if none, or `unusable` if it cannot be opened in this mode."""
    try:
        db.execute("PRAGMA trusted_schema=OFF")
        version = db.execute("PRAGMA user_version").fetchone()[0] // 1000
        condition = "type = 'table' AND name IN ('source', 'reference', 'problem')"
        tables = db.execute(f"SELECT count(*) FROM sqlite_master WHERE {condition}").fetchone()[0]
    except sqlite3.OperationalError:
        # The shared log needs a writable folder: open the file as immutable instead.
        return "unusable"
    except sqlite3.Error:
        return "damaged"
    if version != VERSION:
        return "newer" if version > VERSION else "old"
    return "" if tables == 3 else "damaged"


def _quoted(path: str) -> str:
    """Escape *path* for a ``file:`` URI."""
    path = path.replace("\\", "/").replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    return path if path.startswith("/") else "/" + path


def placeholders(values: Collection[object]) -> str:
    """Return a comma-separated placeholder for each of *values*."""
    return ", ".join("?" * len(values))
