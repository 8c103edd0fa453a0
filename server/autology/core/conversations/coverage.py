"""How much of what was said is there: sessions that exist, are read, are kept, are lost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from autology.core.conversations.conversations import Conversations


@dataclass(frozen=True, slots=True)
class Coverage:
    """Sessions by what is there of them; *lost* ones are remembered by the client, or were, and are nowhere.

    *agents* are transcripts of sub-agents. *behind* transcripts have something that was not read yet; *unencoded*
    chunks are found by words only; *broken* lines were no records. *size* is the archive's, in bytes.
    """

    sessions: int
    live: int
    kept: int
    unkept: int
    lost: int
    agents: int
    behind: int
    chunks: Mapping[str, int]
    unencoded: int
    broken: int
    size: int


def coverage(conversations: Conversations) -> Coverage:
    """Return how many sessions there are, are read, are kept, are lost."""
    source, index = conversations.live, conversations.index
    live, kept, marks = source.scan(), conversations.archive.scan(), index.marks()
    names = {*live, *kept, *marks}
    agents = {name for name in names if source.is_agent(name)}
    lives = {source.session(name) for name in live if name not in agents}
    keeps = {source.session(name) for name in kept if name not in agents}
    read = {source.session(name) for name in marks if name not in agents}
    remembered = {s for s, folder in source.remembered().items() if not conversations.rules.excluded(folder)}
    every = lives | keeps | read | remembered
    return Coverage(
        sessions=len(every),
        live=len(lives),
        kept=len(keeps),
        unkept=len(lives - keeps),
        lost=len(every - lives - keeps),
        agents=len(agents),
        behind=conversations.behind(),
        chunks=index.held_chunks(),
        unencoded=index.unencoded(),
        broken=sum(mark.broken for mark in marks.values()),
        size=sum(stamp.size for stamp in kept.values()),
    )
