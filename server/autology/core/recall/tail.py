"""What was said and worked on last in the conversation that goes on at this moment."""

from __future__ import annotations

from dataclasses import dataclass

from autology.core.conversations.conversations import Conversations
from autology.model.errors import StorageError
from autology.model.exchange import USER, Turn

PROMPTS = 3
"""The last prompts that tell what a conversation is about now."""
FILES = 10
END = 8_000_000
"""Bytes at the end of a transcript that are looked through, some 0.1 s: the last turns stand there, however much of
what came before was not read yet."""


@dataclass(frozen=True, slots=True)
class Tail:
    """What the user said last, and the files that were read or written last, the latest at the end."""

    text: str = ""
    files: tuple[str, ...] = ()


def tail(conversations: Conversations, session: str) -> Tail:
    """Return the end of *session*'s conversation; nothing where that cannot be read."""
    if not conversations.rules.read:
        return Tail()
    marks = conversations.index.marks()
    turns: list[Turn] = []
    for name in conversations.live.of_session(session):
        if conversations.live.is_agent(name):
            continue
        try:  # what was read before is not read again: the last exchange begins where reading goes on
            reading = conversations.live.read(name, marks.get(name)).near_end(END)
            turns += [turn for turn in reading if turn.session == session]
        except (FileNotFoundError, StorageError):
            continue
    prompts = [turn.text for turn in turns if turn.role == USER and turn.text.strip()]
    files = [path for turn in turns for call in turn.calls for path in call.files]
    latest = list(dict.fromkeys(reversed(files)))[:FILES]
    return Tail("\n".join(prompts[-PROMPTS:]), tuple(reversed(latest)))
