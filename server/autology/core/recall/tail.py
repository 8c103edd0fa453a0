"""The latest prompts and files of the conversation in progress."""

from __future__ import annotations

from dataclasses import dataclass

from autology.core.conversations.conversations import Conversations
from autology.model.errors import StorageError
from autology.model.exchange import USER, Turn

PROMPTS = 3
"""The number of latest prompts that say what a conversation is about."""
FILES = 10
END = 8_000_000
"""Bytes read at the end of a transcript, some 0.1 s: enough for the last turns, however much before is unread."""


@dataclass(frozen=True, slots=True)
class Tail:
    """The user's last prompts, and the files that were read or written last, the latest at the end."""

    text: str = ""
    files: tuple[str, ...] = ()


def tail(conversations: Conversations, session: str) -> Tail:
    """Return the end of *session*'s conversation; empty if it cannot be read."""
    if not conversations.rules.read:
        return Tail()
    marks = conversations.index.marks()
    turns: list[Turn] = []
    for name in conversations.live.of_session(session):
        if conversations.live.is_agent(name):
            continue
        try:  # indexed parts are not read again: the last exchange begins where reading continues
            reading = conversations.live.read(name, marks.get(name)).near_end(END)
            turns += [turn for turn in reading if turn.session == session]
        except (FileNotFoundError, StorageError):
            continue
    prompts = [turn.text for turn in turns if turn.role == USER and turn.text.strip()]
    files = [path for turn in turns for call in turn.calls for path in call.files]
    latest = list(dict.fromkeys(reversed(files)))[:FILES]
    return Tail("\n".join(prompts[-PROMPTS:]), tuple(reversed(latest)))
