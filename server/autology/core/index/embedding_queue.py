"""Encoding passages with the user's chosen model, a few at a time, while search goes on without them."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol

from autology.core.index.retrieval import EncoderState
from autology.core.long_work import Progress
from autology.model.errors import EncodingError
from autology.model.passage import Passage

BATCH = 16
"""Passages per transaction: after a kill, one second of work is repeated."""
PATIENCE = 25.0
"""Seconds to wait for passages that another process claimed, a little longer than its claim lasts."""
_PAUSE = 0.2


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


class Readable(Protocol):
    """The passages' location and their text, as it is searched."""

    @property
    def passages(self) -> Sequence[Passage]:
        """Its passages."""

    @property
    def texts(self) -> Sequence[str]:
        """The text of each passage."""


Reader = Callable[[str], Readable | None]
"""Returns the content of a path as it is indexed, or None if it cannot be read."""


def embed(queue: EmbeddingQueue, readers: Mapping[str, Reader], seconds: float) -> bool:
    """Encode waiting passages of the kinds that have *readers*; return whether any may be left.

    Takes about *seconds*, one batch at least.

    Raises:
        EncodingError: the model failed after all; the index goes on without it.
    """
    end = time.monotonic() + seconds
    while due := queue.claim(tuple(readers), BATCH):
        queue.embed(_texts(due, readers))
        if time.monotonic() > end:
            return True
    return False


def embed_few(queue: EmbeddingQueue, readers: Mapping[str, Reader]) -> None:
    """Encode a short queue, so that a query finds what was just written; leave a long one."""
    state = [queue.encoder_state(kind) for kind in readers]
    if 0 < sum(progress.total - progress.done for progress in state) <= BATCH:
        with suppress(EncodingError):  # the answer mentions it
            embed(queue, readers, 0.0)


def embed_all(queue: EmbeddingQueue, readers: Mapping[str, Reader], progress: Progress) -> int:
    """Encode every waiting passage, including those that other processes claimed; return how many were encoded here.

    Raises:
        EncodingError: the model failed after all.
    """
    done, waited = 0, 0.0
    while waited < PATIENCE:
        due = queue.claim(tuple(readers), BATCH)
        if due:
            queue.embed(_texts(due, readers))
            done, waited = done + len(due), 0.0
        left = sum(state.total - state.done for state in map(queue.encoder_state, readers))
        if not left:
            break
        progress(done, done + left)
        if not due:
            time.sleep(_PAUSE)
            waited += _PAUSE
    return done


def _texts(due: Sequence[QueuedPassage], readers: Mapping[str, Reader]) -> dict[int, str | None]:
    """Return the text of each passage; None if its file no longer has it: the index will be updated anyway."""
    read: dict[tuple[str, str], dict[tuple[int, int], str]] = {}
    for kind, path in dict.fromkeys((waiting.kind, waiting.path) for waiting in due):
        put = readers[kind](path)
        spans = [(passage.start, passage.stop) for passage in put.passages] if put else []
        read[kind, path] = dict(zip(spans, put.texts if put else [], strict=True))
    return {waiting.number: read[waiting.kind, waiting.path].get(waiting.span) for waiting in due}
