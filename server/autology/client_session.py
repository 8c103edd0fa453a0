"""The client's session that this process belongs to, as the client's hooks and environment name it."""

from __future__ import annotations

import os

from autology import places


def current() -> str | None:
    """Return the client's current session: from its session-start hook, else from this process's environment."""
    return _recorded(str(os.getppid()), 200).strip() or from_environment()


def from_environment() -> str | None:
    """Return the client's session in which a command was started; None in an ordinary terminal."""
    return os.environ.get("CLAUDE_CODE_SESSION_ID") or None


def compacted_at(session: str) -> str:
    """Return the stamp of *session*'s last compaction: earlier messages left its context; "" for none."""
    return _recorded(f"{os.path.basename(session)}.compacted", 20)  # the session's name came from outside


def caller(source: str) -> str:
    """Return the caller: the user in a client's session; without one, in this server or at a terminal."""
    import getpass

    try:
        user = getpass.getuser()
    except (ImportError, KeyError, OSError):
        user = "somebody"
    if session := current():
        return f"{user}, session {session}"
    return f"{user}, terminal" if source == "command_line" else f"{user}, server {os.getpid()}"


def _recorded(name: str, limit: int) -> str:
    """Return the beginning of a file that the session-start hook wrote, "" without one."""
    try:
        with open(os.path.join(places.cache_dir(), "sessions", name), encoding="utf-8") as file:
            return file.read(limit)
    except (OSError, ValueError):
        return ""
