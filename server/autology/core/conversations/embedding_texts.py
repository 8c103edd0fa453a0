"""Chunks of conversations as the user's chosen model encodes them: one passage each, with its text in the index."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from autology.core.conversations.conversation_index import ConversationIndex
from autology.core.index.embedding_queue import Reader
from autology.model.conversation import ChunkKind
from autology.model.passage import Passage
from autology.text.conversation.chunks import heading, searched


@dataclass(frozen=True, slots=True)
class ChunkText:
    """A chunk as it is encoded."""

    passages: Sequence[Passage]
    texts: Sequence[str]


def readers(index: ConversationIndex) -> Mapping[str, Reader]:
    """Return the readers of the chunks, by kind."""
    return {kind.value: lambda id: _read(index, id) for kind in ChunkKind}


def _read(index: ConversationIndex, id: str) -> ChunkText | None:
    chunk = index.chunks([id]).get(id)
    if chunk is None:
        return None  # deleted since
    about = heading(chunk)
    passage = Passage(0, len(chunk.text), about, chunk.text)
    return ChunkText((passage,), (searched(about, chunk.path, chunk.text),))
