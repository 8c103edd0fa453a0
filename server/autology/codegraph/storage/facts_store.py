"""The facts of parsed files, cached in an SQLite file of their own: a damaged one is replaced by an empty one."""

from __future__ import annotations

import json
import os
import sqlite3
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import fields
from typing import Any, TypeVar

from autology.codegraph.facts import Binding, Definition, FileFacts, Import, Use
from autology.core.content.files import Stamp

VERSION = 3
"""Raised whenever the table, or what a parser reads from a file, changes; a file of another version is emptied."""
BUSY_SECONDS = 5.0
"""To wait for another process that writes."""
_TABLE = """
CREATE TABLE file(path TEXT PRIMARY KEY, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL, facts BLOB NOT NULL)
WITHOUT ROWID
"""
_TEMPORARY_ERRORS = ("locked", "readonly", "full", "unable to open")
"""In SQLite's messages about a file that may be sound."""
T = TypeVar("T")


class FactsStore:
    """The facts in the file at the path that *path* returns; a disk that refuses makes nothing fail."""

    def __init__(self, path: Callable[[], str]) -> None:
        self._path = path

    def stamps(self) -> Mapping[str, Stamp]:
        """Return the stamp that each stored file had when it was parsed."""

        def read(db: sqlite3.Connection) -> dict[str, Stamp]:
            rows = db.execute("SELECT path, size, mtime_ns FROM file")
            return {str(path): Stamp(int(size), int(mtime)) for path, size, mtime in rows}

        return self._run(read, {})

    def load(self, paths: Sequence[str]) -> Mapping[str, FileFacts]:
        """Return the facts of these files, as far as they are stored and sound."""
        wanted = set(paths)

        def read(db: sqlite3.Connection) -> dict[str, FileFacts]:
            rows = db.execute("SELECT path, facts FROM file")
            return {path: _unpacked(packed) for path, packed in rows if path in wanted}

        return self._run(read, {}) if paths else {}

    def save(self, parsed: Mapping[str, tuple[Stamp, FileFacts]], removed: Sequence[str]) -> None:
        """Store what was parsed, and delete what was removed."""

        def write(db: sqlite3.Connection) -> None:
            with db:
                db.executemany("DELETE FROM file WHERE path = ?", [(path,) for path in removed])
                rows = [(path, stamp.size, stamp.mtime_ns, _packed(facts)) for path, (stamp, facts) in parsed.items()]
                db.executemany("INSERT OR REPLACE INTO file VALUES (?, ?, ?, ?)", rows)

        if parsed or removed:
            self._run(write, None)

    def _run(self, action: Callable[[sqlite3.Connection], T], default: T) -> T:
        """Return what *action* returns; a damaged file is replaced once, and *default* stands for one out of reach."""
        for _ in range(2):
            try:
                with self._connection() as db:
                    return action(db)
            except sqlite3.OperationalError as error:
                if any(reason in str(error) for reason in _TEMPORARY_ERRORS):
                    return default
                self._remove()
            except (sqlite3.DatabaseError, zlib.error, ValueError, TypeError, KeyError, IndexError, RecursionError):
                self._remove()
            except OSError:
                return default
        return default

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        path = self._path()
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with closing(sqlite3.connect(path, timeout=BUSY_SECONDS)) as db:
            (version,) = db.execute("PRAGMA user_version").fetchone()
            if version != VERSION:
                with db:
                    db.execute("DROP TABLE IF EXISTS file")
                    db.execute(_TABLE)
                    db.execute(f"PRAGMA user_version = {VERSION}")
            yield db

    def _remove(self) -> None:
        for suffix in ("", "-journal", "-wal", "-shm"):
            with suppress(OSError):
                os.remove(self._path() + suffix)


def _packed(facts: FileFacts) -> bytes:
    return zlib.compress(json.dumps(_row(facts), default=_row, separators=(",", ":")).encode(), 1)


def _row(value: Any) -> list[Any]:
    return [getattr(value, name) for name in value.__slots__]


def _unpacked(packed: bytes) -> FileFacts:
    row = json.loads(zlib.decompress(packed))
    columns: dict[str, Any] = dict(zip([field.name for field in fields(FileFacts)], row, strict=True))
    return FileFacts(
        definitions=tuple(_definition(*definition) for definition in columns["definitions"]),
        imports=tuple(Import(*import_) for import_ in columns["imports"]),
        bindings=tuple(Binding(*binding) for binding in columns["bindings"]),
        uses=tuple(Use(*use) for use in columns["uses"]),
        returned=tuple((scope, value) for scope, value in columns["returned"]),
        fault=str(columns["fault"]),
        packages=tuple(columns["packages"]),
    )


def _definition(*row: Any) -> Definition:
    name, kind, line, end, bases, decorators, returns, declared = row
    return Definition(name, kind, line, end, tuple(bases), tuple(decorators), returns, declared)
