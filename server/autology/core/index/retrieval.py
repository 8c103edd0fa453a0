"""Ports for search: lexical, semantic, and the encoder of the vectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from autology.model.hit import Candidate, Place
from autology.model.query import Filter, Terms


class Encoder(Protocol):
    """Turns texts into vectors whose products measure semantic similarity."""

    @property
    def name(self) -> str:
        """Its name; vectors of encoders with different names cannot be compared."""

    @property
    def share(self) -> float:
        """The weight of semantic against lexical scores, of 1."""

    @property
    def moves(self) -> float:
        """How far a query vector is moved towards the best lexical hits, relative to its own length."""

    def encode(self, texts: Sequence[str]) -> list[bytes]:
        """Return a row of signed bytes, all of one length, for each text; zeros for a text without known tokens.

        Raises:
            EncodingError: it failed after all.
        """


@runtime_checkable
class RankedWords(Protocol):
    """An encoder that knows how frequent words are in general."""

    def ranks(self, words: Sequence[str]) -> list[int | None]:
        """Return the rank of each of *words* by general frequency, None for rare ones."""


@dataclass(frozen=True, slots=True)
class EncoderState:
    """The encoder in use for semantic search, and its weight; nothing without an encoder.

    While passages wait for the chosen encoder, *pending*, it has encoded *done* of *total*. *fault* says why the chosen
    one cannot be used. Of the *total*, *unencoded* passages still wait for the built-in encoder.
    """

    name: str = ""
    share: float = 0.0
    pending: str = ""
    done: int = 0
    total: int = 0
    fault: str = ""
    unencoded: int = 0


class VectorSearch(Protocol):
    """Semantic search over passages."""

    def semantic_candidates(
        self, text: str, where: Filter, limit: int, like: Sequence[Place] = ()
    ) -> Sequence[Candidate]:
        """Semantic search: return the sources nearest to *text* that pass *where*; scores are cosines.

        With *like*, nearest to the text and the best of these passages together. Each with its nearest passage; distant
        sources too. Without an encoder, nothing.
        """

    def vectors(self, where: Filter, limit: int) -> Sequence[tuple[str, bytes]]:
        """Return the built-in encoder's rows of what passes *where*, at most *limit*, newest first.

        Each with the id of its source; a source with several passages has several.
        """

    def vector_count(self) -> int:
        """Return how many passages have vectors."""

    def encoder(self, kind: str | None = None) -> tuple[str, float]:
        """Return the name and the weight of the encoder in use for passages of that kind, or of all; "" without one."""

    def encoder_state(self, kind: str | None = None) -> EncoderState:
        """Return the encoder in use for passages of that kind, or of all, and the one being prepared.

        While passages wait, this counts them all: a millisecond for 3,000.
        """


class TextSearch(Protocol):
    """Lexical search over titles and passages."""

    def lexical_candidates(self, terms: Terms, where: Filter, every: bool, limit: int) -> Sequence[Candidate]:
        """Lexical search: return the best matching sources that pass *where*, for title and body.

        With *every*, all terms must occur in one place, and the newest come first; without, any of them.
        """

    def spans(self, ids: Sequence[str]) -> Mapping[str, Sequence[tuple[int, int]]]:
        """Return the ranges of these sources' passages, in order."""


class WordStatistics(Protocol):
    """How often words occur in the passages, of whatever kind."""

    def frequencies(self, terms: Sequence[tuple[str, ...]]) -> tuple[int, Sequence[int]]:
        """Return the number of passages, and about how many of them contain each of *terms*."""

    def spelled(self, words: Sequence[str]) -> Mapping[str, str]:
        """Return the words of the index that some of *words*, which it does not contain, may be misspellings of."""

    def word_rows(self, words: Sequence[str]) -> Sequence[bytes]:
        """Return the built-in encoder's row of each of *words*; nothing without it."""

    def ranks(self, words: Sequence[str]) -> Sequence[int | None]:
        """Return the rank of each of *words* by general frequency, None for rare ones and without the encoder."""
