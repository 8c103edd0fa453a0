"""An encoder that remembers the questions it was asked."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

from autology.core.kept import Kept
from autology.core.ports import Encoder

MOST = 10_000
SECONDS = 24 * 60 * 60.0


class RememberingEncoder:
    """*encoder*, whose vectors of single texts are kept for a day; many at once are an indexing, asked for once."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._kept: Kept[bytes] = Kept(MOST, SECONDS)

    @property
    def name(self) -> str:
        """The encoder's name."""
        return self._encoder.name

    @property
    def share(self) -> float:
        """What nearness by it counts beside words, of 1."""
        return self._encoder.share

    @property
    def moves(self) -> float:
        """How far a question moves towards what its words find."""
        return self._encoder.moves

    def encode(self, texts: Sequence[str]) -> list[bytes]:
        """Return a row for each of *texts*."""
        if len(texts) != 1:
            return self._encoder.encode(texts)
        key = blake2b(texts[0].encode("utf-8", "surrogatepass"), digest_size=16).digest()  # questions may be long
        found = self._kept.get(key)
        if found is None:
            [found] = self._encoder.encode(texts)
            self._kept.put(key, found)
        return [found]
