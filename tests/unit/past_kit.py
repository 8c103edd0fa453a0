"""A past for hooks to find: conversations in the user's index, as reading transcripts leaves them there."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from autology.core.content.files import Stamp
from autology.core.conversations.conversation_index import Advance
from autology.core.conversations.transcripts import Mark
from autology.embedding.static import StaticEncoder
from autology.index.conversations import SqliteConversations
from autology.model.conversation import Chunk
from autology.vcs.project_identity import recognised


def past(home: Path, project: Path, said: Sequence[dict[str, Any]]) -> list[str]:
    """Put *said* into the index of the user at *home* as chunks of *project*; return their ids."""
    file = home / "data" / "conversations.sqlite"
    file.parent.mkdir(parents=True, exist_ok=True)
    index = SqliteConversations(lambda: str(file))
    chunks = tuple(_chunk(number, project, facts) for number, facts in enumerate(said))
    name = f"{len(index.marks())}"
    index.advance(
        Advance(transcript=name, since=0, chunks=chunks, turns=(), before=None, mark=Mark(Stamp(1, 1), 1, 1, "", name))
    )
    return [chunk.id for chunk in chunks]


def encode(home: Path) -> None:
    """Give what is in the index of the user at *home* its vectors."""
    assert SqliteConversations(lambda: str(home / "data" / "conversations.sqlite"), StaticEncoder).encode(1_000) == 0


def _chunk(number: int, project: Path, facts: dict[str, Any]) -> Chunk:
    question = facts.get("question", "")
    usual: dict[str, Any] = {
        "id": f"{0xABCD0000 + number:08x}0123456789abcdef",
        "kind": "conversation",
        "text": f"❯ {question}\n\n● {facts.get('answer', '')}",
        "trust": "assistant",
        "at": "2026-03-01T10:00:00Z",
        "until": "2026-03-01T10:01:00Z",
        "transcript": "t",
        "position": number,
        "session": f"earlier-{number}",
        "project": recognised(str(project), "")[0][0],
        "folder": str(project),
        "exchange": f"exchange-{number}",
        "turn": f"turn-{number}",
        "question": question,
    }
    values = {name: value for name, value in facts.items() if name != "answer"}
    return Chunk(**{**usual, **values})
