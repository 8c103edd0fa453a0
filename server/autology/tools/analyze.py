"""autology_analyze: problems in the knowledge graph, each with the call that fixes it."""

from __future__ import annotations

from autology.tools.arguments import Arguments, Maybe, field
from autology.tools.tool import Json, Tool
from autology.wire.project import Project

FINDINGS = 30


class Analyze(Arguments):
    """Arguments of autology_analyze."""

    focus: Maybe[str] = field(
        "Only this: a check (unreadable, dangling, frozen, chains, incomplete, duplicates, stale, orphans, "
        "tags, coverage, hubs, bridges, communities), a node type, a node id, or a file or folder that nodes "
        "are about.",
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
        "Check the quality of this project's nodes: unreadable files, dangling relations, cyclic or broken "
        "supersession chains, accepted decisions whose text was changed, decisions that lack a "
        "section, duplicates, nodes whose files or code were rewritten or removed since, nodes without relations, "
        "tags spelled two ways, undocumented folders, hubs, bridges, unnamed communities. Each "
        "finding gives its reason, its evidence, and the call that fixes it. Use it when the user asks whether "
        "the notes are healthy, complete or up to date. Not for "
        "answering from the notes: autology_query. Read-only."
    ),
    arguments=Analyze,
    act=act,
    writes=False,
    hint="analyze knowledge graph health quality orphans stale duplicates gaps lint",
)
