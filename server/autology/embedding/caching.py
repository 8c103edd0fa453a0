"""An encoder with a cache of query vectors."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

from autology.core.index.retrieval import Encoder, RankedWords
from autology.core.ttl_cache import TtlCache

QUERIES = 10_000
"""Vectors cached, of 256 or 384 bytes each."""
SECONDS = 24 * 60 * 60.0


class CachingEncoder:
    """Wraps *encoder* and caches the vectors of single texts for a day; batches (indexing) are not cached."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._vectors: TtlCache[bytes] = TtlCache(QUERIES, SECONDS)

    @property
    def name(self) -> str:
        """The encoder's name."""
        return self._encoder.name

    @property
    def share(self) -> float:
        """The weight of the semantic score beside the lexical one, in 0-1."""
        return self._encoder.share

    @property
    def moves(self) -> float:
        """How far feedback moves a query vector."""
        return self._encoder.moves

    def encode(self, texts: Sequence[str]) -> list[bytes]:
        """Return a vector for each of *texts*."""
        if len(texts) != 1:
            return self._encoder.encode(texts)
        key = blake2b(texts[0].encode("utf-8", "surrogatepass"), digest_size=16).digest()  # queries may be long
        vector = self._vectors.get(key)
        if vector is None:
            [vector] = self._encoder.encode(texts)
            self._vectors.put(key, vector)
        return [vector]

    def ranks(self, words: Sequence[str]) -> list[int | None]:
        """Return the rank of each of *words* by general frequency, None for rare ones, if the encoder knows them."""
        return self._encoder.ranks(words) if isinstance(self._encoder, RankedWords) else [None] * len(words)
