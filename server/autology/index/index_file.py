"""The index file: shared by threads and processes, rebuilt whenever it is missing, outdated or damaged."""

from __future__ import annotations

import errno
import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

from autology.index import readonly, schema
from autology.model.errors import IndexBusyError, StorageError
from autology.model.next_step import Action, Sentence, do

PATIENCE_MS = 5_000
"""How long to wait for another process's transaction; the longest measured (10,000 files) takes 4 s."""
IDLE = 0 if os.name == "nt" else 2  # Windows cannot delete an open file
"""Idle connections kept: opening one costs 0.5 ms, closing the last one 1.2 (it checkpoints the log)."""
LOG_LIMIT = 2_000_000
"""Bytes from which the write-ahead log is truncated: the first indexing would leave it as large as the index."""
LATEST_LOG_LIMIT = 16_000_000
"""The same where a log is truncated between calls, which takes two syncs: one of 25 captures would wait for them."""
PAGE = 4_096

T = TypeVar("T")


def state(path: str) -> str:
    """Return a value that changes with the index at *path*."""
    # Whoever commits appends to the log, or writes the file itself where that was taken in.
    stamps = []
    for file in (path, f"{path}-wal"):
        try:
            status = os.stat(file)
            stamps.append(f"{status.st_ino} {status.st_size} {status.st_mtime_ns}")
        except OSError:
            stamps.append("")
    return "\n".join(stamps)


def size(path: str) -> int:
    """Return the size in bytes of the index at *path*, with its log."""
    return sum(os.path.getsize(file) for file in (path, f"{path}-wal") if os.path.exists(file))


class IndexFile:
    """The file of one index.

    *path* returns its path, on every write and on every call outside :meth:`keep_open`: a project gets its own folder
    only with the first write. Writes truncate a log of more than *log_limit* bytes.
    """

    def __init__(self, path: Callable[[], str], log_limit: int = LOG_LIMIT) -> None:
        self._current_path = path
        self._log_limit = log_limit
        self._local = threading.local()
        self._latest_path = ""
        self._idle: list[tuple[sqlite3.Connection, str, int]] = []
        self._lock = threading.Lock()

    @contextmanager
    def keep_open(self) -> Iterator[None]:
        """Reuse one connection for this thread's calls."""
        if getattr(self._local, "on", False):
            yield
            return
        self._local.on = True
        self._local.path = self._latest_path = self._current_path()  # a tenth of a query if every call did this
        try:
            yield
        finally:
            self._local.on = False
            self._give_back()

    def exists(self) -> bool:
        """Whether there is a file; every other call creates it."""
        return os.path.isfile(self._path())

    def query(self, read: Callable[[sqlite3.Connection], T]) -> T:
        """Return what *read* returns."""
        return self._with(read)

    def snapshot(self, read: Callable[[sqlite3.Connection], T]) -> T:
        """Return what *read* returns, in one transaction, so that its statements see the same state."""

        def transaction(db: sqlite3.Connection) -> T:
            db.execute("BEGIN")
            result = read(db)
            db.execute("COMMIT")
            return result

        return self._with(transaction)

    def write(self, write: Callable[[sqlite3.Connection], object]) -> None:
        """Run *write* in one transaction."""

        def transaction(db: sqlite3.Connection) -> None:
            db.execute("BEGIN IMMEDIATE")
            write(db)
            db.execute("COMMIT")
            if _log_size(self._path()) > self._log_limit:
                _truncate_log(db)

        self._local.path = self._latest_path = self._current_path()
        self._with(transaction)

    def has_long_log(self) -> bool:
        """Whether the log is worth truncating, where the index was last; cheap."""
        return _log_size(self._latest_path or self._path()) > LOG_LIMIT

    def truncate_log(self) -> None:
        """Truncate a long log; writers wait for hardly any of that."""

        def truncate(db: sqlite3.Connection) -> None:
            db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()  # beside writers: little is left for the other one
            _truncate_log(db)

        if self.has_long_log():
            self._with(truncate)

    def _path(self) -> str:
        return str(self._local.path) if getattr(self._local, "on", False) else self._current_path()

    def _with(self, act: Callable[[sqlite3.Connection], T]) -> T:
        path = self._path()
        for is_last in (False, True):
            try:
                return self._call(path, act)
            except sqlite3.DatabaseError as error:
                transient = isinstance(error, sqlite3.OperationalError) and not _damaged(error)
                if is_last or transient:
                    raise _refusal(path, error) from None
            except OSError as error:
                raise _refusal(path, error) from None
            except (UnicodeDecodeError, MemoryError) as error:  # damaged texts and lengths
                if is_last:
                    raise _refusal(path, error) from None
            _discard(path)
        raise AssertionError("unreachable")

    def _call(self, path: str, act: Callable[[sqlite3.Connection], T]) -> T:
        connection = getattr(self._local, "db", None)
        if connection is None or connection[1] != path:
            self._give_back()
            self._local.db = connection = self._take(path)
        try:
            return act(connection[0])
        except BaseException:
            self._local.db = None  # after any failure the next call opens a new connection
            connection[0].close()
            raise
        finally:
            if not getattr(self._local, "on", False):
                self._give_back()

    def _take(self, path: str) -> tuple[sqlite3.Connection, str, int]:
        """Return an idle connection if it still refers to the file at *path*, else a new one."""
        while True:
            with self._lock:
                idle = self._idle.pop() if self._idle else None
            if idle is None:
                db = _open(path)
                db.execute(f"PRAGMA wal_autocheckpoint={self._log_limit // PAGE}")
                return (db, path, _inode(path))
            if idle[1:] == (path, _inode(path)) and _current(idle[0]):
                return idle
            idle[0].close()  # the file was deleted, replaced or rebuilt meanwhile

    def _give_back(self) -> None:
        connection, self._local.db = getattr(self._local, "db", None), None
        if connection is None:
            return
        with self._lock:
            if len(self._idle) < IDLE:
                self._idle.append(connection)
                return
        connection[0].close()


class _Connection(sqlite3.Connection):
    """A connection that keeps the *layouts* of postings and the *vectors* that it has read until the index changes.

    It is closed after any failure.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.layouts: dict[tuple[str, ...], object] = {}
        self.vectors: dict[str, object] = {}


def _open(path: str) -> sqlite3.Connection:
    try:
        return _connect(path)
    except (OSError, sqlite3.OperationalError) as error:
        db = _connect_read_only(path, full=_is_full(error))
        if db is None:
            raise
        return db


def _is_full(error: Exception) -> bool:
    """Whether the disk is full: then the log's shared memory cannot be created, and SQLite cannot map it."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return getattr(error, "errno", 0) == errno.ENOSPC or code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR)


def _connect_read_only(path: str, full: bool) -> sqlite3.Connection | None:
    """Open the index at *path* read-only if it cannot be written; None if that is not the problem.

    *full* says that the disk is full, so that it cannot be written either.
    """
    if not os.path.isfile(path) or (_may_write(path) and not full):
        return None
    db = readonly.connect(path, timeout=PATIENCE_MS / 1000, check_same_thread=False)
    if isinstance(db, str):
        return None
    if _current(db):
        return db
    db.close()
    return None


def _may_write(path: str) -> bool:
    return os.access(path, os.W_OK) and os.access(os.path.dirname(path), os.W_OK)


def _connect(path: str) -> sqlite3.Connection:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    db = sqlite3.connect(
        path, timeout=PATIENCE_MS / 1000, isolation_level=None, check_same_thread=False, factory=_Connection
    )
    try:
        db.execute("PRAGMA synchronous=NORMAL")
        db.execute(f"PRAGMA journal_size_limit={LOG_LIMIT}")
        if db.execute("PRAGMA user_version").fetchone()[0] != schema.STAMP:
            _create_tables(db)
    except BaseException:
        db.close()
        raise
    return db


def _log_size(path: str) -> int:
    try:
        return os.stat(f"{path}-wal").st_size
    except OSError:
        return 0


def _truncate_log(db: sqlite3.Connection) -> None:
    """Truncate the write-ahead log unless it is being read: it would keep its size for the process's lifetime."""
    db.execute("PRAGMA busy_timeout=0")
    with suppress(sqlite3.OperationalError):  # the data is committed; the next writer tries again
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    db.execute(f"PRAGMA busy_timeout={PATIENCE_MS}")


def _current(db: sqlite3.Connection) -> bool:
    try:
        return bool(db.execute("PRAGMA user_version").fetchone()[0] == schema.STAMP)
    except sqlite3.Error:
        return False


def _inode(path: str) -> int:
    try:
        return os.stat(path).st_ino
    except OSError:
        return -1


def _discard(path: str) -> None:
    for suffix in ("", "-wal", "-shm", "-journal"):
        try:
            os.unlink(path + suffix)
        except OSError:
            continue


_BUSY = ("locked", "busy")
_EXPLANATIONS = (
    ("full", "the disk is full", "The notes are safe; free some space, and the index recovers."),
    ("readonly", "it cannot be written", "The notes are safe; make the file and its folder writable."),
    ("unable to open", "it cannot be opened", "The notes are safe; make its folder readable and writable."),
    ("disk I/O", "the disk refuses", "The notes are safe; check whether the disk is full or failing."),
)
"""SQLite's message, its meaning, and the remedy."""


def _refusal(path: str, error: Exception) -> StorageError:
    text = str(error)
    if isinstance(error, sqlite3.OperationalError) and any(sign in text for sign in _BUSY):
        return IndexBusyError(path)
    if isinstance(error, OSError):
        step = Sentence("The notes are safe; make the folder writable, or run ", do(Action.DOCTOR), ".")
        return StorageError(path, f"the index cannot be used: {error.strerror or text}", step)
    if "readonly" in text and _may_write(path):
        text = "full"  # only then is a file that may be written opened to be read only
    for sign, reason, remedy in _EXPLANATIONS:
        if sign in text:
            return StorageError(path, f"the index cannot be used: {reason}", remedy)
    rebuild = "The notes are safe; delete that file, and it is rebuilt from them."
    return StorageError(path, "the index cannot be used: it is damaged again and again", rebuild)


def _create_tables(db: sqlite3.Connection) -> None:
    """Create all tables, unless another process just did."""
    db.execute("PRAGMA journal_mode=WAL")
    db.execute("BEGIN EXCLUSIVE")
    if db.execute("PRAGMA user_version").fetchone()[0] != schema.STAMP:
        tables = "SELECT name FROM sqlite_master WHERE type='table' AND name NOT LIKE 'sqlite_%' AND sql NOTNULL"
        names = [name for (name,) in db.execute(tables) if "_fts_" not in name]
        for name in names:
            db.execute(f'DROP TABLE IF EXISTS "{name}"')
        for statement in schema.TABLES.split(";\n"):
            if statement.strip():
                db.execute(statement)
        db.execute("INSERT INTO meta VALUES ('generation', ?)", (os.urandom(8).hex(),))
    db.execute("COMMIT")


_DAMAGE = ("no such", "malformed", "not a database", "disk I/O", "corrupt", "no column", "decode", "invalid fts5")


def _damaged(error: sqlite3.OperationalError) -> bool:
    """Whether rebuilding the file would help; it does not for a lock, a full disk or a read-only folder."""
    text = str(error)
    return any(sign in text for sign in _DAMAGE)
