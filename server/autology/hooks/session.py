"""What a session has done that no node holds yet."""

from __future__ import annotations

import os
import time

from autology.hooks import notes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from autology.hooks.notes import Note
    from autology.hooks.project import Project

    class Look(Protocol):
        """What hooks ask of the index."""

        failed: bool

        def counts(self) -> list[tuple[str, str, int]]:
            """Return (type, status, how many)."""

        def memories(self, now: str, org: str = "") -> int:
            """Return how many memories have not expired."""

        def newest_decisions(self, limit: int) -> list[tuple[str, str, str, str]]:
            """Return (id, title, decision status, created)."""

        def to_review(self, limit: int) -> list[tuple[str, str, str]]:
            """Return (id, type, title)."""

        def unreadable(self, limit: int) -> list[tuple[str, str]]:
            """Return (path, reason)."""

        def captured(self, session: str, since: str, limit: int) -> list[tuple[str, str, str, str]]:
            """Return (id, type, title, modified)."""

        def changed(self) -> dict[str, str]:
            """Return what of each sealed decision is not as it was accepted, by node's id."""

        def drifted(self) -> dict[str, str]:
            """Return what drifted, by node's id."""

        def titles(self, ids: list[str]) -> list[tuple[str, str, str]]:
            """Return (id, type, title)."""


def uncaptured(project: Project, look: Look | None) -> tuple[list[Note], list[tuple[str, str, str, str]]]:
    """Return the session's commits and pull requests since its last capture, and what it captured.

    Without an index, the folders of nodes tell when something was last written.
    """
    done = notes.of_session(project, "commit", "pull")
    since = stamp(done[0]) if done else ""
    captured = look.captured(project.session, since, 100) if look is not None else []
    last = max((row[3] for row in captured), default="") if look is not None else _last_written(project)
    return [note for note in done if stamp(note) > last], captured


def stamp(note: Note) -> str:
    """Return a note's time as the index writes times."""
    at = note["at"]
    assert isinstance(at, (int, float))
    return _stamp(at)


def _stamp(at: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(at))


def _last_written(project: Project) -> str:
    nodes = os.path.join(project.root, ".autology", "nodes")
    last = 0.0
    try:
        for name in os.listdir(nodes):
            last = max(last, os.stat(os.path.join(nodes, name)).st_mtime)
    except OSError:
        return ""
    return _stamp(last)
