"""The index's file: opened by many threads and processes, made anew whenever it is missing, old or damaged."""

from __future__ import annotations

import errno
import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TypeVar

from autology.index import schema
from autology.index.glance import quoted
from autology.model.errors import IndexBusyError, StorageError

PATIENCE_MS = 5_000
"""How long a call waits for another process's transaction; the longest measured (10,000 files) takes 4 s."""
IDLE = 0 if os.name == "nt" else 2  # there an open file cannot be deleted
"""Connections kept between calls: opening one costs 0.5 ms, closing the last one 1.2 (it empties the log)."""
LOG = 2_000_000
"""Bytes from which the log is taken in and emptied: the first indexing would leave it as large as the index."""

T = TypeVar("T")


class IndexFile:
    """The file of one index.

    *place* tells it, anew for every write, and every call that is not :meth:`held` together with others: a project
    gets its own folder only when something is first written to it.
    """

    def __init__(self, place: Callable[[], str]) -> None:
        self._place = place
        self._held = threading.local()
        self._idle: list[tuple[sqlite3.Connection, str, int]] = []
        self._lock = threading.Lock()

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep one connection for the calls that this thread makes meanwhile."""
        if getattr(self._held, "on", False):
            yield
            return
        self._held.on = True
        self._held.path = self._place()  # a tenth of a question's time, when every call asks
        try:
            yield
        finally:
            self._held.on = False
            self._give_back()

    def ask(self, read: Callable[[sqlite3.Connection], T]) -> T:
        """Return what *read* finds."""
        return self._with(read)

    def seen(self, read: Callable[[sqlite3.Connection], T]) -> T:
        """Return what *read* finds with several questions, of one state of the index."""

        def transaction(db: sqlite3.Connection) -> T:
            db.execute("BEGIN")
            found = read(db)
            db.execute("COMMIT")
            return found

        return self._with(transaction)

    def write(self, write: Callable[[sqlite3.Connection], object]) -> None:
        """Let *write* change the index in one transaction."""

        def transaction(db: sqlite3.Connection) -> None:
            db.execute("BEGIN IMMEDIATE")
            write(db)
            db.execute("COMMIT")
            _take_in_log(db, self._path())

        self._held.path = self._place()
        self._with(transaction)

    def _path(self) -> str:
        return str(self._held.path) if getattr(self._held, "on", False) else self._place()

    def _with(self, act: Callable[[sqlite3.Connection], T]) -> T:
        path = self._path()
        for last in (False, True):
            try:
                return self._act(path, act)
            except sqlite3.DatabaseError as error:
                transient = isinstance(error, sqlite3.OperationalError) and not _damaged(error)
                if last or transient:
                    raise _refusal(path, error) from None
            except OSError as error:
                raise _refusal(path, error) from None
            except (UnicodeDecodeError, MemoryError) as error:  # what garbage makes of texts and lengths
                if last:
                    raise _refusal(path, error) from None
            _discard(path)
        raise AssertionError("unreachable")

    def _act(self, path: str, act: Callable[[sqlite3.Connection], T]) -> T:
        held = getattr(self._held, "db", None)
        if held is None or held[1] != path:
            self._give_back()
            self._held.db = held = self._take(path)
        try:
            return act(held[0])
        except BaseException:
            self._held.db = None  # whatever went wrong, the next call begins afresh
            held[0].close()
            raise
        finally:
            if not getattr(self._held, "on", False):
                self._give_back()

    def _take(self, path: str) -> tuple[sqlite3.Connection, str, int]:
        """Return an idle connection if it still leads to the file at *path*, else a new one."""
        while True:
            with self._lock:
                idle = self._idle.pop() if self._idle else None
            if idle is None:
                db = _open(path)
                return (db, path, _inode(path))
            if idle[1:] == (path, _inode(path)) and _current(idle[0]):
                return idle
            idle[0].close()  # the file was deleted, replaced or made anew meanwhile

    def _give_back(self) -> None:
        held, self._held.db = getattr(self._held, "db", None), None
        if held is None:
            return
        with self._lock:
            if len(self._idle) < IDLE:
                self._idle.append(held)
                return
        held[0].close()


def _open(path: str) -> sqlite3.Connection:
    try:
        return _opened(path)
    except (OSError, sqlite3.OperationalError) as error:
        db = _opened_to_read(path, full=_is_full(error))
        if db is None:
            raise
        return db


def _is_full(error: Exception) -> bool:
    """Whether the disk has no room: then there is none for the log's index either, and SQLite cannot map that."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return getattr(error, "errno", 0) == errno.ENOSPC or code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR)


def _opened_to_read(path: str, full: bool) -> sqlite3.Connection | None:
    """Return the index at *path* where it may be read and not be written; None where that is not the trouble.

    On a disk that is *full* nothing can be written either.
    """
    writable = os.access(path, os.W_OK) and os.access(os.path.dirname(path), os.W_OK)
    if not os.path.isfile(path) or (writable and not full):
        return None
    address = f"file:{quoted(os.path.abspath(path))}"
    for how in ("mode=ro", "mode=ro&immutable=1"):  # the second where the log cannot be shared
        with suppress(sqlite3.Error):
            db = sqlite3.connect(f"{address}?{how}", uri=True, isolation_level=None, check_same_thread=False)
            if _current(db):
                return db
            db.close()
    return None


def _opened(path: str) -> sqlite3.Connection:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    db = sqlite3.connect(path, timeout=PATIENCE_MS / 1000, isolation_level=None, check_same_thread=False)
    try:
        db.execute("PRAGMA synchronous=NORMAL")
        db.execute(f"PRAGMA journal_size_limit={LOG}")
        if db.execute("PRAGMA user_version").fetchone()[0] != schema.STAMP:
            _make(db)
    except BaseException:
        db.close()
        raise
    return db


def _take_in_log(db: sqlite3.Connection, path: str) -> None:
    """Empty a log that has become long, unless somebody reads what is in it: it would stay as long as we run."""
    try:
        if os.stat(f"{path}-wal").st_size <= LOG:
            return
    except OSError:
        return
    db.execute("PRAGMA busy_timeout=0")
    with suppress(sqlite3.OperationalError):  # what was written is written; the next writer tries again
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
_TOLD = (
    ("full", "the disk is full", "The notes are safe; free some space, and it heals itself."),
    ("readonly", "it cannot be written", "The notes are safe; make the file and its folder writable."),
    ("unable to open", "it cannot be opened", "The notes are safe; make its folder readable and writable."),
    ("disk I/O", "the disk refuses", "The notes are safe; look whether the disk is full or failing."),
)
"""What SQLite says, what that means, and what to do about it."""


def _refusal(path: str, error: Exception) -> StorageError:
    text = str(error)
    if isinstance(error, sqlite3.OperationalError) and any(sign in text for sign in _BUSY):
        return IndexBusyError(path)
    if isinstance(error, OSError):
        step = "The notes are safe; make the folder writable, or run `autology doctor`."
        return StorageError(path, f"the index cannot be used: {error.strerror or text}", step)
    for sign, meant, step in _TOLD:
        if sign in text:
            return StorageError(path, f"the index cannot be used: {meant}", step)
    step = "The notes are safe; remove that file, it is made anew from them."
    return StorageError(path, "the index cannot be used: it is damaged again and again", step)


def _make(db: sqlite3.Connection) -> None:
    """Make every table anew, unless another process just did."""
    db.execute("PRAGMA journal_mode=WAL")
    db.execute("BEGIN EXCLUSIVE")
    if db.execute("PRAGMA user_version").fetchone()[0] != schema.STAMP:
        old = "SELECT name FROM sqlite_master WHERE type='table' AND name NOT LIKE 'sqlite_%' AND sql NOTNULL"
        names = [name for (name,) in db.execute(old) if "_fts_" not in name]
        for name in names:
            db.execute(f'DROP TABLE IF EXISTS "{name}"')
        for statement in schema.TABLES.split(";\n"):
            if statement.strip():
                db.execute(statement)
        db.execute("INSERT INTO meta VALUES ('generation', ?)", (os.urandom(8).hex(),))
    db.execute("COMMIT")


_DAMAGE = ("no such", "malformed", "not a database", "disk I/O", "corrupt", "no column", "decode", "invalid fts5")


def _damaged(error: sqlite3.OperationalError) -> bool:
    """Whether a file made anew would help; a lock, a full disk or a read-only folder stay what they are."""
    text = str(error)
    return any(sign in text for sign in _DAMAGE)
