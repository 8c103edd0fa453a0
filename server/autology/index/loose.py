"""The words of a small segment, all in one blob: a row for each word would be most of what a small write costs.

A blob is the number of words, four bytes; where the places of each end, four bytes each; the places, word by word as in
a row of its own (`postings.py`); and the words in order, a line each. Standard library only, for hooks look here too.
"""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_left

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

NUMBER = 4
"""Bytes of a number."""


class Loose:
    """The words of one small segment, each of whose places takes *width* bytes.

    Raises:
        ValueError: *data* is no such words.
    """

    __slots__ = ("_ends", "_places", "_width", "words")

    def __init__(self, data: bytes, width: int) -> None:
        many = int.from_bytes(data[:NUMBER], "little")
        first = NUMBER * (many + 1)
        self._ends = _turned(array("I", data[NUMBER:first]))
        last = first + width * (self._ends[-1] if self._ends else 0)
        self._places = data[first:last]
        self._width = width
        self.words = data[last:].decode("utf-8", "surrogatepass").split("\n") if many else []
        if len(data) < first or len(self.words) != many:
            raise ValueError("other words than places")

    def places(self, word: str) -> bytes:
        """Return the places of *word*, none where it has none."""
        at = bisect_left(self.words, word)
        return self._at(at) if at < len(self.words) and self.words[at] == word else b""

    def rows(self) -> Iterator[tuple[str, bytes]]:
        """Yield every word with its places."""
        return ((word, self._at(at)) for at, word in enumerate(self.words))

    def beginning(self, letter: str) -> list[str]:
        """Return the words that begin with *letter*."""
        return self.words[bisect_left(self.words, letter) : bisect_left(self.words, chr(ord(letter) + 1))]

    def _at(self, at: int) -> bytes:
        start = self._ends[at - 1] if at else 0
        return self._places[self._width * start : self._width * self._ends[at]]


def written(rows: Iterable[tuple[str, bytes]], width: int) -> bytes:
    """Return the blob of words in order, each with its places."""
    words, places, ends, end = [], [], array("I"), 0
    for word, some in rows:
        end += len(some) // width
        words.append(word)
        places.append(some)
        ends.append(end)
    head = len(words).to_bytes(NUMBER, "little") + _turned(ends).tobytes()
    return head + b"".join(places) + "\n".join(words).encode("utf-8", "surrogatepass")


def _turned(numbers: array[int]) -> array[int]:
    """Return numbers as they stand in the blob, or from there, on any machine."""
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers
