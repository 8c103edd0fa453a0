"""Past sessions in full: a list of them, and one from its first turn to its last."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice

from autology.core.conversations.sources import ConversationSources
from autology.core.conversations.sync import clean
from autology.core.conversations.transcripts import Reading
from autology.model.entry import CONVERSATION
from autology.model.errors import PassageNotFoundError
from autology.model.exchange import Turn
from autology.model.query import Filter

PASSAGES = 5_000
"""Passages read for the latest sessions: some 300 sessions, in a tenth of a second."""


@dataclass(frozen=True, slots=True)
class Session:
    """A session: its first question, when it began and ended, how many passages of it are indexed."""

    id: str
    question: str
    began: str
    ended: str
    passages: int
    folder: str
    branch: str | None


@dataclass(frozen=True, slots=True)
class Replay:
    """*turns* of a session from the number *first* on; *more* if others follow."""

    session: str
    turns: Sequence[Turn]
    first: int
    more: bool


def sessions(conversations: ConversationSources, *project: str) -> list[Session]:
    """Return the latest sessions of the *project* with these identities, or of all projects, newest first."""
    return _sessions(conversations, Filter(kind=CONVERSATION, projects=project))


def session(conversations: ConversationSources, id: str) -> Session | None:
    """Return the session with that id; None if none of it is indexed."""
    return next(iter(_sessions(conversations, Filter(kind=CONVERSATION, session=id))), None)


def _sessions(conversations: ConversationSources, where: Filter) -> list[Session]:
    index = conversations.index
    rows = index.listed(where, PASSAGES, "")
    chunks = sorted(index.chunks([source.id for source in rows]).values(), key=lambda chunk: (chunk.at, chunk.position))
    result: dict[str, Session] = {}
    for chunk in chunks:
        previous = result.get(chunk.session)
        question = previous.question if previous and previous.question else chunk.question
        began = previous.began if previous else chunk.at
        many = previous.passages + 1 if previous else 1
        ended = max(previous.ended, chunk.until) if previous else chunk.until
        result[chunk.session] = Session(chunk.session, question, began, ended, many, chunk.folder, chunk.branch)
    return sorted(result.values(), key=lambda session: session.ended, reverse=True)


def replay(conversations: ConversationSources, session: str, first: int, limit: int) -> Replay:
    """Return *limit* turns of a session from the number *first* on, secrets redacted, without sub-agents.

    Raises:
        PassageNotFoundError: neither the client nor the archive has it.
        StorageError: it cannot be read.
    """
    turns = islice(turns_of(conversations, session), first, first + limit + 1)
    shown = [clean(turn) for turn in turns]
    return Replay(session, shown[:limit], first, len(shown) > limit)


def number_of(conversations: ConversationSources, session: str, turn: str) -> int:
    """Return the number of the turn with that id, from 0; 0 if none has it."""
    return next(
        (number for number, candidate in enumerate(turns_of(conversations, session)) if candidate.id == turn), 0
    )


def turns_of(conversations: ConversationSources, session: str) -> Iterator[Turn]:
    """Return the turns of a session as they were recorded, except those in folders that the user's settings exclude.

    Raises:
        PassageNotFoundError: neither the client nor the archive has it.
        StorageError: it cannot be read.
    """
    rules = conversations.rules
    if not rules.read or not _SESSION.fullmatch(session):  # it names a file
        raise PassageNotFoundError(session)
    return (turn for turn in _reading(conversations, session) if not rules.excluded(turn.folder))


def _reading(conversations: ConversationSources, session: str) -> Reading:
    live, archive = conversations.live, conversations.archive
    for name in live.of_session(session):
        if not live.is_agent(name):
            with suppress(FileNotFoundError):
                return live.read(name)
    for name in live.scan():
        if live.session(name) == session and not live.is_agent(name):
            with suppress(FileNotFoundError):
                return live.read(name)
    for name in archive.scan():
        if live.session(name) == session and not live.is_agent(name):
            return archive.read(name)
    raise PassageNotFoundError(session)


_SESSION = re.compile(r"[A-Za-z0-9_-]{1,100}")
