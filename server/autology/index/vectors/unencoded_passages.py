"""Passages that were indexed by their words first, and wait for the built-in encoder."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from autology.core.index.second_pass import EncodedFile, File
from autology.index.open_index import IndexPart
from autology.index.readonly import placeholders
from autology.index.rows import checked_texts
from autology.index.vectors.nearest import put_all

_FILES = """
SELECT DISTINCT u.kind, s.path FROM unencoded u JOIN passage p ON p.rowid = u.passage JOIN source s ON s.rowid = p.source
WHERE u.kind IN ({kinds}) ORDER BY s.rowid"""
_PASSAGES = """
SELECT u.passage, u.kind, p.start, p.stop FROM source s JOIN passage p ON p.source = s.rowid
JOIN unencoded u ON u.passage = p.rowid WHERE s.path = ?"""


class SqliteUnencoded(IndexPart):
    """The :class:`~autology.core.index.second_pass.UnencodedPassages` of an index file."""

    @property
    def may_lack_vectors(self) -> bool:
        """Whether passages may lack their vectors."""
        return self._opened.vectors_due

    def unencoded_files(self, kinds: Sequence[str]) -> list[File]:
        """Return the files of these kinds with unencoded passages, in the order in which they were indexed."""
        self._opened.vectors_due = False  # set again by who stores or finds any
        sql = _FILES.format(kinds=placeholders(kinds))

        def read(db: sqlite3.Connection) -> list[File]:
            self._opened.vectors_due |= count(db) > 0
            return [checked_texts(row, 2) for row in db.execute(sql, tuple(kinds))]

        return self._file.query(read)

    def built_in_vectors(self, texts: Sequence[str]) -> Sequence[bytes]:
        """Return the built-in encoder's vectors of *texts*; empty ones without an encoder."""
        encoder = self._encoders.built_in()
        return encoder.encode(texts) if encoder else [b""] * len(texts)

    def store_vectors(self, files: Sequence[EncodedFile]) -> None:
        """Store the vectors of *files*, unless another encoder made those in the index."""
        encoder = self._encoders.built_in()

        def write(db: sqlite3.Connection) -> None:
            stored = db.execute("SELECT value FROM meta WHERE key = 'encoder'").fetchone()
            if stored != (encoder.name if encoder else "",):
                return  # every file is about to be indexed again
            vectors, passages = [], []
            for file in files:
                for passage, kind, start, stop in db.execute(_PASSAGES, (file.path,)):
                    passages.append((passage,))
                    if vector := file.vectors.get((start, stop)):
                        vectors.append((passage, kind, vector))
            put_all(db, vectors)
            db.executemany("DELETE FROM unencoded WHERE passage = ?", passages)

        self._file.write(write)


def count(db: sqlite3.Connection, kind: str | None = None) -> int:
    """Return the number of unencoded passages of that kind; None for any."""
    condition, values = ("WHERE kind = ?", (kind,)) if kind else ("", ())
    return int(db.execute(f"SELECT count(*) FROM unencoded {condition}", values).fetchone()[0])
