"""system_status: health, counts, pending purge and audit summary of the memories."""

from __future__ import annotations

from autology.model.argument_limits import MEMORY_REPORTS
from autology.tools.arguments import Arguments, field
from autology.tools.tool import MEMORY, Json, Tool
from autology.wire.project import Project


class SystemStatus(Arguments):
    """Arguments of system_status."""

    operation: str = field(
        "purge_preview: expired items.",
        MEMORY_REPORTS[0],
        enum=MEMORY_REPORTS,
    )


def act(project: Project, args: SystemStatus) -> Json:
    """Return the report; changes nothing."""
    from autology.render import memory_status

    return memory_status.system(args.operation, project.overseen)


TOOL = Tool(
    name="system_status",
    title="Memory system status",
    description=(
        "Report on stored memories: health, counts, what a purge removes, audit. Use when the user asks how "
        "memory is doing, or a memory tool failed. Not for nodes: autology_status."
    ),
    arguments=SystemStatus,
    act=act,
    writes=False,
    hint="memory system health status statistics purge preview audit summary cortex",
    group=MEMORY,
)
