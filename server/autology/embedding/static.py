"""The default encoder: a table with one vector a word, summed; no model, no native code."""

from __future__ import annotations

import json
import mmap
import os
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from operator import add

from autology.embedding.wordpiece import pieces, words
from autology.ranking.codes import row

MAGIC = b"autology-static 1\n"
"""How a table begins: a line with the version of the form, then a line of JSON, the words, the rows."""
SUMMED = 256
"""Words summed before the lanes are emptied: 256 times at most 255 fits in 16 bits."""
REMEMBERED = 8192
"""Words whose row is kept at hand, 600 bytes each: nine in ten of a large project's, and 5 MB."""

_SHIFT = 128  # a row's bytes are stored shifted by this, so that sums never borrow between lanes


class TableError(ValueError):
    """A table that cannot be used."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path} {reason}. Install Autology again: the table is part of it.")
        self.path = path
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Header:
    """What a table says of itself: *words* and *checksum* are of the bytes behind the header."""

    name: str
    model: str
    dims: int
    rows: int
    words: int
    checksum: int


class StaticEncoder:
    """An encoder over a table file; safe to use from one thread at a time."""

    def __init__(self, path: str = "") -> None:
        self.path = path or os.path.join(os.path.dirname(__file__), "static.bin")
        self._data = _mapped(self.path)
        self._header, start = _header(self.path, self._data)
        self._first = start + self._header.words
        if len(self._data) != self._first + self._header.rows * self._header.dims:
            raise TableError(self.path, "is cut short")
        listed = self._data[start : self._first].decode("ascii").split("\n")
        self._rows = dict(zip(listed, range(len(listed)), strict=True))
        self._ones = _widened(b"\1" * self.dims)
        self._nothing = self._ones * _SHIFT
        self._known = _Known(self)

    @property
    def name(self) -> str:
        """The table's name; it changes whenever any vector does."""
        return self._header.name

    @property
    def dims(self) -> int:
        """Coordinates, which are bytes, of a row."""
        return self._header.dims

    def encode(self, texts: Sequence[str]) -> list[bytes]:
        """Return a row for each of *texts*; all zeros for one without a word that the table knows."""
        return [self._encoded(text) for text in texts]

    def verify(self) -> None:
        """Read the whole table. Raises: TableError when it is not what was shipped."""
        if zlib.crc32(self._data[self._first - self._header.words :]) != self._header.checksum:
            raise TableError(self.path, "is damaged")

    def _encoded(self, text: str) -> bytes:
        found = words(text)
        vector = [0] * self.dims
        for at in range(0, len(found), SUMMED):
            some = found[at : at + SUMMED]
            lanes = sum(map(self._known.__getitem__, some)).to_bytes(2 * self.dims, "little")
            shift = _SHIFT * len(some)
            part = [lane - shift for lane in memoryview(lanes).cast("H")]
            vector = part if at == 0 else list(map(add, vector, part))
        return row(vector)

    def word(self, word: str) -> int:
        """Return what *word* adds to a text: one lane of 16 bits a coordinate, shifted by 128."""
        found = pieces(word, self._rows)
        if len(found) == 1:
            return self._lanes(found[0])
        if not found:
            return self._nothing
        # One shift of 128 too many for each further piece; 64 * 256 keeps every lane above zero meanwhile.
        total = sum(map(self._lanes, found)) + self._ones * (64 * 256 - _SHIFT * (len(found) - 1))
        packed = total.to_bytes(2 * self.dims, "little")
        if packed[1::2].count(64) == self.dims:
            return total - self._ones * (64 * 256)
        return _widened(bytes([max(0, min(255, lane - 64 * 256)) for lane in memoryview(packed).cast("H")]))

    def _lanes(self, number: int) -> int:
        at = self._first + number * self.dims
        return _widened(self._data[at : at + self.dims])


class _Known(dict[str, int]):
    """Word -> its lanes, made on first use; half are forgotten when there are too many."""

    def __init__(self, encoder: StaticEncoder) -> None:
        super().__init__()
        self._encoder = encoder

    def __missing__(self, word: str) -> int:
        if len(self) >= REMEMBERED:
            for late in list(self)[REMEMBERED // 2 :]:  # the words met first are the frequent ones
                del self[late]
        lanes = self[word] = self._encoder.word(word)
        return lanes


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
