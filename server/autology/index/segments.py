"""Writing the words of texts: as a segment for every transaction, segments put together as they become many.

A transaction that adds one note writes a single row, one that adds hundreds a row for every hundred of their words
(`block.py`). Eight segments of a size become one of the next, so that a question looks into few of them and a text is
written again once in eight times as many.
"""

from __future__ import annotations

import sqlite3
import sys
from array import array
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, compress

from autology.index import block
from autology.index.postings import BODY, TITLE, WHOLE, malformed, opened, sealed, unsealed
from autology.ranking import bm25

FULL = 4_096
"""Texts of one segment that a transaction writes: 40,000 different words and 10 MB of memory."""
SMALL = 64
"""Texts below which all words of a segment are in its own row: to read them takes 50 us, and that once a process."""
MOST = 1 << 16
"""Texts of any segment: a position has two bytes."""
TOGETHER = 8
"""Segments of a size that become one."""
QUICKLY, MANY = 4_096, 500
"""Texts that a transaction puts together at most, in 0.1 s, unless it adds *MANY* itself and so takes longer anyway."""
STALE = 0.25
"""Share of texts that are gone from which a segment is written anew."""


@dataclass(frozen=True, slots=True)
class Listed:
    """Words in order, where the places of each end, and of all places the positions and the bytes (`block.py`)."""

    words: Sequence[str]
    ends: array[int]
    positions: bytes
    codes: bytes

    def part(self, first: int, last: int) -> bytes:
        """Return the words from the *first* to before the *last* as a blob."""
        start, stop = self.ends[first - 1] if first else 0, self.ends[last - 1] if last else 0
        ends = array("I", map(start.__rsub__, self.ends[first:last])) if start else self.ends[first:last]
        places = (self.positions[block.POSITION * start : block.POSITION * stop], self.codes[start:stop])
        return block.written(self.words[first:last], ends, *places)

    def blocks(self) -> Iterator[tuple[str, bytes]]:
        """Yield the words in blobs, each with its first word: several words as far as WHOLE, or one alone."""
        first = size = before = 0
        for at, (word, end) in enumerate(zip(self.words, self.ends, strict=True)):
            more = block.size(word, end - before)
            if at > first and size + more > WHOLE - block.NUMBER:
                yield self.words[first], self.part(first, at)
                first, size = at, 0
            size += more
            before = end
        if self.words:
            yield self.words[first], self.part(first, len(self.words))


class _Often(dict[float, int]):
    """Which of `_BITS` are those of how often a word stands in a text; what is past them all counts as the most."""

    def __missing__(self, times: float) -> int:
        return _BITS.index(bm25.MOST_TIMES)


_BITS = tuple(times << 5 for times in range(8))
_SCALES = {BODY: bm25.PASSAGES, TITLE: bm25.TITLES}
_OFTEN = {
    field: _Often((times, _BITS.index(bits)) for times, bits in bm25.times_bits(scale).items())
    for field, scale in _SCALES.items()
}


class Fresh:
    """The words of texts of one field and kind that are still to be written."""

    def __init__(self, field: str, kind: str) -> None:
        self.texts, self._sources, self._lengths, self._projects = (array("I") for _ in range(4))
        self._where = (field, kind)
        self._often, self._sizes = _OFTEN[field], bm25.length_bits(_SCALES[field])
        # The places of every word, each a position and a byte in one number.
        self._held: defaultdict[str, list[int]] = defaultdict(list)

    def add(self, text: int, source: int, words: Mapping[str, float], length: int, project: int) -> None:
        """Take in a text with its words, each with how often it stands there."""
        sizes = self._sizes
        place = len(self.texts) << 8 | sizes[min(length, len(sizes) - 1)]
        codes = tuple(map(place.__or__, _BITS))
        places = map(codes.__getitem__, map(self._often.__getitem__, words.values()))
        self.texts.append(text)
        self._sources.append(source)
        self._lengths.append(length)
        self._projects.append(project)
        # As a loop of Python this would be a tenth of all that indexing takes.
        deque(map(list.append, map(self._held.__getitem__, words), places), maxlen=0)

    def write(self, db: sqlite3.Connection) -> None:
        """Write what was taken in as a segment."""
        about = (self.texts, self._sources, self._lengths, self._projects)
        _write(db, self._where, about, _listed(self._held))


class Segments:
    """The words that one transaction adds and takes away; :meth:`settle` ends it."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._fresh: dict[tuple[str, str], Fresh] = {}
        self._gone: dict[str, list[int]] = {BODY: [], TITLE: []}
        self._added = 0

    def add(
        self, where: tuple[str, str], text: int, source: int, words: Mapping[str, float], length: int, project: int
    ) -> None:
        """Add a text of that field and kind: its source, its words with how often they stand there, its length."""
        fresh = self._fresh.get(where)
        if fresh is None:
            fresh = self._fresh[where] = Fresh(*where)
        fresh.add(text, source, words, length, project)
        self._added += 1
        if len(fresh.texts) >= FULL:
            self._fresh.pop(where).write(self._db)

    def drop(self, name: str, texts: Iterable[int]) -> None:
        """Take away texts of that field."""
        self._gone[name] += texts

    def settle(self) -> None:
        """Write all that there is to be written."""
        for fresh in self._fresh.values():
            fresh.write(self._db)
        self._fresh.clear()
        for name, texts in self._gone.items():
            if texts:
                _mask(self._db, name, set(texts))
                texts.clear()
        _tidy(self._db, MOST if self._added >= MANY else QUICKLY)


def _write(db: sqlite3.Connection, where: tuple[str, str], about: Sequence[array[int]], listed: Listed) -> int:
    """Write a segment; return its row."""
    texts, _, lengths, _ = about
    words = sealed(listed.part(0, len(listed.words))) if len(texts) < SMALL else None
    blobs = [sealed(each.tobytes()) for each in about]
    values = (*where, len(texts), sum(lengths), min(texts), max(texts), *blobs, words)
    ask = "INSERT INTO segment(field, kind, many, total, least, last, texts, sources, lengths, projects, words) VALUES "
    row = db.execute(f"{ask}(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", values).lastrowid
    assert row is not None
    if words is None:
        rows = ((row, first, sealed(blob)) for first, blob in listed.blocks())
        db.executemany("INSERT INTO block(segment, first, words) VALUES (?, ?, ?)", rows)
    return row


def _listed(held: Mapping[str, Sequence[int]]) -> Listed:
    """Return words with their places, each a position and a byte in one number, in order."""
    words = sorted(held)
    every = array("I", chain.from_iterable(map(held.__getitem__, words)))
    if sys.byteorder == "big":
        every.byteswap()
    data = every.tobytes()
    positions = bytearray(len(data) // 2)
    positions[::2], positions[1::2] = data[1::4], data[2::4]
    ends = array("I", accumulate(map(len, map(held.__getitem__, words))))
    return Listed(words, ends, bytes(positions), data[::4])


def _mask(db: sqlite3.Connection, name: str, texts: set[int]) -> None:
    """Take *texts* of that field for gone, wherever they are."""
    ask = """SELECT s.rowid, s.many, s.texts, s.lengths, g.many, g.total, g.alive FROM segment s
        LEFT JOIN gone g ON g.segment = s.rowid WHERE s.field = ? AND s.least <= ? AND s.last >= ?"""
    for row, many, blob, sizes, gone, lost, alive in db.execute(ask, (name, max(texts), min(texts))).fetchall():
        here, lengths = array("I", unsealed(blob)), array("I", unsealed(sizes))
        at = [position for position, text in enumerate(here) if text in texts]
        mask = bytearray(unsealed(alive) if alive else b"\1" * many)
        if len(here) != many or len(lengths) != many or len(mask) != many:
            raise malformed()
        at = [position for position in at if mask[position]]
        for position in at:
            mask[position] = 0
        if at:
            less = sum(map(lengths.__getitem__, at))
            values = (row, (gone or 0) + len(at), (lost or 0) + less, sealed(bytes(mask)))
            db.execute("INSERT OR REPLACE INTO gone VALUES (?, ?, ?, ?)", values)


def tidied(db: sqlite3.Connection) -> bool:
    """Put some segments together, which small transactions left apart; return whether there were any."""
    for where, by_size in _by_size(db).items():
        for alike in by_size.values():
            if some := _together(alike, MOST):
                _merge(db, where, [row for row, _ in some])
                return True
    return False


def _tidy(db: sqlite3.Connection, most: int) -> None:
    """Put segments together that are many of a size, and write those anew of which much is gone, up to *most* texts."""
    for where, by_size in _by_size(db, most).items():
        for size in range(_size(MOST) + 1):  # what is put together mostly belongs to the next size
            while some := _together(by_size[size], most):
                merged, left = _merge(db, where, [row for row, _ in some])
                by_size[size] = [each for each in by_size[size] if each not in some]
                by_size[_size(left)].append((merged, left))


def _by_size(db: sqlite3.Connection, most: int = 0) -> dict[tuple[str, str], dict[int, list[tuple[int, int]]]]:
    """Return the segments of each kind by their size, with what is left of them; writes anew up to *most* texts."""
    ask = """SELECT s.field, s.kind, s.rowid, s.many, coalesce(g.many, 0) FROM segment s
        LEFT JOIN gone g ON g.segment = s.rowid ORDER BY s.rowid"""
    sizes: dict[tuple[str, str], dict[int, list[tuple[int, int]]]] = defaultdict(lambda: defaultdict(list))
    for name, kind, row, many, gone in db.execute(ask).fetchall():
        left = many - gone
        if not left:
            _remove(db, row)
        elif gone > STALE * many and left <= most:
            merged, left = _merge(db, (name, kind), [row])
            sizes[name, kind][_size(left)].append((merged, left))
        else:
            sizes[name, kind][_size(left)].append((row, left))
    return sizes


def _together(alike: Sequence[tuple[int, int]], most: int) -> list[tuple[int, int]]:
    """Return those of segments *alike* in size, with their texts, that are to become one of at most *most* texts.

    Where all together would be too large, it is the smallest of them: else they would stay apart, and every one that
    came to them too.
    """
    some: list[tuple[int, int]] = []
    if len(alike) >= TOGETHER:
        for row, left in sorted(alike, key=lambda each: each[1]):
            most -= left
            if most < 0:
                break
            some.append((row, left))
    return sorted(some) if len(some) > 1 else []


def _size(texts: int) -> int:
    return (texts.bit_length() - 1) // 3


def _merge(db: sqlite3.Connection, where: tuple[str, str], rows: Sequence[int]) -> tuple[int, int]:
    """Make one segment of those in *rows*, without what is gone; return its row and its texts."""
    about = [array("I") for _ in range(4)]
    held: dict[str, list[tuple[bytes, bytes]]] = defaultdict(list)
    for row in rows:
        blobs, alive = _parts(db, row)
        moved, next_ = array("H", bytes(2 * len(alive))), len(about[0])
        for position in compress(range(len(alive)), alive):
            moved[position] = next_
            next_ += 1
        for whole, part in zip(about, blobs, strict=True):
            whole.extend(compress(part, alive))
        for word, positions, codes in _moved(_rows(db, row), moved, alive):
            held[word].append((positions, codes))
    made = _write(db, where, about, _joined(held))
    for row in rows:
        _remove(db, row)
    return made, len(about[0])


def _moved(listed: Listed, moved: array[int], alive: bytes) -> Iterator[tuple[str, bytes, bytes]]:
    """Yield the words of a segment with their places: positions, brought to where *moved* says, and bytes."""
    # All at once: most words stand in one text, and a step of Python for each would be most of the work.
    every = block.turned(array("H", listed.positions))
    if max(every, default=0) >= len(alive):
        raise malformed()
    ends, codes = listed.ends, listed.codes
    places: Iterable[int] = map(moved.__getitem__, every)
    if 0 in alive:
        keep = bytes(map(alive.__getitem__, every))
        places, codes = compress(places, keep), bytes(compress(codes, keep))
        left = [0, *accumulate(keep)]
        ends = array("I", map(left.__getitem__, ends))
    data, start = block.turned(array("H", places)).tobytes(), 0
    for word, stop in zip(listed.words, ends, strict=True):
        if stop > start:
            yield word, data[2 * start : 2 * stop], codes[start:stop]
        start = stop


def _rows(db: sqlite3.Connection, row: int) -> Listed:
    """Return the words of a segment with their places."""
    (words,) = db.execute("SELECT words FROM segment WHERE rowid = ?", (row,)).fetchone()
    if words is not None:
        blocks = [opened(words)]
    else:
        rows = db.execute("SELECT first, words FROM block WHERE segment = ? ORDER BY first", (row,))
        blocks = [opened(blob, first) for first, blob in rows]
    ends, before = array("I"), 0
    for each in blocks:
        ends.extend(map(before.__add__, each.ends))
        before = ends[-1] if ends else 0
    every = [word for each in blocks for word in each.words]
    return Listed(every, ends, b"".join(each.positions for each in blocks), b"".join(each.codes for each in blocks))


def _joined(held: Mapping[str, Sequence[tuple[bytes, bytes]]]) -> Listed:
    """Return words in order, with the places of each together."""
    words = sorted(held)
    positions = [part for word in words for part, _ in held[word]]
    codes = [b"".join([part for _, part in held[word]]) for word in words]
    return Listed(words, array("I", accumulate(map(len, codes))), b"".join(positions), b"".join(codes))


def _parts(db: sqlite3.Connection, row: int) -> tuple[list[array[int]], bytes]:
    """Return texts, their sources, lengths and projects of a segment, and which of them are still there."""
    ask = """SELECT s.many, g.alive, s.texts, s.sources, s.lengths, s.projects FROM segment s
        LEFT JOIN gone g ON g.segment = s.rowid WHERE s.rowid = ?"""
    many, alive, *blobs = db.execute(ask, (row,)).fetchone()
    arrays = [array("I", unsealed(blob)) for blob in blobs]
    mask = unsealed(alive) if alive else b"\1" * many
    if any(len(each) != len(mask) for each in arrays):
        raise malformed()
    return arrays, mask


def _remove(db: sqlite3.Connection, row: int) -> None:
    for table, column in (("block", "segment"), ("gone", "segment"), ("segment", "rowid")):
        db.execute(f"DELETE FROM {table} WHERE {column} = ?", (row,))
