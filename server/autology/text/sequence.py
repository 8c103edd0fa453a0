"""The words of a passage in order, two bytes each, to see whether some stand side by side.

Two words may have the same bytes, one pair of words in four thousand million; nothing is read back from them.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence

WIDTH = 2


def order(stems: Iterable[str]) -> bytes:
    """Return *stems* as two bytes each."""
    return b"".join(map(_known.__getitem__, stems))


def times(words: Sequence[str], order: bytes) -> int:
    """Return how often *words*, which are stems, stand side by side in *order*."""
    sought = b"".join(map(_known.__getitem__, words))
    found, at = 0, order.find(sought)
    while at >= 0:
        found += at % WIDTH == 0
        at = order.find(sought, at + 1)
    return found


class _Known(dict[str, bytes]):
    """The bytes of every word that was met."""

    def __missing__(self, word: str) -> bytes:
        if len(self) >= REMEMBERED:
            self.clear()
        found = self[word] = (zlib.crc32(word.encode("utf-8", "surrogatepass")) & 0xFFFF).to_bytes(WIDTH, "little")
        return found


REMEMBERED = 20_000
_known = _Known()
