"""autology_analyze: problems in the knowledge graph, each with the call that fixes it."""

from __future__ import annotations

from autology.tools.arguments import Arguments, Maybe, field
from autology.tools.tool import Json, Tool
from autology.wire.project import Project

FINDINGS = 30


class Analyze(Arguments):
    """Arguments of autology_analyze."""

    focus: Maybe[str] = field(
        (
            "A check (unreadable, dangling, frozen, chains, incomplete, duplicates, stale, orphans, tags, "
            "coverage, hubs, bridges, communities), node type, node id, file or folder."
        ),
        None,
    )


def act(project: Project, args: Analyze) -> Json:
    """Return the findings, most severe first."""
    from autology.core.analysis.analyze import analyze
    from autology.render import findings

    return findings.as_data(analyze(project.graph, project.history, args.focus), FINDINGS)


TOOL = Tool(
    name="autology_analyze",
    title="Analyze knowledge",
    description=(
        "Check the quality of the nodes: each finding with reason, evidence and the call that fixes it. Use "
        "when the user asks if the notes are healthy, complete or up to date. Not for answering from them: "
        "autology_query."
    ),
    arguments=Analyze,
    act=act,
    writes=False,
    hint="analyze knowledge graph health quality orphans stale duplicates gaps lint",
)
