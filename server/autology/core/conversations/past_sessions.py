"""Past sessions in full: a list of them, and one from its first turn to its last."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice

from autology.core.conversations.sources import ConversationSources
from autology.core.conversations.sync import clean
from autology.core.conversations.transcripts import Ends, Reading
from autology.model.conversation import Turn
from autology.model.entry import CONVERSATION
from autology.model.errors import PassageNotFoundError
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
    """*turns* of a session from the number *first* on; *more* if others follow.

    *transcript* and *resume* are as in :class:`Recorded`.
    """

    session: str
    turns: Sequence[Turn]
    first: int
    more: bool
    transcript: str
    resume: Sequence[str]


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
    record = recorded(conversations, session)
    shown = [clean(turn) for turn in islice(record.turns, first, first + limit + 1)]
    return Replay(session, shown[:limit], first, len(shown) > limit, record.transcript, record.resume)


def number_of(conversations: ConversationSources, session: str, turn: str) -> int:
    """Return the number of the turn with that id, from 0; 0 if none has it."""
    return next(
        (number for number, candidate in enumerate(turns_of(conversations, session)) if candidate.id == turn), 0
    )


@dataclass(frozen=True, slots=True)
class Recorded:
    """A session as its client or the archive has it: the *transcript*'s name, its *turns*, and the words of the command
    that *resume*s it in its client, if any. *reading* has what was left out, once the turns were read."""

    transcript: str
    turns: Iterator[Turn]
    resume: Sequence[str]
    reading: Reading


def turns_of(conversations: ConversationSources, session: str) -> Iterator[Turn]:
    """Return the turns of a session as :func:`recorded` does. Raises PassageNotFoundError, StorageError."""
    return recorded(conversations, session).turns


def recorded(conversations: ConversationSources, session: str, ends: Ends | None = None) -> Recorded:
    """Return a session as it was recorded, without turns in folders that the user's settings exclude.

    With *ends*, these alone: a long one takes seconds as a whole.

    Raises:
        PassageNotFoundError: neither the client nor the archive has it.
        StorageError: it cannot be read.
    """
    rules = conversations.rules
    if not rules.read or not _SESSION.fullmatch(session):  # it names a file
        raise PassageNotFoundError(session)
    name, reading, resume = _reading(conversations, session)
    if ends:
        reading = reading.ends(ends)
    return Recorded(name, (turn for turn in reading if not rules.excluded(turn.folder)), resume, reading)


def _reading(conversations: ConversationSources, session: str) -> tuple[str, Reading, Sequence[str]]:
    live, archive = conversations.live, conversations.archive
    for names in (live.of_session, lambda _: live.scan()):  # only Claude Code's are found without a scan
        for name in names(session):
            if live.session(name) == session and not live.is_agent(name):
                with suppress(FileNotFoundError):
                    return name, live.read(name), live.resume(name)
    for name in archive.scan():
        if live.session(name) == session and not live.is_agent(name):
            return name, archive.read(name), ()
    raise PassageNotFoundError(session)


_SESSION = re.compile(r"[A-Za-z0-9_-]{1,100}")
