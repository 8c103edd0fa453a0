"""What was read from source files, in an SQLite file of its own: disposable, and made anew when it is damaged."""

from __future__ import annotations

import json
import os
import sqlite3
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import fields
from typing import Any, TypeVar

from autology.core.ports import Stamp
from autology.model.code import Binding, Definition, Facts, Import, Use

VERSION = 3
"""Raised whenever the table, or what is read from a file, changes; a file of another version is made anew."""
PATIENCE = 5.0
"""Seconds to wait for another process that writes."""
_TABLE = """
CREATE TABLE file(path TEXT PRIMARY KEY, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL, facts BLOB NOT NULL)
WITHOUT ROWID
"""
_REFUSED = ("locked", "readonly", "full", "unable to open")
"""What an engine says that is kept from a file which may be sound."""
T = TypeVar("T")


class SqliteCode:
    """The :class:`~autology.core.code.ports.Store` in the file that *path* tells, as it is when it is asked."""

    def __init__(self, path: Callable[[], str]) -> None:
        self._path = path

    def known(self) -> Mapping[str, Stamp]:
        """Return what was read, with the stamp that it goes with."""
        return self._asked(
            lambda db: {
                str(path): Stamp(int(size), int(mtime))
                for path, size, mtime in db.execute("SELECT path, size, mtime_ns FROM file")
            },
            {},
        )

    def facts(self, paths: Sequence[str]) -> Mapping[str, Facts]:
        """Return what was read of these files, as far as it is there and sound."""

        def read(db: sqlite3.Connection) -> dict[str, Facts]:
            wanted = set(paths)
            rows = db.execute("SELECT path, facts FROM file")
            return {path: _unpacked(packed) for path, packed in rows if path in wanted}

        return self._asked(read, {}) if paths else {}

    def keep(self, read: Mapping[str, tuple[Stamp, Facts]], gone: Sequence[str]) -> None:
        """Take in what was read, and forget what is gone; a disk that refuses is no reason to fail."""

        def write(db: sqlite3.Connection) -> None:
            with db:
                db.executemany("DELETE FROM file WHERE path = ?", [(path,) for path in gone])
                rows = [(path, at.size, at.mtime_ns, _packed(facts)) for path, (at, facts) in read.items()]
                db.executemany("INSERT OR REPLACE INTO file VALUES (?, ?, ?, ?)", rows)

        if read or gone:
            self._asked(write, None)

    def _asked(self, act: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        """Return what *act* finds; what is damaged is removed and made anew once, what cannot be had is *otherwise*."""
        for _ in range(2):
            try:
                with self._opened() as db:
                    return act(db)
            except sqlite3.OperationalError as error:
                if any(reason in str(error) for reason in _REFUSED):
                    return otherwise
                self._remove()
            except (sqlite3.DatabaseError, zlib.error, ValueError, TypeError, KeyError, IndexError, RecursionError):
                self._remove()
            except OSError:
                return otherwise
        return otherwise

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        path = self._path()
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with closing(sqlite3.connect(path, timeout=PATIENCE)) as db:
            (version,) = db.execute("PRAGMA user_version").fetchone()
            if version != VERSION:
                with db:
                    db.execute("DROP TABLE IF EXISTS file")
                    db.execute(_TABLE)
                    db.execute(f"PRAGMA user_version = {VERSION}")
            yield db

    def _remove(self) -> None:
        for ending in ("", "-journal", "-wal", "-shm"):
            with suppress(OSError):
                os.remove(self._path() + ending)


def _packed(facts: Facts) -> bytes:
    return zlib.compress(json.dumps(_row(facts), default=_row, separators=(",", ":")).encode(), 1)


def _row(told: Any) -> list[Any]:
    return [getattr(told, name) for name in told.__slots__]


def _unpacked(packed: bytes) -> Facts:
    parts: dict[str, Any] = dict(
        zip([each.name for each in fields(Facts)], json.loads(zlib.decompress(packed)), strict=True)
    )
    return Facts(
        definitions=tuple(_definition(*row) for row in parts["definitions"]),
        imports=tuple(Import(*row) for row in parts["imports"]),
        bindings=tuple(Binding(*row) for row in parts["bindings"]),
        uses=tuple(Use(*row) for row in parts["uses"]),
        given=tuple((scope, value) for scope, value in parts["given"]),
        fault=str(parts["fault"]),
        packages=tuple(parts["packages"]),
    )


def _definition(*row: Any) -> Definition:
    name, kind, line, end, bases, decorators, returns, declared = row
    return Definition(name, kind, line, end, tuple(bases), tuple(decorators), returns, declared)
