"""A cache of encoded texts: sentences, words and whole items are compared repeatedly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import blake2b

from autology.core.ttl_cache import TtlCache

LIMIT = 40_000
"""Maximum cached rows, 256 bytes each."""
SECONDS = 3_600.0
SHORT = 64
"""Maximum characters of a text that is its own key in the cache."""

Encode = Callable[[Sequence[str]], Sequence[bytes]]


class Rows:
    """*encode*, cached by text."""

    def __init__(self, encode: Encode) -> None:
        self._encode = encode
        self._cache: TtlCache[bytes] = TtlCache(LIMIT, SECONDS)

    def __call__(self, texts: Sequence[str]) -> list[bytes]:
        """Return the row of each of *texts*."""
        keys = [_key(text) for text in texts]
        rows = {key: row for key in keys if (row := self._cache.get(key)) is not None}
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in rows}
        if missing:
            for key, row in zip(missing, self._encode(list(missing.values())), strict=True):
                rows[key] = row
                self._cache.put(key, row)
        return [rows[key] for key in keys]


def _key(text: str) -> str | bytes:
    return text if len(text) <= SHORT else blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
