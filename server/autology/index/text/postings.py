"""Reading posting lists: from immutable segments, each an inverted index of its texts.

Deleted texts are masked until segments are merged (`segments.py`). Text numbers are rows of passages, or of sources
for titles. Standard library only, because hooks read it too.
"""

from __future__ import annotations

import sys
import zlib
from array import array
from bisect import bisect_left
from itertools import chain, compress

try:  # the `sqlite3` package adds date support, which costs a hook 2 ms
    import _sqlite3 as sqlite3
except ImportError:
    import sqlite3  # type: ignore[no-redef]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Sequence
    from typing import Any

NUMBER = 4
"""Bytes of a number."""
POSITION = 2
"""Bytes of a text's position in its segment."""
POSTING = POSITION + 1
"""Bytes of a posting: the text's position, and its frequency and length packed into one byte."""
BODY, TITLE = "body", "title"
"""The indexed fields: passages; and the titles, tags and headings of sources."""
CHECK = 4
"""Bytes of the checksum in every blob: SQLite stores none."""
_CRC_RESIDUE = 0x2144DF1C
"""The CRC-32 of any data followed by its own CRC-32."""
BATCH = 500
MAX_BLOCK = 1_280
"""Maximum bytes of a blob with several terms, about a hundred: three fit a SQLite page, and one is read in 5 us.
A longer blob holds one term, so that its length gives the document frequency."""

PostingList = tuple["array[int]", bytes]
"""A term's postings in a segment: positions, and their BM25 codes."""


class Segment:
    """An immutable part of the inverted index: its row, the number of texts, and cached columns by position."""

    __slots__ = ("_columns", "_words", "many", "row", "source_lengths")

    def __init__(self, row: int, many: int) -> None:
        self.row = row
        self.many = many
        self.source_lengths: dict[int, int] = {}  # tokens of sources in it, as far as asked for
        self._columns: dict[str, array[int]] = {}
        self._words: PostingBlock | None = None

    def words(self, db: sqlite3.Connection) -> PostingBlock:
        """Return all terms of a small segment."""
        if self._words is None:
            stored = db.execute("SELECT words FROM segment WHERE rowid = ?", (self.row,)).fetchone()
            self._words = opened(stored[0] if stored else None)
        return self._words

    def column(self, db: sqlite3.Connection, column: str) -> array[int]:
        """Return the row (`texts`), source (`sources`), length or project (0 for none) of each text."""
        values = self._columns.get(column)
        if values is None:
            stored = db.execute(f"SELECT {column} FROM segment WHERE rowid = ?", (self.row,)).fetchone()
            values = array("I", unsealed(stored[0] if stored else None))
            if len(values) != self.many:
                raise malformed()
            self._columns[column] = values
        return values


class Layout:
    """The segments of one field: those that are *small* or *large*, the texts *alive* of those with deleted ones,
    and the number and the average length of all texts."""

    __slots__ = ("alive", "average", "count", "large", "segments", "small")

    def __init__(self, rows: Sequence[tuple[Any, ...]], cache: dict[int, Segment]) -> None:
        if not all(isinstance(value, int) for row in rows for value in row[:-1]):
            raise malformed()
        self.segments = {row: cache.get(row) or Segment(row, many) for row, many, *_ in rows if many > 0}
        cache.update(self.segments)
        self.alive = {row: unsealed(alive) for row, *_, alive in rows if alive is not None}
        self.count = sum(row[1] - row[3] for row in rows)
        self.average = sum(row[2] - row[4] for row in rows) / (self.count or 1)
        small_rows = {row for row, *_, one, _ in rows if one}
        self.small = [segment for row, segment in self.segments.items() if row in small_rows]
        self.large = [row for row in self.segments if row not in small_rows]


def _layout_of(db: sqlite3.Connection, field: str, kinds: tuple[str, ...], cache: dict[int, Segment]) -> Layout:
    """Return the segments of *field*; read again by a connection that keeps *layouts* only when the index changed.

    After forty captures there are sixty segments, which a search would read three times, and a capture four times.
    """
    layouts: dict[tuple[str, ...], tuple[tuple[int, int], Layout]] | None = getattr(db, "layouts", None)
    state = (0, 0)
    if layouts is not None:
        state = state_of(db)
        if (known := layouts.get((field, *kinds))) and known[0] == state:
            return known[1]
    kind_condition = f" AND s.kind IN ({', '.join('?' * len(kinds))})" if kinds else ""
    layout = Layout(db.execute(_SEGMENTS + kind_condition, (field, *kinds)).fetchall(), cache)
    if layouts is not None:
        layouts[field, *kinds] = state, layout
    return layout


def state_of(db: sqlite3.Connection) -> tuple[int, int]:
    """Return what others have committed, as this transaction sees it, and what this connection has changed."""
    return db.execute("PRAGMA data_version").fetchone()[0], db.total_changes


class Postings:
    """A reader of one field's postings, valid for the transaction it was created in.

    Segments are shared with other readers of the same index through *cache*."""

    def __init__(
        self, db: sqlite3.Connection, field: str, kinds: Sequence[str] = (), cache: dict[int, Segment] | None = None
    ) -> None:
        self._db = db
        self._read: dict[str, list[tuple[int, PostingBlock]]] = {}
        layout = _layout_of(db, field, tuple(kinds), {} if cache is None else cache)
        self.segments, self.count, self.average = layout.segments, layout.count, layout.average
        self._alive, self._small, self._large = layout.alive, layout.small, layout.large

    def texts(self, row: int) -> array[int]:
        """Return the text row at each position of a segment."""
        return self.segments[row].column(self._db, "texts")

    def sources(self, row: int) -> array[int]:
        """Return the source row at each position of a segment."""
        return self.segments[row].column(self._db, "sources")

    def lengths(self, row: int) -> array[int]:
        """Return the length in tokens at each position of a segment."""
        return self.segments[row].column(self._db, "lengths")

    def source_length(self, row: int, at: int) -> int:
        """Return the tokens of the source of the text at a position of a segment: all its texts stand side by side."""
        sources = self.sources(row)
        source, known = sources[at], self.segments[row].source_lengths
        length = known.get(source)
        if length is None:
            first, last, end = at, at + 1, len(sources)
            while first and sources[first - 1] == source:
                first -= 1
            while last < end and sources[last] == source:
                last += 1
            length = known[source] = sum(self.lengths(row)[first:last])
        return length

    def projects(self, row: int) -> array[int]:
        """Return the project row at each position of a segment, 0 for none."""
        return self.segments[row].column(self._db, "projects")

    def largest(self) -> list[int]:
        """Return the row of the segment with the most texts, if there is any."""
        return [max(self.segments, key=lambda row: self.segments[row].many)] if self.segments else []

    def frequencies(self, words: Iterable[str], segments: Container[int] | None = None) -> dict[str, int]:
        """Return the document frequency of each of *words*, deleted texts included; with *segments*, in these only."""
        counts = dict.fromkeys(words, 0)
        for segment in self._small:
            if segments is not None and segment.row not in segments:
                continue
            block = segment.words(self._db)
            for word in counts:
                counts[word] += len(block.postings(word)[1])
        read: dict[str, list[tuple[int, PostingBlock]]] = {word: [] for word in counts}
        for word, row, entry in self._blocks(counts, _LENGTH, segments):
            if isinstance(entry, int):
                counts[word] += entry
                read.pop(word, None)
            else:
                counts[word] += len(entry.postings(word)[1])
                if word in read:
                    read[word].append((row, entry))
        if segments is None:
            self._read.update(read)
        return counts

    def exact_frequencies(self, words: Iterable[str]) -> dict[str, int]:
        """Return the document frequency of each of *words*, without deleted texts."""
        if not self._alive:
            return self.frequencies(words)
        lists = self.lists(words)
        return {word: sum(len(codes) for _, codes in by_segment.values()) for word, by_segment in lists.items()}

    def lists(self, words: Iterable[str], segments: Container[int] | None = None) -> dict[str, dict[int, PostingList]]:
        """Return the posting lists of each of *words*, by segment row; with *segments*, in these rows only."""
        by_word: dict[str, dict[int, PostingList]] = {word: {} for word in words}
        for segment in self._small:
            if segments is not None and segment.row not in segments:
                continue
            block = segment.words(self._db)
            for word, lists in by_word.items():
                if (encoded := block.postings(word))[1]:
                    lists[segment.row] = self._alive_only(segment, encoded)
        read = [(word, row, entry) for word in by_word for row, entry in self._read.get(word, ())]
        for word, row, entry in chain(
            read, self._blocks([word for word in by_word if word not in self._read], "b.words", segments)
        ):
            if not isinstance(entry, int) and (encoded := entry.postings(word))[1]:
                by_word[word][row] = self._alive_only(self.segments[row], encoded)
        return by_word

    def _alive_only(self, segment: Segment, encoded: tuple[bytes, bytes]) -> PostingList:
        positions, codes = postings = decoded_postings(encoded, segment.many)
        if (alive := self._alive.get(segment.row)) is None:
            return postings
        keep = bytes(map(alive.__getitem__, positions))
        return (array("H", compress(positions, keep)), bytes(compress(codes, keep))) if 0 in keep else postings

    def _blocks(
        self, words: Iterable[str], column: str, segments: Container[int] | None = None
    ) -> Iterator[tuple[str, int, PostingBlock | int]]:
        """Yield *words* with each large segment's row and the block that may contain it, or its document frequency."""
        terms = list(words)
        large = self._large if segments is None else [row for row in self._large if row in segments]
        rows = ", ".join(["(?)"] * len(large))  # the statement is compiled once for as many words and segments
        read: dict[tuple[int, str], PostingBlock] = {}
        for at in range(0, len(terms) if rows else 0, BATCH):
            batch = terms[at : at + BATCH]
            sql = _BLOCKS.format(words=", ".join(["(?)"] * len(batch)), rows=rows, column=column)
            for word, row, segment, first, blob in self._db.execute(sql, (*batch, *large)):
                if row != segment or not isinstance(first, str):
                    raise malformed()  # a damaged page returns unrelated rows
                if isinstance(blob, int):
                    if word == first:
                        yield word, row, postings_in(blob - CHECK, word)
                    continue
                if (row, first) not in read:
                    read[row, first] = opened(blob, first)
                yield word, row, read[row, first]

    def with_prefix(self, prefix: str) -> list[str]:
        """Return the terms that start with *prefix*."""
        matching: set[str] = set()
        for row in self._large:
            for first, blob in self._db.execute(_WITH_PREFIX, (row, _after(prefix), row, prefix)):
                matching.update(opened(blob, first).with_prefix(prefix))
        return sorted(matching.union(*(segment.words(self._db).with_prefix(prefix) for segment in self._small)))


_SEGMENTS = """
SELECT s.rowid, s.many, s.total, coalesce(g.many, 0), coalesce(g.total, 0), s.words IS NOT NULL, g.alive
FROM segment s LEFT JOIN gone g ON g.segment = s.rowid WHERE s.field = ?"""


_LENGTH = f"CASE WHEN length(b.words) > {MAX_BLOCK + CHECK} THEN length(b.words) ELSE b.words END"
# The last block that starts before or with the term: an index lookup per term and segment.
_BLOCKS = """
WITH word(term) AS (VALUES {words}), of(segment) AS (VALUES {rows})
SELECT term, of.segment, b.segment, b.first, {column} FROM word CROSS JOIN of CROSS JOIN block b ON b.rowid = (
  SELECT rowid FROM block WHERE segment = of.segment AND first <= term ORDER BY first DESC LIMIT 1)"""
_WITH_PREFIX = """
SELECT first, words FROM block WHERE segment = ? AND first < ?
AND first >= coalesce((SELECT max(first) FROM block WHERE segment = ? AND first <= ?), '')"""


def decoded_postings(encoded: tuple[bytes, bytes], texts: int) -> PostingList:
    """Decode postings of a segment with *texts* texts."""
    positions, codes = encoded
    if len(codes) > texts or len(positions) != POSITION * len(codes):
        raise malformed()
    return little_endian(array("H", positions)), codes


def sealed(data: bytes | bytearray) -> bytes:
    """Return *data* followed by its checksum."""
    return bytes(data) + zlib.crc32(data).to_bytes(CHECK, "little")


def unsealed(blob: object) -> bytes:
    """Return the data of a sealed blob.

    Raises:
        sqlite3.DatabaseError: the checksum does not match.
    """
    if not isinstance(blob, bytes) or len(blob) < CHECK:
        raise malformed()
    if zlib.crc32(blob) != _CRC_RESIDUE:
        raise malformed()
    return blob[:-CHECK]


def opened(blob: object, first: str | None = None) -> PostingBlock:
    """Decode a sealed block, whose *first* term may be known."""
    block = decoded_block(unsealed(blob))
    if first is not None and not block.begins_with(first):
        raise malformed()
    return block


def malformed() -> sqlite3.DatabaseError:
    """Return the error for damaged postings."""
    return sqlite3.DatabaseError("malformed words")


# ---- a segment's terms as one blob -------------------------------------------------------------------------
# The number of terms (four bytes); where each term's postings end (four bytes each); all postings' positions (two
# bytes each), then their BM25 codes (one byte each); and the terms, one per line. A row per term would dominate the
# cost of writing.


class PostingBlock:
    """Sorted terms of a segment: where the postings of each end, and the positions and codes of all postings.

    The terms are given as such, or one per line and checked. They are looked up in the lines: splitting takes five
    times as long.
    """

    __slots__ = ("_lines", "_words", "codes", "ends", "positions")

    def __init__(self, words: Sequence[str] | bytes, ends: array[int], positions: bytes, codes: bytes) -> None:
        self.ends, self.positions, self.codes = ends, positions, codes
        self._lines = b"\n%b\n" % words if isinstance(words, bytes) else None
        self._words = None if isinstance(words, bytes) else words

    @property
    def words(self) -> Sequence[str]:
        """The terms."""
        if self._words is None:
            self._words = self._between()[1:-1].decode("utf-8", "surrogatepass").split("\n") if self.ends else []
        return self._words

    def _between(self) -> bytes:
        """Return the terms with a line end before and after each."""
        if self._lines is None:
            self._lines = b"\n%b\n" % "\n".join(self._words or ()).encode("utf-8", "surrogatepass")
        return self._lines

    def begins_with(self, word: str) -> bool:
        """Whether *word* is the first term."""
        return bool(self.ends) and self._between().startswith(b"\n%b\n" % word.encode("utf-8", "surrogatepass"))

    def postings(self, word: str) -> tuple[bytes, bytes]:
        """Return the positions and codes of *word*, empty if it does not occur."""
        lines = self._between()
        before = lines.find(b"\n%b\n" % word.encode("utf-8", "surrogatepass"))
        if before < 0 or not self.ends:
            return b"", b""
        at = lines.count(b"\n", 0, before)
        start, stop = self.ends[at - 1] if at else 0, self.ends[at]
        return self.positions[POSITION * start : POSITION * stop], self.codes[start:stop]

    def with_prefix(self, prefix: str) -> Sequence[str]:
        """Return the terms that start with *prefix*."""
        return self.words[bisect_left(self.words, prefix) : bisect_left(self.words, _after(prefix))]


def _after(prefix: str) -> str:
    """Return the first text behind all that start with *prefix*."""
    return prefix[:-1] + chr(ord(prefix[-1]) + 1)


def decoded_block(data: bytes) -> PostingBlock:
    """Decode the terms of a blob. Raises sqlite3.DatabaseError."""
    try:
        count = int.from_bytes(data[:NUMBER], "little")
        first = NUMBER * (count + 1)
        ends = little_endian(array("I", data[NUMBER:first]))
        total = ends[-1] if ends else 0
        middle, last = first + POSITION * total, first + POSTING * total
        lines = data[last:]
        if not lines.isascii():
            lines.decode("utf-8", "surrogatepass")
    except ValueError:
        raise malformed() from None
    block = PostingBlock(lines, ends, data[first:middle], data[middle:last])
    if len(data) < first or len(block.codes) != total or (count and lines.count(b"\n") != count - 1):
        raise malformed()
    return block


def encoded_block(block: PostingBlock, first: int = 0, last: int | None = None) -> bytes:
    """Encode the terms from *first* to before *last* as a blob."""
    words, ends = block.words[first:last], block.ends[first:last]
    start, stop = block.ends[first - 1] if first else 0, ends[-1] if ends else 0
    if start:
        ends = array("I", map(start.__rsub__, ends))
    head = len(words).to_bytes(NUMBER, "little") + little_endian(ends).tobytes()
    positions = block.positions[POSITION * start : POSITION * stop]
    return b"".join((head, positions, block.codes[start:stop], "\n".join(words).encode("utf-8", "surrogatepass")))


def block_size(word: str, postings: int) -> int:
    """Return the maximum number of bytes that a term takes in a blob."""
    return NUMBER + POSTING * postings + 1 + (len(word) if word.isascii() else 4 * len(word))


def postings_in(length: int, word: str) -> int:
    """Return the number of postings in a blob of *length* bytes that contains only *word*."""
    return (length - 2 * NUMBER - len(word.encode("utf-8", "surrogatepass"))) // POSTING


def little_endian(numbers: array[int]) -> array[int]:
    """Convert numbers between the machine's byte order and the blob's (little-endian)."""
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers
