"""Writing posting lists: a segment per transaction, merged as segments become many (a log-structured merge).

A transaction that adds one note writes a single row; one that adds hundreds writes a row per hundred terms
(`postings.py`). Eight segments of one size class are merged into one of the next, so that a query reads few segments
and a text is rewritten once per eightfold growth.
"""

from __future__ import annotations

import sqlite3
import sys
from array import array
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, chain, compress

from autology.index.text.postings import (
    BODY,
    MAX_BLOCK,
    NUMBER,
    TITLE,
    PostingBlock,
    block_size,
    encoded_block,
    little_endian,
    malformed,
    opened,
    sealed,
    unsealed,
)
from autology.ranking import bm25

MAX_NEW_TEXTS = 4_096
"""Maximum texts per segment written by a transaction: 40,000 distinct terms and 10 MB of memory."""
SMALL_SEGMENT = 64
"""Segments with fewer texts keep all terms in their own row, which is read in 50 us, once per process."""
MAX_TEXTS = 1 << 16
"""Maximum texts of a segment: a position has two bytes."""
MERGE_FACTOR = 8
"""Segments of a size class that are merged."""
MERGE_LIMIT, LARGE_TRANSACTION = 4_096, 500
"""Maximum texts a transaction merges, in 0.1 s, unless it adds LARGE_TRANSACTION itself and takes longer anyway."""
STALE_SHARE = 0.25
"""Share of deleted texts from which a segment is rewritten."""


def _blobs(block: PostingBlock) -> Iterator[tuple[str, bytes]]:
    """Yield the terms as blobs with their first term: several terms up to MAX_BLOCK bytes, or a single one."""
    words, first, size, before = block.words, 0, 0, 0
    for index, (word, end) in enumerate(zip(words, block.ends, strict=True)):
        term_size = block_size(word, end - before)
        if index > first and size + term_size > MAX_BLOCK - NUMBER:
            yield words[first], encoded_block(block, first, index)
            first, size = index, 0
        size += term_size
        before = end
    if words:
        yield words[first], encoded_block(block, first)


class _FrequencyBits(dict[float, int]):
    """Maps a term frequency to its index in `_BITS`; higher ones count as the highest."""

    def __missing__(self, times: float) -> int:
        return _BITS.index(bm25.MOST_TIMES)


_BITS = tuple(times << 5 for times in range(8))
_SCALES = {BODY: bm25.PASSAGES, TITLE: bm25.TITLES}
_FREQUENCY_BITS = {
    field: _FrequencyBits((times, _BITS.index(bits)) for times, bits in bm25.times_bits(scale).items())
    for field, scale in _SCALES.items()
}


class SegmentBuffer:
    """Collects the postings of new texts of one field and kind."""

    def __init__(self, field: str, kind: str) -> None:
        self.texts, self._sources, self._lengths, self._projects = (array("I") for _ in range(4))
        self._where = (field, kind)
        self._frequency_bits, self._sizes = _FREQUENCY_BITS[field], bm25.length_bits(_SCALES[field])
        # The postings of every term, position and code packed into one number.
        self._postings: defaultdict[str, list[int]] = defaultdict(list)

    def add(self, text: int, source: int, words: Mapping[str, float], length: int, project: int) -> None:
        """Add a text with its terms and their frequencies."""
        sizes = self._sizes
        posting = len(self.texts) << 8 | sizes[min(length, len(sizes) - 1)]
        codes = tuple(map(posting.__or__, _BITS))
        packed = map(codes.__getitem__, map(self._frequency_bits.__getitem__, words.values()))
        self.texts.append(text)
        self._sources.append(source)
        self._lengths.append(length)
        self._projects.append(project)
        # A Python loop here would take a tenth of all indexing time.
        deque(map(list.append, map(self._postings.__getitem__, words), packed), maxlen=0)

    def write(self, db: sqlite3.Connection) -> None:
        """Write the collected postings as a segment."""
        about = (self.texts, self._sources, self._lengths, self._projects)
        _write(db, self._where, about, _sorted_terms(self._postings))


class Segments:
    """The texts that one transaction adds and deletes; :meth:`settle` writes them."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._fresh: dict[tuple[str, str], SegmentBuffer] = {}
        self._gone: dict[str, list[int]] = {BODY: [], TITLE: []}
        self._added = 0

    def add(
        self, where: tuple[str, str], text: int, source: int, words: Mapping[str, float], length: int, project: int
    ) -> None:
        """Add a text of that field and kind: its source, its terms with frequencies, its length."""
        fresh = self._fresh.get(where)
        if fresh is None:
            fresh = self._fresh[where] = SegmentBuffer(*where)
        fresh.add(text, source, words, length, project)
        self._added += 1
        if len(fresh.texts) >= MAX_NEW_TEXTS:
            self._fresh.pop(where).write(self._db)

    def drop(self, name: str, texts: Iterable[int]) -> None:
        """Delete texts of that field."""
        self._gone[name] += texts

    def settle(self) -> None:
        """Write everything that is pending."""
        for fresh in self._fresh.values():
            fresh.write(self._db)
        self._fresh.clear()
        for name, texts in self._gone.items():
            if texts:
                _mask(self._db, name, set(texts))
                texts.clear()
        _merge_full_classes(self._db, MAX_TEXTS if self._added >= LARGE_TRANSACTION else MERGE_LIMIT)


def _write(db: sqlite3.Connection, where: tuple[str, str], about: Sequence[array[int]], block: PostingBlock) -> int:
    """Write a segment; return its row."""
    texts, _, lengths, _ = about
    words = sealed(encoded_block(block)) if len(texts) < SMALL_SEGMENT else None
    blobs = [sealed(column.tobytes()) for column in about]
    values = (*where, len(texts), sum(lengths), min(texts), max(texts), *blobs, words)
    sql = "INSERT INTO segment(field, kind, many, total, least, last, texts, sources, lengths, projects, words) VALUES "
    row = db.execute(f"{sql}(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", values).lastrowid
    assert row is not None
    if words is None:
        rows = ((row, first, sealed(blob)) for first, blob in _blobs(block))
        db.executemany("INSERT INTO block(segment, first, words) VALUES (?, ?, ?)", rows)
    return row


def _sorted_terms(postings: Mapping[str, Sequence[int]]) -> PostingBlock:
    """Sort terms and unpack their postings, each a position and a code in one number."""
    words = sorted(postings)
    packed = array("I", chain.from_iterable(map(postings.__getitem__, words)))
    if sys.byteorder == "big":
        packed.byteswap()
    data = packed.tobytes()
    positions = bytearray(len(data) // 2)
    positions[::2], positions[1::2] = data[1::4], data[2::4]
    ends = array("I", accumulate(map(len, map(postings.__getitem__, words))))
    return PostingBlock(words, ends, bytes(positions), data[::4])


def _mask(db: sqlite3.Connection, name: str, texts: set[int]) -> None:
    """Mark *texts* of that field as deleted."""
    sql = """SELECT s.rowid, s.many, s.texts, s.lengths, g.many, g.total, g.alive FROM segment s
        LEFT JOIN gone g ON g.segment = s.rowid WHERE s.field = ? AND s.least <= ? AND s.last >= ?"""
    for row, count, blob, sizes, deleted, deleted_length, alive in db.execute(
        sql, (name, max(texts), min(texts))
    ).fetchall():
        texts_here, lengths = array("I", unsealed(blob)), array("I", unsealed(sizes))
        positions = [position for position, text in enumerate(texts_here) if text in texts]
        mask = bytearray(unsealed(alive) if alive else b"\1" * count)
        if len(texts_here) != count or len(lengths) != count or len(mask) != count:
            raise malformed()
        positions = [position for position in positions if mask[position]]
        for position in positions:
            mask[position] = 0
        if positions:
            length = sum(map(lengths.__getitem__, positions))
            values = (row, (deleted or 0) + len(positions), (deleted_length or 0) + length, sealed(bytes(mask)))
            db.execute("INSERT OR REPLACE INTO gone VALUES (?, ?, ?, ?)", values)


def tidied(db: sqlite3.Connection) -> bool:
    """Merge one group of small segments; return whether there was one."""
    for where, by_size in _by_size(db).items():
        for same_size in by_size.values():
            if group := _merge_group(same_size, MAX_TEXTS):
                _merge(db, where, [row for row, _ in group])
                return True
    return False


def _merge_full_classes(db: sqlite3.Connection, limit: int) -> None:
    """Merge size classes that are full, and rewrite segments with many deletions, up to *limit* texts."""
    for where, by_size in _by_size(db, limit).items():
        for size in range(_size(MAX_TEXTS) + 1):  # merging mostly yields a segment of the next class
            while group := _merge_group(by_size[size], limit):
                merged, live = _merge(db, where, [row for row, _ in group])
                by_size[size] = [entry for entry in by_size[size] if entry not in group]
                by_size[_size(live)].append((merged, live))


def _by_size(db: sqlite3.Connection, limit: int = 0) -> dict[tuple[str, str], dict[int, list[tuple[int, int]]]]:
    """Return the segments of each kind by size class, with their live texts; rewrite stale ones up to *limit* texts."""
    sql = """SELECT s.field, s.kind, s.rowid, s.many, coalesce(g.many, 0) FROM segment s
        LEFT JOIN gone g ON g.segment = s.rowid ORDER BY s.rowid"""
    sizes: dict[tuple[str, str], dict[int, list[tuple[int, int]]]] = defaultdict(lambda: defaultdict(list))
    for name, kind, row, count, deleted in db.execute(sql).fetchall():
        live = count - deleted
        if not live:
            _remove(db, row)
        elif deleted > STALE_SHARE * count and live <= limit:
            merged, live = _merge(db, (name, kind), [row])
            sizes[name, kind][_size(live)].append((merged, live))
        else:
            sizes[name, kind][_size(live)].append((row, live))
    return sizes


def _merge_group(same_size: Sequence[tuple[int, int]], limit: int) -> list[tuple[int, int]]:
    """Return those of *same_size*, segments of one size class, to merge into one of at most *limit* texts.

    If all of them would be too large, the smallest ones: otherwise none would ever be merged, and new ones would
    pile up too."""
    chosen: list[tuple[int, int]] = []
    if len(same_size) >= MERGE_FACTOR:
        for row, live in sorted(same_size, key=lambda entry: entry[1]):
            limit -= live
            if limit < 0:
                break
            chosen.append((row, live))
    return sorted(chosen) if len(chosen) > 1 else []


def _size(texts: int) -> int:
    return (texts.bit_length() - 1) // 3


def _merge(db: sqlite3.Connection, where: tuple[str, str], rows: Sequence[int]) -> tuple[int, int]:
    """Merge the segments *rows* without their deleted texts; return the new row and its number of texts."""
    about = [array("I") for _ in range(4)]
    postings: dict[str, list[tuple[bytes, bytes]]] = defaultdict(list)
    for row in rows:
        blobs, alive = _parts(db, row)
        new_positions, next_ = array("H", bytes(2 * len(alive))), len(about[0])
        for position in compress(range(len(alive)), alive):
            new_positions[position] = next_
            next_ += 1
        for column, part in zip(about, blobs, strict=True):
            column.extend(compress(part, alive))
        for word, positions, codes in _moved(_rows(db, row), new_positions, alive):
            postings[word].append((positions, codes))
    merged = _write(db, where, about, _joined(postings))
    for row in rows:
        _remove(db, row)
    return merged, len(about[0])


def _moved(block: PostingBlock, new_positions: array[int], alive: bytes) -> Iterator[tuple[str, bytes, bytes]]:
    """Yield the terms of a segment with their postings, positions mapped through *new_positions*."""
    # In bulk: most terms occur in one text, and a Python step per term would dominate.
    positions = little_endian(array("H", block.positions))
    if max(positions, default=0) >= len(alive):
        raise malformed()
    ends, codes = block.ends, block.codes
    places: Iterable[int] = map(new_positions.__getitem__, positions)
    if 0 in alive:
        keep = bytes(map(alive.__getitem__, positions))
        places, codes = compress(places, keep), bytes(compress(codes, keep))
        live_before = [0, *accumulate(keep)]
        ends = array("I", map(live_before.__getitem__, ends))
    data, start = little_endian(array("H", places)).tobytes(), 0
    for word, stop in zip(block.words, ends, strict=True):
        if stop > start:
            yield word, data[2 * start : 2 * stop], codes[start:stop]
        start = stop


def _rows(db: sqlite3.Connection, row: int) -> PostingBlock:
    """Return the terms of a segment with their postings."""
    (words,) = db.execute("SELECT words FROM segment WHERE rowid = ?", (row,)).fetchone()
    if words is not None:
        blocks = [opened(words)]
    else:
        rows = db.execute("SELECT first, words FROM block WHERE segment = ? ORDER BY first", (row,))
        blocks = [opened(blob, first) for first, blob in rows]
    ends, before = array("I"), 0
    for part in blocks:
        ends.extend(map(before.__add__, part.ends))
        before = ends[-1] if ends else 0
    terms = [word for part in blocks for word in part.words]
    return PostingBlock(
        terms, ends, b"".join(part.positions for part in blocks), b"".join(part.codes for part in blocks)
    )


def _joined(postings: Mapping[str, Sequence[tuple[bytes, bytes]]]) -> PostingBlock:
    """Concatenate the postings of each term, in sorted order."""
    words = sorted(postings)
    positions = [part for word in words for part, _ in postings[word]]
    codes = [b"".join([part for _, part in postings[word]]) for word in words]
    return PostingBlock(words, array("I", accumulate(map(len, codes))), b"".join(positions), b"".join(codes))


def _parts(db: sqlite3.Connection, row: int) -> tuple[list[array[int]], bytes]:
    """Return the texts, sources, lengths and projects of a segment, and its mask of live texts."""
    sql = """SELECT s.many, g.alive, s.texts, s.sources, s.lengths, s.projects FROM segment s
        LEFT JOIN gone g ON g.segment = s.rowid WHERE s.rowid = ?"""
    count, alive, *blobs = db.execute(sql, (row,)).fetchone()
    arrays = [array("I", unsealed(blob)) for blob in blobs]
    mask = unsealed(alive) if alive else b"\1" * count
    if any(len(column) != len(mask) for column in arrays):
        raise malformed()
    return arrays, mask


def _remove(db: sqlite3.Connection, row: int) -> None:
    for table, column in (("block", "segment"), ("gone", "segment"), ("segment", "rowid")):
        db.execute(f"DELETE FROM {table} WHERE {column} = ?", (row,))
