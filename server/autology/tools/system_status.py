"""system_status: how memories are, how many there are, what is due to go, and what was done with them."""

from __future__ import annotations

from pydantic import Field

from autology.tools.arguments import Arguments, one_of
from autology.tools.project import Project
from autology.tools.tool import MEMORY, Json, Tool

OPERATIONS = ("health", "stats", "purge_preview", "audit_summary")


class SystemStatus(Arguments):
    """What system_status takes."""

    operation: str = Field(
        default=OPERATIONS[0],
        description="health: whether memories can be kept and found. stats: how many there are, by kind and scope. "
        "purge_preview: which are over and would go to the trash. audit_summary: what was done within a week.",
        json_schema_extra=one_of(OPERATIONS),
    )


def act(project: Project, given: SystemStatus) -> Json:
    """Return what was asked for, having changed nothing."""
    from autology import reported

    return reported.system(given.operation, project.overseen)


TOOL = Tool(
    name="system_status",
    title="Memory system status",
    description=(
        "Tell how the memories are that memory_store keeps: health (storage, index, meaning, audit, lifetimes, "
        "limits), stats (counts by kind and scope), purge_preview (what is over and would go to the trash), "
        "audit_summary (what was done within a week, what was refused and why). Use it when the user asks how memory "
        "is doing, or when memory_store or memory_find failed. Changes nothing. Not for nodes: autology_status counts "
        "those."
    ),
    arguments=SystemStatus,
    act=act,
    writes=False,
    hint="memory system health status statistics purge preview audit summary cortex",
    group=MEMORY,
)
