"""At a session's end: it is read and kept by a process that goes on, and word is left for the next session."""

from __future__ import annotations

from autology import detached
from autology.hooks import notes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from autology.hooks.project import Project

SETTLED = "2"
"""Seconds until the client has written the session's last lines: it ends hooks after one and a half."""


def answer(given: dict[str, object], project: Project) -> None:
    """Have the session kept; leave a tip for the next one, or take back an earlier one. Nothing is said."""
    if project.session:
        detached.start(["archive", "--session", project.session, "--wait", SETTLED], project.root)
    # Most sessions commit nothing: those look no further.
    if not notes.of_session(project, "commit", "pull"):
        return
    from autology import wire
    from autology.hooks.session import beginning, uncaptured

    look, begun = wire.glance(project.root), beginning(given.get("transcript_path"))
    if look is None:
        left, _ = uncaptured(project, None, begun)
    else:
        with look:
            left, _ = uncaptured(project, look, begun)
    if left:
        subject = left[-1].get("subject")
        notes.leave_tip(project, len(left), subject if isinstance(subject, str) else "", begun)
    else:
        notes.drop_tip(project)
