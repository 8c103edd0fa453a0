"""Which texts hold a word: read from segments, each of which lists the places of every word of its texts.

A segment never changes. Texts that are gone are masked until segments are put together (`segments.py`). Numbers of
texts are rows of passages, or of sources where titles are meant. Standard library only, for hooks look here too.
"""

from __future__ import annotations

import sys
import zlib
from array import array
from itertools import compress

from autology.index.loose import Loose

try:  # what `sqlite3` adds is for dates, and takes a prompt's hook 2 ms
    import _sqlite3 as sqlite3
except ImportError:
    import sqlite3  # type: ignore[no-redef]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

BODY, TITLE = "body", "title"
"""What a segment's words stand in: passages, or the titles, tags and headings of sources."""
CHECK = 4
"""Bytes of every blob that say whether the others are what was written: SQLite keeps no checksums."""
_WHOLE = 0x2144DF1C
"""The CRC-32 of anything that ends in its own."""
PLACE = 3
"""Bytes of a word's place in a segment: two of its text's position, one of how often and in how long a text."""
BATCH = 500

Held = tuple["array[int]", bytes]
"""Where a word stands in a segment: positions, and what `ranking.bm25` makes of each."""


class Segment:
    """The words of some texts, which do not change: its row, how many texts, and what is known of each by position."""

    __slots__ = ("_about", "_words", "many", "row")

    def __init__(self, row: int, many: int) -> None:
        self.row = row
        self.many = many
        self._about: dict[str, array[int]] = {}
        self._words: Loose | None = None

    def words(self, db: sqlite3.Connection) -> Loose:
        """Return the words of a segment that has no row for each."""
        if self._words is None:
            found = db.execute("SELECT words FROM segment WHERE rowid = ?", (self.row,)).fetchone()
            self._words = loose(found[0] if found else None)
        return self._words

    def about(self, db: sqlite3.Connection, column: str) -> array[int]:
        """Return the number (`texts`), the source (`sources`) or the project (`projects`, 0 for none) of each text."""
        known = self._about.get(column)
        if known is None:
            found = db.execute(f"SELECT {column} FROM segment WHERE rowid = ?", (self.row,)).fetchone()
            known = array("I", unsealed(found[0] if found else None))
            if len(known) != self.many:
                raise malformed()
            self._about[column] = known
        return known


class Postings:
    """What one look at the words of a field needs; it holds for as long as the transaction it was made in.

    Segments that other looks may use, of the same index, are *kept*.
    """

    def __init__(
        self, db: sqlite3.Connection, field: str, kinds: Sequence[str] = (), kept: dict[int, Segment] | None = None
    ) -> None:
        self._db = db
        some = f" AND s.kind IN ({', '.join('?' * len(kinds))})" if kinds else ""
        rows = db.execute(_SEGMENTS + some, (field, *kinds)).fetchall()
        if not all(isinstance(value, int) for row in rows for value in row[:-1]):
            raise malformed()
        kept = {} if kept is None else kept
        self.segments = {row: kept.get(row) or Segment(row, many) for row, many, *_ in rows if many > 0}
        kept.update(self.segments)
        self._alive = {row: unsealed(alive) for row, *_, alive in rows if alive is not None}
        self.count = sum(row[1] - row[3] for row in rows)
        self.average = sum(row[2] - row[4] for row in rows) / (self.count or 1)
        apart = {row for row, *_, one, _ in rows if one}
        self._loose = [segment for row, segment in self.segments.items() if row in apart]
        self._which = ", ".join(str(row) for row in self.segments if row not in apart)

    def texts(self, row: int) -> array[int]:
        """Return the number of the text at each position of a segment."""
        return self.segments[row].about(self._db, "texts")

    def sources(self, row: int) -> array[int]:
        """Return the source of the text at each position of a segment."""
        return self.segments[row].about(self._db, "sources")

    def lengths(self, row: int) -> array[int]:
        """Return the length of the text at each position of a segment, in tokens."""
        return self.segments[row].about(self._db, "lengths")

    def projects(self, row: int) -> array[int]:
        """Return the row of the project that the text at each position of a segment belongs to, 0 for none."""
        return self.segments[row].about(self._db, "projects")

    def often(self, words: Iterable[str]) -> dict[str, int]:
        """Return in how many texts each of *words* stands, those among them that are gone."""
        ask = "SELECT term, sum(length(held)), count(*) FROM posting WHERE segment IN ({}) AND term IN ({}) GROUP BY 1"
        found = dict.fromkeys(words, 0)
        for segment in self._loose:
            here = segment.words(self._db)
            for word in found:
                found[word] += len(here.places(word)) // PLACE
        for some in self._batches(list(found)):
            for word, size, lists in self._db.execute(ask.format(self._which, ", ".join("?" * len(some))), some):
                if word not in found:
                    raise malformed()  # a damaged page gives what was not asked for
                found[word] += (size - CHECK * lists) // PLACE
        return found

    def held(self, words: Iterable[str]) -> dict[str, dict[int, Held]]:
        """Return for each of *words* where it stands, by the row of the segment."""
        ask = "SELECT term, segment, held FROM posting WHERE segment IN ({}) AND term IN ({})"
        found: dict[str, dict[int, Held]] = {word: {} for word in words}
        for segment in self._loose:
            here = segment.words(self._db)
            for word, held in found.items():
                if data := here.places(word):
                    held[segment.row] = self._living(segment, data)
        for some in self._batches(list(found)):
            for word, row, blob in self._db.execute(ask.format(self._which, ", ".join("?" * len(some))), some):
                if word not in found or row not in self.segments:
                    raise malformed()
                found[word][row] = self._living(self.segments[row], unsealed(blob))
        return found

    def _living(self, segment: Segment, data: bytes) -> Held:
        places = placed(data, segment.many)
        alive = self._alive.get(segment.row)
        return _living(places, alive) if alive else places

    def beginning(self, letter: str) -> list[str]:
        """Return the words that begin with *letter*."""
        ask = f"SELECT DISTINCT term FROM posting WHERE segment IN ({self._which}) AND term >= ? AND term < ?"
        found = {word for (word,) in self._db.execute(ask, (letter, chr(ord(letter) + 1)))}
        return sorted(found.union(*(segment.words(self._db).beginning(letter) for segment in self._loose)))

    def _batches(self, words: Sequence[str]) -> Iterator[Sequence[str]]:
        """Yield *words* as many as are asked for at once, if any segment has rows for them."""
        return (words[at : at + BATCH] for at in range(0, len(words) if self._which else 0, BATCH))


_SEGMENTS = """
SELECT s.rowid, s.many, s.total, coalesce(g.many, 0), coalesce(g.total, 0), s.words IS NOT NULL, g.alive
FROM segment s LEFT JOIN gone g ON g.segment = s.rowid WHERE s.field = ?"""


def placed(data: bytes, texts: int) -> Held:
    """Return the places in *data*, of a segment with so many *texts*."""
    many, odd = divmod(len(data), PLACE)
    if odd or many > texts:
        raise malformed()
    positions = array("H", data[: 2 * many])
    if sys.byteorder == "big":
        positions.byteswap()
    return positions, data[2 * many :]


def _living(places: Held, alive: bytes) -> Held:
    positions, codes = places
    keep = bytes(map(alive.__getitem__, positions))
    return (array("H", compress(positions, keep)), bytes(compress(codes, keep))) if 0 in keep else places


def sealed(data: bytes | bytearray) -> bytes:
    """Return *data* with what it is checked by."""
    return bytes(data) + zlib.crc32(data).to_bytes(CHECK, "little")


def unsealed(blob: object) -> bytes:
    """Return what was sealed.

    Raises:
        sqlite3.DatabaseError: it is no more what it was.
    """
    if not isinstance(blob, bytes) or len(blob) < CHECK:
        raise malformed()
    if zlib.crc32(blob) != _WHOLE:
        raise malformed()
    return blob[:-CHECK]


def loose(blob: object) -> Loose:
    """Return the words that were sealed in one blob."""
    try:
        return Loose(unsealed(blob), PLACE)
    except ValueError:
        raise malformed() from None


def malformed() -> sqlite3.DatabaseError:
    """Return what is raised for words that are not as they were written."""
    return sqlite3.DatabaseError("malformed words")
