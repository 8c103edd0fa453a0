"""The turn of a conversation that goes on at this moment."""

from __future__ import annotations

from autology.core.conversations.conversations import Conversations
from autology.core.recall.tail import END
from autology.model.errors import StorageError
from autology.model.exchange import USER


def present(conversations: Conversations, session: str) -> str | None:
    """Return the id of what the user said last in *session*, or None where that cannot be known."""
    if not conversations.rules.read:
        return None
    names = [name for name in conversations.live.of_session(session) if not conversations.live.is_agent(name)]
    marks = conversations.index.marks()
    last = None
    for name in names:
        try:  # what was read before is not read again: the last exchange begins where reading goes on
            for turn in conversations.live.read(name, marks.get(name)).near_end(END):
                if turn.role == USER and turn.session == session:
                    last = turn.id
        except (FileNotFoundError, StorageError):
            continue
    return last
