"""Adding files to the index, and the stamps of the indexed files."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import AbstractContextManager

from autology.core.content.files import Stamp
from autology.core.index.changes import Fault, Gone, Put
from autology.index import command_words
from autology.index.checked_rows import FAULT, checked, checked_texts
from autology.index.open_index import IndexPart, generation_of
from autology.index.vectors import waiting_passages
from autology.index.vectors.nearest import set_encoder
from autology.index.writing import Prepared, Writer, prepared
from autology.model.entry import NODE


class SqliteIndexedFiles(IndexPart):
    """The :class:`~autology.core.index.changes.IndexedFiles` of an index file."""

    def keep_open(self) -> AbstractContextManager[None]:
        """Reuse one connection for this thread's calls."""
        return self._file.keep_open()

    def generation(self) -> str:
        """Return the index's generation; a different one means that it was rebuilt and is incomplete."""
        return self._file.query(generation_of)

    def stamps(self, kind: str = NODE) -> dict[str, Stamp]:
        """Return the recorded stamp of every file of that kind."""
        select = "SELECT path, size, mtime_ns FROM {} WHERE kind = ?"
        union = f"{select.format('source')} UNION ALL {select.format('problem')}"

        def read(db: sqlite3.Connection) -> dict[str, Stamp]:
            by_path = {path: Stamp(size, mtime) for path, size, mtime in db.execute(union, (kind, kind))}
            checked_texts(tuple(by_path), len(by_path))
            return by_path

        return self._file.query(read)

    def prepare(self, change: Put, vectors: bool = True) -> Prepared:
        """Prepare *change* for :meth:`apply`, without its texts and without accessing the index."""
        return change if isinstance(change, Prepared) else prepared(change, self._encoders.built_in(), vectors)

    def apply(self, changes: Iterable[Put | Fault | Gone]) -> None:
        """Apply *changes* in one transaction."""
        in_order = sorted(changes, key=lambda change: not isinstance(change, Gone))  # removals first, for moved files
        steps = [self.prepare(change) if isinstance(change, Put) else change for change in in_order]

        def write(db: sqlite3.Connection) -> None:
            if any(isinstance(step, Prepared) for step in steps):
                self._set_encoders(db)
            writer = Writer(db)
            for step in steps:
                if isinstance(step, Prepared):
                    writer.put(step)
                    continue
                writer.drop(step.path)
                if isinstance(step, Fault):
                    writer.report(step)
                else:
                    db.execute("DELETE FROM problem WHERE path = ?", (step.path,))
            writer.settle()
            self._opened.vectors_due |= writer.vectors_due

        if steps:
            self._file.write(write)
            self._file.query(command_words.save)

    def _set_encoders(self, db: sqlite3.Connection) -> None:
        """Make the encoders current; if vectors of another encoder were deleted, mark every file to be read again."""
        built_in = self._encoders.built_in()
        if set_encoder(db, built_in.name if built_in else ""):
            db.execute("UPDATE source SET mtime_ns = -1")
        if (chosen := self._encoders.chosen()) is not None:
            # Without a chosen model its vectors stay: another process may have other settings.
            waiting_passages.settle(db, chosen.name)

    def faults(self, kind: str = NODE) -> list[tuple[str, str]]:
        """Return the unreadable files of that kind as (path, reason)."""
        sql = "SELECT path, reason FROM problem WHERE kind = ? ORDER BY path"
        return self._file.query(lambda db: [checked(row, FAULT) for row in db.execute(sql, (kind,))])

    def set_metadata(self, name: str, text: str) -> None:
        """Store a value with the index; it is lost with the index."""
        self._file.write(lambda db: db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (f"remark {name}", text)))

    def metadata(self, name: str) -> str:
        """Return the value stored under *name*, or ""."""

        def read(db: sqlite3.Connection) -> str:
            stored = db.execute("SELECT value FROM meta WHERE key = ?", (f"remark {name}",)).fetchone()
            return str(checked_texts(stored or ("",), 1)[0])

        return self._file.query(read)
