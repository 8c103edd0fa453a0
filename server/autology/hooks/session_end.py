"""At a session's end: word for the next one, if something worth capturing was left."""

from __future__ import annotations

from autology.hooks import notes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from autology.hooks.project import Project


def answer(given: dict[str, object], project: Project) -> None:
    """Leave a tip for the next session, or take back an earlier one; nothing is said."""
    del given
    # Most sessions commit nothing: those look no further.
    if not notes.of_session(project, "commit", "pull"):
        return
    from autology import wire
    from autology.hooks.session import uncaptured

    look = wire.glance(project.root)
    if look is None:
        left, _ = uncaptured(project, None)
    else:
        with look:
            left, _ = uncaptured(project, look)
    if left:
        subject = left[-1].get("subject")
        notes.leave_tip(project, len(left), subject if isinstance(subject, str) else "")
    else:
        notes.drop_tip(project)
