"""At a session's end: archive it in a detached process, and leave a tip for the next session."""

from __future__ import annotations

from autology import detached
from autology.hooks import session_state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from autology.hooks.project import HookProject

ARCHIVE_DELAY = "2"
"""Seconds to wait until the client has written the session's last lines; it kills hooks after one and a half."""


def answer(event: dict[str, object], project: HookProject) -> None:
    """Archive the session; leave a tip for the next one, or remove an earlier one. Prints nothing."""
    if project.session:
        detached.start(["archive", "--session", project.session, "--wait", ARCHIVE_DELAY], project.root)
    # Most sessions commit nothing and end here.
    if not session_state.of_session(project, "commit", "pull"):
        return
    from autology import wire
    from autology.hooks.uncaptured import beginning, uncaptured

    index, session_start = wire.glance(project.root), beginning(event.get("transcript_path"))
    if index is None:
        uncaptured_notes, _ = uncaptured(project, None, session_start)
    else:
        with index:
            uncaptured_notes, _ = uncaptured(project, index, session_start)
    if uncaptured_notes:
        subject = uncaptured_notes[-1].get("subject")
        session_state.leave_tip(
            project, len(uncaptured_notes), subject if isinstance(subject, str) else "", session_start
        )
    else:
        session_state.drop_tip(project)
