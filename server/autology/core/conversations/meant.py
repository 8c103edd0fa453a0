"""What was said, as the model that the user chose takes it up: a chunk is one passage, whose text the index has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from autology.core.embedding import Reader
from autology.core.ports import ConversationIndex
from autology.model.exchange import ChunkKind
from autology.model.passage import Passage
from autology.text.conversation.chunks import heading, searched


@dataclass(frozen=True, slots=True)
class Said:
    """A chunk as what is encoded of it."""

    passages: Sequence[Passage]
    texts: Sequence[str]


def readers(index: ConversationIndex) -> Mapping[str, Reader]:
    """Return what reads the chunks of each kind."""
    return {kind.value: lambda id: _read(index, id) for kind in ChunkKind}


def _read(index: ConversationIndex, id: str) -> Said | None:
    chunk = index.chunks([id]).get(id)
    if chunk is None:
        return None  # forgotten since
    about = heading(chunk)
    passage = Passage(0, len(chunk.text), about, chunk.text)
    return Said((passage,), (searched(about, chunk.path, chunk.text),))
