"""An encoder whose meanings are told: words of one line of a thesaurus mean the same."""

from __future__ import annotations

from collections.abc import Sequence

from autology.ranking.fusion import SEMANTIC_SHARE
from autology.ranking.quantized_vectors import row
from autology.ranking.relevance_feedback import SHARE
from autology.text.tokens import groups

THESAURUS = """\
car automobile vehicle
login authentication signin
slow sluggish latency
remove delete erase"""
DIMS = 64


class Thesaurus:
    """The :class:`~autology.core.index.retrieval.Encoder` of few words: a word's meaning is its line's number."""

    def __init__(self, name: str = "thesaurus-1", lines: str = THESAURUS, share: float = SEMANTIC_SHARE) -> None:
        self.name = name
        self.share = share
        self.moves = SHARE
        self._meanings = {word: number for number, line in enumerate(lines.splitlines()) for word in line.split()}

    def encode(self, texts: Sequence[str]) -> list[bytes]:
        return [self._one(text) for text in texts]

    def _one(self, text: str) -> bytes:
        vector = [0.0] * DIMS
        for group in groups(text):
            if group[0] in self._meanings:
                # Spread over several coordinates, as a learned vector is.
                number = self._meanings[group[0]]
                for at in range(DIMS):
                    vector[at] += 1.0 if (at * (number + 3)) % 7 < 3 else -1.0
        return row(vector)
