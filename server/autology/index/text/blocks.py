"""Terms of a segment with their postings in one blob: a row per term would dominate the cost of writing.

Layout: the number of terms (four bytes); where each term's postings end (four bytes each); all postings' positions
(two bytes each), then their BM25 codes (one byte each); and the terms, one per line. Standard library only, because
hooks read it too.
"""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_left

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

NUMBER = 4
"""Bytes of a number."""
POSITION = 2
"""Bytes of a text's position in its segment."""
PLACE = POSITION + 1
"""Bytes of a posting: the text's position, and its frequency and length packed into one byte."""


class Block:
    """Some terms of a segment.

    Raises:
        ValueError: *data* is malformed.
    """

    __slots__ = ("codes", "ends", "positions", "words")

    def __init__(self, data: bytes) -> None:
        many = int.from_bytes(data[:NUMBER], "little")
        first = NUMBER * (many + 1)
        self.ends = turned(array("I", data[NUMBER:first]))
        places = self.ends[-1] if self.ends else 0
        middle, last = first + POSITION * places, first + PLACE * places
        self.positions = data[first:middle]
        self.codes = data[middle:last]
        self.words = data[last:].decode("utf-8", "surrogatepass").split("\n") if many else []
        if len(data) < first or len(self.codes) != places or len(self.words) != many:
            raise ValueError("the terms do not match their postings")

    def places(self, word: str) -> tuple[bytes, bytes]:
        """Return the positions and codes of *word*, empty if it does not occur."""
        at = bisect_left(self.words, word)
        if at == len(self.words) or self.words[at] != word:
            return b"", b""
        start, stop = self.ends[at - 1] if at else 0, self.ends[at]
        return self.positions[POSITION * start : POSITION * stop], self.codes[start:stop]

    def beginning(self, letter: str) -> list[str]:
        """Return the terms that start with *letter*."""
        return self.words[bisect_left(self.words, letter) : bisect_left(self.words, chr(ord(letter) + 1))]


def written(words: Sequence[str], ends: array[int], positions: bytes, codes: bytes) -> bytes:
    """Encode sorted *words* as a blob; *ends* says where the postings of each one end."""
    head = len(words).to_bytes(NUMBER, "little") + turned(ends[:]).tobytes()
    return b"".join((head, positions, codes, "\n".join(words).encode("utf-8", "surrogatepass")))


def size(word: str, places: int) -> int:
    """Return the maximum number of bytes that a term takes in a blob."""
    return NUMBER + PLACE * places + 1 + (len(word) if word.isascii() else 4 * len(word))


def count(length: int, word: str) -> int:
    """Return the number of postings in a blob of *length* bytes that contains only *word*."""
    return (length - 2 * NUMBER - len(word.encode("utf-8", "surrogatepass"))) // PLACE


def turned(numbers: array[int]) -> array[int]:
    """Convert numbers between the machine's byte order and the blob's (little-endian)."""
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers
