"""The current turn of the conversation in progress."""

from __future__ import annotations

from autology.core.conversations.conversations import Conversations
from autology.core.recall.tail import END
from autology.model.errors import StorageError
from autology.model.exchange import USER


def present(conversations: Conversations, session: str) -> str | None:
    """Return the id of the user's last message in *session*, or None if unknown."""
    if not conversations.rules.read:
        return None
    names = [name for name in conversations.live.of_session(session) if not conversations.live.is_agent(name)]
    marks = conversations.index.marks()
    last = None
    for name in names:
        try:  # indexed parts are not read again: the last exchange begins where reading continues
            for turn in conversations.live.read(name, marks.get(name)).near_end(END):
                if turn.role == USER and turn.session == session:
                    last = turn.id
        except (FileNotFoundError, StorageError):
            continue
    return last
