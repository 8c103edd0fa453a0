"""Port to the passages that wait to be encoded with the model the user chose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from autology.core.index.vector_search import EncoderState


@dataclass(frozen=True, slots=True)
class QueuedPassage:
    """A passage that waits for the chosen encoder: its number, and the location of its text."""

    number: int
    kind: str
    path: str
    span: tuple[int, int]


class EmbeddingQueue(Protocol):
    """The passages that wait for the chosen encoder."""

    def encoder_state(self, kind: str | None = None) -> EncoderState:
        """Return the encoder in use for passages of that kind, or of all, and the one being prepared."""

    def claim(self, kinds: Sequence[str], limit: int) -> Sequence[QueuedPassage]:
        """Claim passages of these kinds that wait for the chosen encoder, newest first.

        The claim lasts a short while: other callers get other passages.
        """

    def embed(self, texts: Mapping[int, str | None]) -> None:
        """Encode the texts of claimed passages, by number; None for one that is gone.

        Raises:
            EncodingError: the encoder failed after all.
        """
