"""Generated conversations of any length to search, with words distributed as in real text."""

import random
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "server"))

from autology.core.content.files import Stamp  # noqa: E402
from autology.core.conversations.conversation_index import Advance  # noqa: E402
from autology.core.conversations.transcripts import Mark  # noqa: E402
from autology.index.conversations import SqliteConversations  # noqa: E402
from autology.model.conversation import ASSISTANT, TOOL, USER, Chunk  # noqa: E402
from autology.vcs.project_identity import recognised  # noqa: E402

__all__ = ["fill", "recognised", "text"]
VOCABULARY, COMMON = 30_000, 40
WORDS = ("pool", "retry", "token", "cursor", "batch", "cache", "shard", "lock", "queue", "index", "merge", "stream")
TALK = "how do we use the in a of that to fix change make test error add file run it is for with on and this".split()
A_SESSION = 50
A_PART = 12
"""Of every twenty sessions the one of this number says something of its own, of the part of that number."""


def fill(file: Path, size: int, project: str, folder: str) -> None:
    """Put *size* chunks into the index in *file*, half of them of *project*."""
    index = SqliteConversations(lambda: str(file))
    for step in _advances(size, project, folder):
        index.advance(step)


def _advances(size: int, project: str, folder: str) -> Iterator[Advance]:
    chance = random.Random(size)
    for session in range(size // A_SESSION):
        name = f"session-{session}"
        own = session % 2 == 0
        chunks = tuple(
            _chunk(chance, session, number, project if own else f"other-{session % 20}", folder if own else "/other")
            for number in range(A_SESSION)
        )
        yield Advance(
            transcript=name, since=0, chunks=chunks, turns=(), before=None, mark=Mark(Stamp(1, 1), 1, 1, "", name)
        )


def _chunk(chance: random.Random, session: int, number: int, project: str, folder: str) -> Chunk:
    at = f"2026-{1 + session % 12:02}-{1 + session % 28:02}T10:{number:02}:00Z"
    kind = "code" if number % 5 == 0 else "decision" if number % 7 == 0 else "conversation"
    trust = (TOOL if number % 4 == 3 else ASSISTANT if number % 2 else USER) if kind == "conversation" else ASSISTANT
    said = f"● {text(chance, 150)}"
    if number == 1 and session % 20 == A_PART % 20:
        said = f"❯ the upload retries stall\n\n● We made uploads of part {session} resume from a checkpoint. {said}"
    return Chunk(
        f"{session:012x}{number:012x}",
        kind,
        said,
        trust,
        at,
        at,
        f"session-{session}",
        number,
        f"session-{session}",
        project,
        folder,
        f"exchange-{session}-{number}",
        f"turn-{session}-{number}",
        text(chance, 8),
    )


def text(chance: random.Random, words: int) -> str:
    """Return words as they are spread in real text: the second half as often as the first, and so on."""
    ranks = (int(VOCABULARY ** chance.random()) for _ in range(words))
    return " ".join(
        TALK[rank % len(TALK)] if rank < COMMON else f"{WORDS[rank % len(WORDS)]}{rank // len(WORDS)}" for rank in ranks
    )
