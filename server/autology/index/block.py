"""Words of a segment, in order, with their places in one blob: a row for each word would be most of what writing costs.

A blob is the number of words, four bytes; where the places of each end, four bytes each; of all places the positions of
their texts, two bytes each, then what `ranking.bm25` makes of each, a byte; and the words, a line each. Standard
library only, for hooks look here too.
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
"""Bytes of a word's place in a segment: its text's position, and one for how often and in how long a text."""


class Block:
    """Some words of a segment.

    Raises:
        ValueError: *data* is no such words.
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
            raise ValueError("other words than places")

    def places(self, word: str) -> tuple[bytes, bytes]:
        """Return the positions of *word* and what is made of each, none where it has none."""
        at = bisect_left(self.words, word)
        if at == len(self.words) or self.words[at] != word:
            return b"", b""
        start, stop = self.ends[at - 1] if at else 0, self.ends[at]
        return self.positions[POSITION * start : POSITION * stop], self.codes[start:stop]

    def beginning(self, letter: str) -> list[str]:
        """Return the words that begin with *letter*."""
        return self.words[bisect_left(self.words, letter) : bisect_left(self.words, chr(ord(letter) + 1))]


def written(words: Sequence[str], ends: array[int], positions: bytes, codes: bytes) -> bytes:
    """Return the blob of *words* in order, the places of each of which end at one of *ends*."""
    head = len(words).to_bytes(NUMBER, "little") + turned(ends[:]).tobytes()
    return b"".join((head, positions, codes, "\n".join(words).encode("utf-8", "surrogatepass")))


def size(word: str, places: int) -> int:
    """Return how many bytes of a blob a word takes at most."""
    return NUMBER + PLACE * places + 1 + (len(word) if word.isascii() else 4 * len(word))


def held(bytes_: int, word: str) -> int:
    """Return how many places there are in a blob of so many bytes that holds that *word* alone."""
    return (bytes_ - 2 * NUMBER - len(word.encode("utf-8", "surrogatepass"))) // PLACE


def turned(numbers: array[int]) -> array[int]:
    """Return numbers as they stand in the blob, or from there, on any machine."""
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers
