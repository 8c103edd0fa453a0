"""Which notes the user enforces, and how: by the note's id and the hash of its text, in the user's own data folder."""

from __future__ import annotations

import os

from autology import places

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    Enforced = dict[str, dict[str, str]]
    """By a note's id: its `answer`, `text` (the hash), `title` and `project`."""

ANSWERS = ("ask", "deny")
_LONGEST = 1_000_000
"""Bytes of the file that are read; a thousand notes have 200,000."""


def load() -> Enforced:
    """Return the notes that the user enforces; an unreadable file enforces nothing."""
    file = places.enforced_notes()
    if not os.path.isfile(file):
        return {}
    import json

    try:
        with open(file, "rb") as opened:
            stored = json.loads(opened.read(_LONGEST).decode("utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return {id: choice for id, choice in stored.items() if _is_choice(choice)} if isinstance(stored, dict) else {}


def decision(enforced: Enforced, id: str, texts: Iterable[str]) -> str:
    """Return `ask` or `deny` for the note *id* whose current text has one of the hashes *texts*, else ""."""
    choice = enforced.get(id)
    return choice["answer"] if choice and choice["text"] in set(texts) else ""


def _is_choice(choice: object) -> bool:
    return (
        isinstance(choice, dict)
        and choice.get("answer") in ANSWERS
        and all(isinstance(choice.get(name), str) for name in ("text", "title", "project"))
    )
