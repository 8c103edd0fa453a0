"""The default encoder: static embeddings, one vector per word piece, summed; pure Python, no model."""

from __future__ import annotations

import json
import mmap
import os
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from autology.embedding.wordpiece import pieces, words
from autology.ranking import quantized_vectors
from autology.ranking.fusion import SEMANTIC_SHARE
from autology.ranking.relevance_feedback import SHARE

MAGIC = b"autology-static\0 1\n"
"""The first line of a table, with the format version; a JSON header, the words and the vectors follow.

The zero byte makes version control treat the file as binary, so that line endings stay intact.
"""
MOST = 63
"""The largest value in a vector, six bits and a sign: eight bits gained nothing."""
SHIFT = 64
"""Offset of the stored values, so that sums never borrow between lanes."""
SUMMED = 256
"""Words summed at once: 2 * 256 times at most 127 fits in a lane of 16 bits. A passage has about 200."""
REMEMBERED = 16_384
"""Words whose vector is cached, of 600 bytes; words of one row share it. With half as many, and half of PIECES, vectors
of 2,000 notes take a quarter more time; with twice as many, as much."""
PIECES = 8192
"""Table rows cached, 600 bytes each, 5 MB: words missing from the table consist of few distinct pieces."""

_BITS = 14
_CLEAR = 1 << _BITS
"""Bias of a lane that may become negative; SUMMED pieces stay far below it."""
# A word's weight is the square root of its frequency in a text, doubled and rounded.
_WEIGHT = [round(2 * times**0.5) for times in range(SUMMED + 1)]
_ONCE = tuple(_WEIGHT[1] * (value - SHIFT) for value in range(256))
"""What each value of a lane means in a text of one word."""


class TableError(ValueError):
    """Raised for an unusable table."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path} {reason}. Install Autology again: the table is part of it.")
        self.path = path
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Header:
    """The header of a table: *words* is the length of the word list in bytes, *checksum* covers the rest."""

    name: str
    model: str
    dims: int
    rows: int
    words: int
    checksum: int


class StaticEncoder:
    """An encoder using a table file; thread-safe."""

    share = SEMANTIC_SHARE
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
        """Dimensions, one byte each, of a vector."""
        self._ones = _widened(b"\1" * self.dims)
        self._nothing = self._ones * SHIFT
        self._known = _Known(self)
        self._pieces: dict[int, int] = {}

    @property
    def name(self) -> str:
        """The table's name; it changes whenever a vector does."""
        return self._header.name

    def encode(self, texts: Sequence[str]) -> list[bytes]:
        """Return a vector for each of *texts*; zero if the table knows none of its words."""
        return [self._encoded(text) for text in texts]

    def ranks(self, words: Sequence[str]) -> list[int | None]:
        """Return the rank of each of *words* by general frequency, as the table lists them; None for rare ones."""
        return [self._rows.get(word) for word in words]

    def verify(self) -> None:
        """Read the whole table. Raises: TableError if it differs from the shipped one."""
        if zlib.crc32(self._data[self._first - self._header.words :]) != self._header.checksum:
            raise TableError(self.path, "is damaged")

    def word(self, word: str) -> int:
        """Return the vector of *word* as lanes of 16 bits, offset by SHIFT."""
        rows = pieces(word, self._rows)
        if len(rows) == 1:
            return self._lanes(rows[0])
        if not rows:
            return self._nothing
        # Each further piece adds one SHIFT too many; _CLEAR keeps every lane positive meanwhile.
        return self._within(sum(map(self._lanes, rows)) + self._ones * (_CLEAR - SHIFT * (len(rows) - 1)))

    def _within(self, lanes: int) -> int:
        """Remove _CLEAR from each lane and clamp it to 0-127, for all lanes at once."""
        ones = self._ones
        above = lanes & (lanes >> _BITS & ones) * (_CLEAR - 1)  # 0 in lanes that lost the _CLEAR bit
        beyond = (above + ones * (_CLEAR - 128)) >> _BITS & ones  # 1 in lanes of 128 and more
        return above & ~(beyond * (_CLEAR - 1)) | beyond * 127

    def _encoded(self, text: str) -> bytes:
        tokens = words(text)
        if len(tokens) == 1:
            once = self._known[tokens[0]].to_bytes(2 * self.dims, "little")[::2]
            return quantized_vectors.row_of_bytes(once, _ONCE)
        if len(tokens) <= SUMMED:
            return quantized_vectors.row_of_lanes(*self._summed(tokens), self.dims)
        vector = [0] * self.dims
        for at in range(0, len(tokens), SUMMED):
            total, shift = self._summed(tokens[at : at + SUMMED])
            lanes = memoryview(total.to_bytes(2 * self.dims, "little")).cast("H")
            vector = [value + lane - shift for value, lane in zip(vector, lanes, strict=True)]
        return quantized_vectors.row(vector)

    def _summed(self, tokens: list[str]) -> tuple[int, int]:
        """Return the weighted sum of the words' lanes, and how much each of its lanes is shifted."""
        lanes_of = self._known
        total = weights = 0
        for times, group in _by_times(tokens).items():
            # Summed first, weighted once: most words occur once in a text.
            total += sum(map(lanes_of.__getitem__, group)) * _WEIGHT[times]
            weights += _WEIGHT[times] * len(group)
        return total, SHIFT * weights

    def _lanes(self, number: int) -> int:
        lanes = self._pieces.get(number)
        if lanes is None:
            if len(self._pieces) >= PIECES:
                self._pieces.clear()
            at = self._first + number * self.dims
            lanes = self._pieces[number] = _widened(self._data[at : at + self.dims])
        return lanes


class _Known(dict[str, int]):
    """Cache of word lanes, filled on first use; when it is full, the newer half is evicted."""

    def __init__(self, encoder: StaticEncoder) -> None:
        super().__init__()
        self._encoder = encoder

    def __missing__(self, word: str) -> int:
        if len(self) >= REMEMBERED:
            for late in list(self)[REMEMBERED // 2 :]:  # the words seen first are the frequent ones
                self.pop(late, None)  # another thread may evict concurrently
        lanes = self[word] = self._encoder.word(word)
        return lanes


def _by_times(tokens: Sequence[str]) -> dict[int, list[str]]:
    """Group *tokens* by frequency."""
    by_times: dict[int, list[str]] = {}
    for word, times in Counter(tokens).items():
        if times in by_times:
            by_times[times].append(word)
        else:
            by_times[times] = [word]
    return by_times


def _widened(shifted: bytes) -> int:
    """Widen bytes to lanes of 16 bits."""
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
    """Return the header and the offset of the words."""
    if data[: len(MAGIC)] != MAGIC:
        raise TableError(path, "is not a table of this version")
    stop = data.find(b"\n", len(MAGIC))
    try:
        return Header(**json.loads(data[len(MAGIC) : stop])), stop + 1
    except (ValueError, TypeError) as error:
        raise TableError(path, "has a header that cannot be read") from error
