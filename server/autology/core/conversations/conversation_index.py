"""Ports to the index of one user's conversations, a projection of transcripts and archive."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from autology.core.conversations.transcripts import Mark
from autology.core.index.index import Index
from autology.model.conversation import Chunk, Opening


@dataclass(frozen=True, slots=True)
class Advance:
    """Progress on a transcript: from the byte *since* on, its chunks are now *chunks*.

    *turns* are the turns read, each with the byte at which it begins. *before* is the mark it continues from: of two
    concurrent readers only the first succeeds.
    """

    transcript: str
    since: int
    chunks: tuple[Chunk, ...]
    turns: tuple[tuple[str, int], ...]
    before: Mark | None
    mark: Mark


@dataclass(frozen=True, slots=True)
class ProjectSeen:
    """A project in the conversations: its identity, its folders, its number of chunks, and its latest time."""

    identity: str
    folders: tuple[str, ...]
    chunks: int
    last: str


class TranscriptIndex(Protocol):
    """How far transcripts have been read, and what was read of them."""

    def marks(self) -> Mapping[str, Mark]:
        """Return how far every transcript has been read."""

    def mark(self, transcript: str) -> Mark | None:
        """Return how far one transcript has been read."""

    def read_elsewhere(self, turns: Sequence[str], transcript: str) -> frozenset[str]:
        """Return those of *turns* that another transcript holds already."""

    def prepare_advance(self, step: Advance) -> Advance:
        """Return *step* preprocessed for :meth:`advance`; it reads and writes nothing."""

    def advance(self, *steps: Advance) -> bool:
        """Apply *steps* in one transaction; an existing chunk stays as it is.

        False if another process was first with one of them: that one is left out.
        """

    def rename(self, transcript: str, name: str) -> None:
        """Rename what was read of a transcript."""

    def opening(self, transcript: str, byte: int) -> Opening | None:
        """Return the beginning of the exchange before that byte; None if nothing of the transcript is indexed there."""

    def tidy(self) -> bool:
        """Merge what many small steps left apart; return whether there may be more of that."""

    def forget(self, transcripts: Sequence[str]) -> None:
        """Delete transcripts; the marks of those with copied turns then say that nothing was read."""

    def forget_folders(self, is_excluded: Callable[[str], bool]) -> None:
        """Delete what was said in folders that *is_excluded* is true of; the transcripts stay read."""


class ChunkIndex(Protocol):
    """The indexed chunks with their text."""

    def chunks(self, ids: Sequence[str]) -> Mapping[str, Chunk]:
        """Return the chunks with these ids."""

    def ids_starting(self, beginning: str, limit: int) -> Sequence[str]:
        """Return the ids of chunks that begin with *beginning*."""

    def around(self, id: str, before: int, after: int) -> Sequence[Chunk]:
        """Return a chunk with its neighbours in the transcript, in order; empty if the id is unknown."""

    def of_exchange(self, exchange: str) -> Sequence[Chunk]:
        """Return the chunks of an exchange, in order."""

    def of_turn(self, turn: str) -> Sequence[Chunk]:
        """Return the chunk that contains a turn, and the code and decisions of it."""

    def projects(self) -> Sequence[ProjectSeen]:
        """Return the projects in the conversations, the latest first."""

    def chunk_counts(self) -> Mapping[str, int]:
        """Return the number of chunks by kind."""


class ConversationIndex(Index, TranscriptIndex, ChunkIndex, Protocol):
    """The index of one user's conversations.

    Its sources are chunks: kind (conversation, code, decision), title "", `created` at the beginning and `modified` at
    the end of what was said.
    """

    def unencoded(self) -> int:
        """Return how many chunks have no vector yet."""

    def encode(self, limit: int) -> int:
        """Encode at most *limit* of them; return how many are left."""
