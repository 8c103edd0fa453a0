"""autology_status: counts, and what needs attention."""

from __future__ import annotations

from autology.tools.arguments import Arguments
from autology.tools.tool import Json, Tool
from autology.wire.project import Project


class StatusArguments(Arguments):
    """Arguments of autology_status: none."""


def act(project: Project, args: StatusArguments) -> Json:  # noqa: ARG001 - all tools have the same signature
    """Check every file and return the counts and problems."""
    from autology.core.nodes import status
    from autology.render import statistics

    return statistics.status(status.status(project.graph, project.watch))


TOOL = Tool(
    name="autology_status",
    title="Knowledge status",
    description=(
        "Count nodes and relations by type and status; name unreadable files, dangling relations, anything "
        "degraded. Use when the user asks how much is known, or a tool failed. Not for finding nodes: "
        "autology_query."
    ),
    arguments=StatusArguments,
    act=act,
    writes=False,
    hint="project knowledge graph statistics health counts overview memory",
)
