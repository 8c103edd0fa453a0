"""The order of a passage's words, two bytes each, to find adjacent ones.

Two words may have the same code, one pair of words in four thousand million; codes are never decoded.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence

WIDTH = 2


def code(stem: str) -> bytes:
    """Return the code of a *stem* in the order of a passage's words."""
    return (zlib.crc32(stem.encode("utf-8", "surrogatepass")) & 0xFFFF).to_bytes(WIDTH, "little")


def times(words: Sequence[str], order: bytes) -> int:
    """Return how often *words*, which are stems, are adjacent in *order*."""
    return times_in(words, (order,))[0]


def times_in(words: Sequence[str], orders: Iterable[bytes]) -> list[int]:
    """Return how often *words*, which are stems, are adjacent in each of *orders*."""
    sought = b"".join(map(_known.__getitem__, words))
    if len(sought) == 2 * WIDTH and sought[:WIDTH] != sought[WIDTH:]:
        # It cannot overlap itself; across two codes it is as rare as an equal code.
        return [order.count(sought) for order in orders]
    return [_aligned(sought, order) if sought in order else 0 for order in orders]


def _aligned(sought: bytes, order: bytes) -> int:
    count, at = 0, order.find(sought)
    while at >= 0:
        count += at % WIDTH == 0
        at = order.find(sought, at + 1)
    return count


class _Codes(dict[str, bytes]):
    """A cache of the codes of words."""

    def __missing__(self, word: str) -> bytes:
        if len(self) >= REMEMBERED:
            self.clear()
        encoded = self[word] = code(word)
        return encoded


REMEMBERED = 20_000
_known = _Codes()
