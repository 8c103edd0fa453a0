"""The default encoder: a table with one vector a word, summed; no model, no native code."""

from __future__ import annotations

import json
import mmap
import os
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from operator import add

from autology.embedding.wordpiece import pieces, words
from autology.ranking.codes import row
from autology.ranking.feedback import SHARE
from autology.ranking.fuse import MEANING

MAGIC = b"autology-static\0 1\n"
"""How a table begins: a line with the version of the form, then a line of JSON, the words, the rows.

The zero tells version control that the file is no text, so that no line ending in it is ever changed.
"""
MOST = 63
"""The largest number in a row, which six bits and a sign hold: eight bits found nothing more."""
SHIFT = 64
"""A row's numbers are stored with this added, so that sums never borrow between lanes."""
SUMMED = 256
"""Words summed at once: 2 * 256 times at most 127 fits in a lane of 16 bits. A passage has about 200."""
REMEMBERED = 8192
"""Words whose row is kept at hand, 600 bytes each: nine in ten of a large project's, and 5 MB."""
PIECES = 4096
"""Rows of the table kept at hand beside them, 600 bytes each: words that it lacks are made of few pieces."""

_BITS = 14
_CLEAR = 1 << _BITS
"""What a lane is raised by while it may be below zero; SUMMED pieces stay far from it."""
# A word counts by the square root of how often it stands in a text, here twice that, in whole numbers.
_WEIGHT = [round(2 * times**0.5) for times in range(SUMMED + 1)]


class TableError(ValueError):
    """A table that cannot be used."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path} {reason}. Install Autology again: the table is part of it.")
        self.path = path
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Header:
    """What a table says of itself: *words* is the bytes of its words, *checksum* of all behind the header."""

    name: str
    model: str
    dims: int
    rows: int
    words: int
    checksum: int


class StaticEncoder:
    """An encoder over a table file; threads may share it."""

    share = MEANING
    moves = SHARE

    def __init__(self, path: str = "") -> None:
        self.path = path or os.path.join(os.path.dirname(__file__), "static.bin")
        self._data = _mapped(self.path)
        self._header, start = _header(self.path, self._data)
        self._first = start + self._header.words
        if len(self._data) != self._first + self._header.rows * self._header.dims:
            raise TableError(self.path, "is cut short")
        listed = self._data[start : self._first].decode("ascii").split("\n")
        self._rows = dict(zip(listed, range(len(listed)), strict=True))
        self.dims = self._header.dims
        """Coordinates, which are bytes, of a row."""
        self._ones = _widened(b"\1" * self.dims)
        self._nothing = self._ones * SHIFT
        self._known = _Known(self)
        self._pieces: dict[int, int] = {}

    @property
    def name(self) -> str:
        """The table's name; it changes whenever any vector does."""
        return self._header.name

    def encode(self, texts: Sequence[str]) -> list[bytes]:
        """Return a row for each of *texts*; all zeros for one without a word that the table knows."""
        return [self._encoded(text) for text in texts]

    def verify(self) -> None:
        """Read the whole table. Raises: TableError when it is not what was shipped."""
        if zlib.crc32(self._data[self._first - self._header.words :]) != self._header.checksum:
            raise TableError(self.path, "is damaged")

    def word(self, word: str) -> int:
        """Return what *word* adds to a text: one lane of 16 bits a coordinate, shifted by SHIFT."""
        found = pieces(word, self._rows)
        if len(found) == 1:
            return self._lanes(found[0])
        if not found:
            return self._nothing
        # Each further piece brings one shift too many; _CLEAR keeps every lane above zero meanwhile.
        return self._within(sum(map(self._lanes, found)) + self._ones * (_CLEAR - SHIFT * (len(found) - 1)))

    def _within(self, lanes: int) -> int:
        """Return *lanes*, each with _CLEAR added, without that and brought to within 0 to 127: all lanes at once."""
        ones = self._ones
        above = lanes & (lanes >> _BITS & ones) * (_CLEAR - 1)  # 0 in lanes that lost the bit of _CLEAR
        beyond = (above + ones * (_CLEAR - 128)) >> _BITS & ones  # 1 in lanes of 128 and more
        return above & ~(beyond * (_CLEAR - 1)) | beyond * 127

    def _encoded(self, text: str) -> bytes:
        found = words(text)
        vector = self._summed(found[:SUMMED])
        for at in range(SUMMED, len(found), SUMMED):
            vector = list(map(add, vector, self._summed(found[at : at + SUMMED])))
        return row(vector)

    def _summed(self, found: list[str]) -> list[int]:
        known = self._known
        total = weights = 0
        for times, some in _by_times(found).items():
            # Together, and weighed once: most words stand once in a text.
            total += sum(map(known.__getitem__, some)) * _WEIGHT[times]
            weights += _WEIGHT[times] * len(some)
        shift = SHIFT * weights
        return [lane - shift for lane in memoryview(total.to_bytes(2 * self.dims, "little")).cast("H")]

    def _lanes(self, number: int) -> int:
        lanes = self._pieces.get(number)
        if lanes is None:
            if len(self._pieces) >= PIECES:
                self._pieces.clear()
            at = self._first + number * self.dims
            lanes = self._pieces[number] = _widened(self._data[at : at + self.dims])
        return lanes


class _Known(dict[str, int]):
    """Word -> its lanes, made on first use; half are forgotten when there are too many."""

    def __init__(self, encoder: StaticEncoder) -> None:
        super().__init__()
        self._encoder = encoder

    def __missing__(self, word: str) -> int:
        if len(self) >= REMEMBERED:
            for late in list(self)[REMEMBERED // 2 :]:  # the words met first are the frequent ones
                self.pop(late, None)  # another thread may forget at the same time
        lanes = self[word] = self._encoder.word(word)
        return lanes


def _by_times(found: Sequence[str]) -> dict[int, list[str]]:
    """Return words by how often each is among those *found*."""
    by_times: dict[int, list[str]] = {}
    for word, times in Counter(found).items():
        if times in by_times:
            by_times[times].append(word)
        else:
            by_times[times] = [word]
    return by_times


def _widened(shifted: bytes) -> int:
    """Return bytes as lanes of 16 bits."""
    lanes = bytearray(2 * len(shifted))
    lanes[::2] = shifted
    return int.from_bytes(lanes, "little")


def _mapped(path: str) -> mmap.mmap:
    try:
        with open(path, "rb") as file:
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError) as error:
        raise TableError(path, f"cannot be read: {error}") from error


def _header(path: str, data: mmap.mmap) -> tuple[Header, int]:
    """Return the header and where the words begin."""
    if data[: len(MAGIC)] != MAGIC:
        raise TableError(path, "is not a table of this version")
    stop = data.find(b"\n", len(MAGIC))
    try:
        return Header(**json.loads(data[len(MAGIC) : stop])), stop + 1
    except (ValueError, TypeError) as error:
        raise TableError(path, "has a header that cannot be read") from error
