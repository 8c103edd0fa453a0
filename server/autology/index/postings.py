"""Which texts hold a word: read from segments, each of which lists the places of every word of its texts.

A segment never changes. Texts that are gone are masked until segments are put together (`segments.py`). Numbers of
texts are rows of passages, or of sources where titles are meant. Standard library only, for hooks look here too.
"""

from __future__ import annotations

import zlib
from array import array
from itertools import chain, compress

from autology.index import block
from autology.index.block import Block

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
BATCH = 500
WHOLE = 1_280
"""Bytes of the longest blob that holds several words, a hundred: three are a page of SQLite's, and one is read in 5 us.
A longer one is of one word alone, so that its length tells how often that stands."""

Held = tuple["array[int]", bytes]
"""Where a word stands in a segment: positions, and what `ranking.bm25` makes of each."""


class Segment:
    """The words of some texts, which do not change: its row, how many texts, and what is known of each by position."""

    __slots__ = ("_about", "_words", "many", "row")

    def __init__(self, row: int, many: int) -> None:
        self.row = row
        self.many = many
        self._about: dict[str, array[int]] = {}
        self._words: Block | None = None

    def words(self, db: sqlite3.Connection) -> Block:
        """Return the words of a small segment, all of them."""
        if self._words is None:
            found = db.execute("SELECT words FROM segment WHERE rowid = ?", (self.row,)).fetchone()
            self._words = opened(found[0] if found else None)
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
        self._small = [segment for row, segment in self.segments.items() if row in apart]
        self._read: dict[str, list[tuple[int, Block]]] = {}
        self._large = [row for row in self.segments if row not in apart]

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
        found = dict.fromkeys(words, 0)
        for segment in self._small:
            here = segment.words(self._db)
            for word in found:
                found[word] += len(here.places(word)[1])
        read: dict[str, list[tuple[int, Block]]] = {word: [] for word in found}
        for word, row, some in self._blocks(found, _LENGTH):
            if isinstance(some, int):
                found[word] += some
                read.pop(word, None)
            else:
                found[word] += len(some.places(word)[1])
                if word in read:
                    read[word].append((row, some))
        self._read.update(read)
        return found

    def held(self, words: Iterable[str]) -> dict[str, dict[int, Held]]:
        """Return for each of *words* where it stands, by the row of the segment."""
        found: dict[str, dict[int, Held]] = {word: {} for word in words}
        for segment in self._small:
            here = segment.words(self._db)
            for word, held in found.items():
                if (places := here.places(word))[1]:
                    held[segment.row] = self._living(segment, places)
        read = [(word, row, some) for word in found for row, some in self._read.get(word, ())]
        for word, row, some in chain(read, self._blocks([word for word in found if word not in self._read], "b.words")):
            if not isinstance(some, int) and (places := some.places(word))[1]:
                found[word][row] = self._living(self.segments[row], places)
        return found

    def _living(self, segment: Segment, places: tuple[bytes, bytes]) -> Held:
        whole = placed(places, segment.many)
        alive = self._alive.get(segment.row)
        return _living(whole, alive) if alive else whole

    def _blocks(self, words: Iterable[str], column: str) -> Iterator[tuple[str, int, Block | int]]:
        """Yield *words* with each large segment's row and words among which each is, or how often it stands there."""
        every, rows = list(words), ", ".join(f"({row})" for row in self._large)
        read: dict[tuple[int, str], Block] = {}
        for at in range(0, len(every) if rows else 0, BATCH):
            some = every[at : at + BATCH]
            ask = _BLOCKS.format(words=", ".join(["(?)"] * len(some)), rows=rows, column=column)
            for word, row, own, first, blob in self._db.execute(ask, some):
                if row != own or not isinstance(first, str):
                    raise malformed()  # a damaged page gives what was not asked for
                if isinstance(blob, int):
                    if word == first:
                        yield word, row, block.held(blob - CHECK, word)
                    continue
                if (row, first) not in read:
                    read[row, first] = opened(blob, first)
                yield word, row, read[row, first]

    def beginning(self, letter: str) -> list[str]:
        """Return the words that begin with *letter*."""
        found: set[str] = set()
        for row in self._large:
            for first, blob in self._db.execute(_BEGINNING, (row, chr(ord(letter) + 1), row, letter)):
                found.update(opened(blob, first).beginning(letter))
        return sorted(found.union(*(segment.words(self._db).beginning(letter) for segment in self._small)))


_SEGMENTS = """
SELECT s.rowid, s.many, s.total, coalesce(g.many, 0), coalesce(g.total, 0), s.words IS NOT NULL, g.alive
FROM segment s LEFT JOIN gone g ON g.segment = s.rowid WHERE s.field = ?"""


_LENGTH = f"CASE WHEN length(b.words) > {WHOLE + CHECK} THEN length(b.words) ELSE b.words END"
# The last words that begin before what is looked for, or with it: looked up in an index, for each word and segment.
_BLOCKS = """
WITH word(term) AS (VALUES {words}), of(segment) AS (VALUES {rows})
SELECT term, of.segment, b.segment, b.first, {column} FROM word CROSS JOIN of CROSS JOIN block b ON b.rowid = (
  SELECT rowid FROM block WHERE segment = of.segment AND first <= term ORDER BY first DESC LIMIT 1)"""
_BEGINNING = """
SELECT first, words FROM block WHERE segment = ? AND first < ?
AND first >= coalesce((SELECT max(first) FROM block WHERE segment = ? AND first <= ?), '')"""


def placed(places: tuple[bytes, bytes], texts: int) -> Held:
    """Return places as they are gone through, of a segment with so many *texts*."""
    positions, codes = places
    if len(codes) > texts or len(positions) != block.POSITION * len(codes):
        raise malformed()
    return block.turned(array("H", positions)), codes


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


def opened(blob: object, first: str | None = None) -> Block:
    """Return the words that were sealed in one blob, the *first* of which is known."""
    try:
        found = Block(unsealed(blob))
    except ValueError:
        raise malformed() from None
    if first is not None and found.words[:1] != [first]:
        raise malformed()
    return found


def malformed() -> sqlite3.DatabaseError:
    """Return what is raised for words that are not as they were written."""
    return sqlite3.DatabaseError("malformed words")
