"""At a session's end: archive it in a detached process, and leave a tip for the next session."""

from __future__ import annotations

from autology import detached
from autology.hooks import session_notes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from autology.hooks.project import HookProject

SETTLED = "2"
"""Seconds until the client has written the session's last lines: it ends hooks after one and a half."""


def answer(event: dict[str, object], project: HookProject) -> None:
    """Archive the session; leave a tip for the next one, or remove an earlier one. Prints nothing."""
    if project.session:
        detached.start(["archive", "--session", project.session, "--wait", SETTLED], project.root)
    # Most sessions commit nothing and end here.
    if not session_notes.of_session(project, "commit", "pull"):
        return
    from autology import wire
    from autology.hooks.uncaptured import beginning, uncaptured

    index, begun = wire.glance(project.root), beginning(event.get("transcript_path"))
    if index is None:
        left, _ = uncaptured(project, None, begun)
    else:
        with index:
            left, _ = uncaptured(project, index, begun)
    if left:
        subject = left[-1].get("subject")
        session_notes.leave_tip(project, len(left), subject if isinstance(subject, str) else "", begun)
    else:
        session_notes.drop_tip(project)
