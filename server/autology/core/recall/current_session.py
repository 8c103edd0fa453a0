"""The conversation in progress: its last turn, its latest prompts and files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from autology.core.conversations.sources import ConversationSources
from autology.model.conversation import USER, Turn
from autology.model.errors import StorageError

PROMPTS = 3
"""The number of latest prompts that say what a conversation is about."""
FILES = 10
END = 8_000_000
"""Bytes read at the end of a transcript, some 0.1 s: enough for the last turns, however much before is unread."""


@dataclass(frozen=True, slots=True)
class LatestTurns:
    """The user's last prompts, and the files that were read or written last, the latest at the end."""

    text: str = ""
    files: tuple[str, ...] = ()


def latest(conversations: ConversationSources, session: str) -> LatestTurns:
    """Return the end of *session*'s conversation; empty if it cannot be read."""
    turns = list(_last_turns(conversations, session))
    prompts = [turn.text for turn in turns if turn.role == USER and turn.text.strip()]
    files = [path for turn in turns for call in turn.calls for path in call.files]
    distinct = list(dict.fromkeys(reversed(files)))[:FILES]
    return LatestTurns("\n".join(prompts[-PROMPTS:]), tuple(reversed(distinct)))


def current_turn(conversations: ConversationSources, session: str) -> str | None:
    """Return the id of the user's last message in *session*, or None if unknown."""
    last = None
    for turn in _last_turns(conversations, session):
        if turn.role == USER:
            last = turn.id
    return last


def _last_turns(conversations: ConversationSources, session: str) -> Iterator[Turn]:
    if not conversations.rules.read:
        return
    marks = conversations.index.marks()
    for name in conversations.live.of_session(session):
        if conversations.live.is_agent(name):
            continue
        try:  # indexed parts are not read again: the last exchange begins where reading continues
            reading = conversations.live.read(name, marks.get(name)).near_end(END)
            yield from (turn for turn in reading if turn.session == session)
        except (FileNotFoundError, StorageError):
            continue
