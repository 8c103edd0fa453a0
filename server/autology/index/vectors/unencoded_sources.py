"""Sources that were indexed by their words first: their texts wait, compressed, for the built-in encoder."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Sequence

from autology.core.index.second_pass import SourceRange, SourceVectors
from autology.index.checked_rows import INTEGER, TEXT, VECTOR, checked
from autology.index.open_index import IndexPart
from autology.index.vectors.nearest import put_all

RANGE = 50
"""Sources per job and transaction: 0.05 s of work, repeated after a kill."""
LEVEL = 1
"""How hard texts are compressed: in 0.03 ms a note, to half; the vectors then take the room that they leave."""
LARGEST = 1 << 26
"""Maximum bytes of a source's texts; more is damage."""

_PASSAGES = "SELECT rowid FROM passage WHERE source = ? AND start IS NOT NULL ORDER BY rowid"


class SqliteSecondPass(IndexPart):
    """The :class:`~autology.core.index.second_pass.SecondPass` of an index file."""

    @property
    def may_lack_vectors(self) -> bool:
        """Whether sources may lack their vectors."""
        return self._opened.vectors_due

    def unencoded_sources(self) -> list[SourceRange]:
        """Return the sources without vectors, in ranges."""
        self._opened.vectors_due = False  # set again by who stores or finds any
        if not self._file.exists():
            return []  # a folder without notes is left alone

        def read(db: sqlite3.Connection) -> list[int]:
            return [checked(row, (INTEGER,))[0] for row in db.execute("SELECT source FROM unencoded ORDER BY source")]

        rows = self._file.query(read)
        self._opened.vectors_due |= bool(rows)
        parts = [rows[at : at + RANGE] for at in range(0, len(rows), RANGE)]
        return [(part[0], part[-1], len(part)) for part in parts]

    def encoded(self, sources: SourceRange) -> list[SourceVectors]:
        """Return the vectors of the *sources* that still wait; none without an encoder."""
        encoder = self._encoders.built_in()
        sql = "SELECT source, kind, texts FROM unencoded WHERE source BETWEEN ? AND ?"

        def read(db: sqlite3.Connection) -> list[tuple[int, str, list[str]]]:
            rows = (checked(row, (INTEGER, TEXT, VECTOR)) for row in db.execute(sql, tuple(sources[:2])))
            return [(source, kind, unpacked(texts)) for source, kind, texts in rows]

        waiting = self._file.query(read) if encoder else []
        return [SourceVectors(source, kind, encoder.encode(texts)) for source, kind, texts in waiting if encoder]

    def store_vectors(self, sources: Sequence[SourceVectors]) -> None:
        """Store the vectors of those *sources* that still wait."""
        encoder = self._encoders.built_in()

        def write(db: sqlite3.Connection) -> None:
            stored = db.execute("SELECT value FROM meta WHERE key = 'encoder'").fetchone()
            if encoder is None or stored != (encoder.name,):
                return  # every file is about to be indexed again
            vectors: list[tuple[int, str, bytes]] = []
            for source, kind, rows in sources:
                if db.execute("DELETE FROM unencoded WHERE source = ?", (source,)).rowcount:
                    passages = [passage for (passage,) in db.execute(_PASSAGES, (source,))]
                    vectors += [(passage, kind, row) for passage, row in zip(passages, rows, strict=False)]
            put_all(db, vectors)

        if sources:
            self._file.write(write)


def packed(texts: Sequence[str]) -> bytes:
    """Return *texts* compressed."""
    return zlib.compress(json.dumps(texts).encode("ascii"), LEVEL)


def unpacked(data: bytes) -> list[str]:
    """Return compressed texts. Raises sqlite3.DatabaseError if they are damaged."""
    try:
        texts = json.loads(zlib.decompressobj().decompress(data, LARGEST))
    except (zlib.error, ValueError, RecursionError):
        raise sqlite3.DatabaseError("malformed row") from None
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise sqlite3.DatabaseError("malformed row")
    return texts


def count(db: sqlite3.Connection, kind: str | None = None) -> int:
    """Return the number of passages without vectors, of that kind; None for any."""
    condition, values = ("WHERE kind = ?", (kind,)) if kind else ("", ())
    (passages,) = db.execute(f"SELECT coalesce(sum(passages), 0) FROM unencoded {condition}", values).fetchone()
    return int(passages)
