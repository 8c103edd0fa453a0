"""system_status: how memories are, how many there are, what is due to go, and what was done with them."""

from __future__ import annotations

from pydantic import Field

from autology.model.errors import ValidationError
from autology.tools.arguments import Arguments, one_of
from autology.tools.project import Project
from autology.tools.tool import MEMORY, Json, Tool

HEALTH, STATS, PREVIEW, SUMMARY = "health", "stats", "purge_preview", "audit_summary"
OPERATIONS = (HEALTH, STATS, PREVIEW, SUMMARY)


class SystemStatus(Arguments):
    """What system_status takes."""

    operation: str = Field(
        default=HEALTH,
        description="health: whether memories can be kept and found. stats: how many there are, by kind and scope. "
        "purge_preview: which are over and would go to the trash. audit_summary: what was done within a week.",
        json_schema_extra=one_of(OPERATIONS),
    )


def act(project: Project, given: SystemStatus) -> Json:
    """Return what was asked for, having changed nothing."""
    if given.operation not in OPERATIONS:
        raise ValidationError("operation", f"'{given.operation[:40]}' is none", f"Use one of: {', '.join(OPERATIONS)}.")
    told = {HEALTH: _health, STATS: _stats, PREVIEW: _preview, SUMMARY: _summary}[given.operation](project)
    return {"success": True, "operation": given.operation, **told, "checked_at": project.memories.stamp()}


def _health(project: Project) -> Json:
    from autology import reported
    from autology.core.memory import status

    checks = status.health(
        project.memories, project.ledger.audit, project.daily_purge, project.ledger.limits, project.unwritable
    )
    return reported.health(checks)


def _stats(project: Project) -> Json:
    from autology import reported
    from autology.core.memory import status

    return reported.stats(status.stats(project.memories))


def _preview(project: Project) -> Json:
    from autology import reported
    from autology.core.memory import status

    told = project.settings
    found = status.preview(
        project.memories, project.ledger.audit, project.daily_purge, told.memory_extend, told.memory_purge
    )
    return reported.preview(found)


def _summary(project: Project) -> Json:
    from autology import reported
    from autology.core.memory import status
    from autology.text.times import stamp

    since = stamp(project.memories.now() - status.RECENT)
    return reported.summary(status.summary(project.ledger.audit, since))


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
