"""Before a compaction: tells the summariser to keep what the project's knowledge lacks."""

from __future__ import annotations

from autology import detached, wire
from autology.hooks import session_state
from autology.hooks.messages import capped, node_line, quoted
from autology.hooks.uncaptured import beginning, uncaptured
from autology.text.sanitising import fenced

TYPE_CHECKING = False
if TYPE_CHECKING:
    from autology.hooks.project import HookProject

_SHOWN = 8

INSTRUCTIONS = """\
This project keeps its knowledge in Autology. What was decided in this conversation and is not captured there yet \
survives only in this summary. Keep, in their own section:
- each decision: what was decided, why, and which alternatives were rejected for which reason
- each convention, lesson or constraint that the user stated or that was learned
- each open question, and what it waits for"""


def answer(event: dict[str, object], project: HookProject) -> str | None:
    """Return additional instructions for the summariser, as plain text; None without an index."""
    if project.session:
        # What leaves the context must be searchable from now on.
        detached.start(["archive", "--session", project.session], project.root)
    session_state.add(project, "compaction", trigger=quoted(event.get("trigger"), 20))
    index = wire.glance(project.root)
    if index is None:
        return None
    with index:
        uncaptured_notes, captured = uncaptured(project, index, beginning(event.get("transcript_path")))
    lines = []
    if uncaptured_notes:
        lines.append("done in this session, reasons not captured:")
        lines += [
            f"  {line}"
            for line in capped([quoted(note.get("subject"), 120) for note in reversed(uncaptured_notes)], _SHOWN)
        ]
    if captured:
        lines.append("captured in this session (naming them is enough):")
        nodes = [node_line(id, type, title) for id, type, title, _ in reversed(captured)]
        lines += [f"  {line}" for line in capped(nodes, _SHOWN)]
    return f"{INSTRUCTIONS}\n{fenced('git and the knowledge of this project', lines)}" if lines else INSTRUCTIONS
