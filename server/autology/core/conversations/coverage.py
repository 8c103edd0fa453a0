"""How complete the conversations are: sessions that exist, are read, are archived, are lost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from autology.core.conversations import sync
from autology.core.conversations.sources import ConversationSources

QUIET = timedelta(hours=1)
"""A transcript written more recently belongs to a session in progress: it is read and archived when that ends."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """Counts of sessions by state; *lost* ones are, or were, known to the client and have no transcript.

    *agents* are transcripts of sub-agents. Among those last written over an hour ago, *unarchived* sessions are not in
    the archive, and *behind* transcripts have unread parts. *unencoded* chunks are only found lexically; *broken* lines
    could not be parsed. *size* is the archive's, in bytes. *unreadable* says what exists and cannot be read, and why.
    """

    sessions: int
    live: int
    archived: int
    unarchived: int
    lost: int
    agents: int
    behind: int
    chunks: Mapping[str, int]
    unencoded: int
    broken: int
    size: int
    unreadable: tuple[str, ...] = ()


def coverage(conversations: ConversationSources) -> Coverage:
    """Return how many sessions exist, are read, are archived, are lost."""
    source, index = conversations.live, conversations.index
    live, archived, marks = source.scan(), conversations.archive.scan(), index.marks()
    names = {source.current(name) for name in (*live, *archived, *marks)}
    agents = {name for name in names if source.is_agent(name)}
    lives = {source.session(name) for name in live if name not in agents}
    keeps = {source.session(name) for name in archived if name not in agents}
    read = {source.session(name) for name in marks if name not in agents}
    before = (conversations.now() - QUIET).timestamp() * 1e9
    waiting = sync.unread(conversations) if conversations.rules.read else {}
    quiet = {name for name, stamp in live.items() if stamp.mtime_ns < before}
    remembered = {s for s, folder in source.remembered().items() if not conversations.rules.excluded(folder)}
    every = lives | keeps | read | remembered
    return Coverage(
        sessions=len(every),
        live=len(lives),
        archived=len(keeps),
        unarchived=len({source.session(name) for name in quiet - agents} - keeps),
        lost=len(every - lives - keeps),
        agents=len(agents),
        behind=sum(name in quiet or name not in live for name in waiting),
        chunks=index.chunk_counts(),
        unencoded=index.unencoded(),
        broken=sum(mark.broken for mark in marks.values()),
        size=sum(stamp.size for stamp in archived.values()),
        unreadable=tuple(source.unreadable()),
    )
