"""Before a command: names the decision or convention that it may contradict, once per session."""

from __future__ import annotations

from autology.hooks.guarding import Governing, details, warning

TYPE_CHECKING = False
if TYPE_CHECKING:
    from autology.core.lookup_ports import NodeLookup
    from autology.hooks.guarding import Answer
    from autology.hooks.project import HookProject


def answer(event: dict[str, object], project: HookProject) -> Answer | None:
    """Return the warning about a node that rules a command out; None if there is none or it was shown before."""
    tool = event.get("tool_input")
    command = tool.get("command") if isinstance(tool, dict) else None
    if event.get("tool_name") != "Bash" or not isinstance(command, str):
        return None
    from autology import wire

    index = wire.glance(project.root)
    if index is None:
        return None
    with index:
        matches = matching(command, index)
        return warning(matches, project, index, "", "command") if matches else None


def matching(command: str, index: NodeLookup) -> list[Governing]:
    """Return the nodes that rule *command* out, with the longest rule of each."""
    from autology.text.shell.ruled_out import ruled_out

    rows = [Governing(*row) for row in index.ruled_commands()]
    rows.sort(key=lambda row: (-len(row.detail.partition("\t")[0]), row.title, row.id))
    against = ruled_out(command, [(row.term, details(row)[0]) for row in rows])
    by_id: dict[str, Governing] = {}
    for at in against:
        by_id.setdefault(rows[at].id, rows[at])
    return list(by_id.values())
