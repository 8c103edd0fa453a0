"""autology_analyze: what is wrong with what is known, and the call that mends it."""

from __future__ import annotations

from pydantic import Field

from autology.tools.arguments import Arguments, Maybe
from autology.tools.project import Project
from autology.tools.tool import Json, Tool

FINDINGS = 30


class Analyze(Arguments):
    """What autology_analyze takes."""

    focus: Maybe[str] = Field(
        default=None,
        description="Only this: a check (unreadable, dangling, frozen, chains, incomplete, duplicates, stale, orphans, "
        "tags, coverage, hubs, bridges, communities), a node's type, a node's id, or a file or folder that nodes "
        "speak of.",
    )


def act(project: Project, given: Analyze) -> Json:
    """Return the findings, the worst first."""
    from autology import findings
    from autology.core.analysis.analyze import analyze

    return findings.as_data(analyze(project.graph, project.history, given.focus), FINDINGS)


TOOL = Tool(
    name="autology_analyze",
    title="Analyze knowledge",
    description=(
        "Judge the state of this project's nodes: files that cannot be read, relations that lead nowhere, "
        "supersessions that loop or end nowhere, accepted decisions whose text was changed, decisions without a "
        "section, duplicates, nodes whose files or code were rewritten or removed since, nodes related to nothing, "
        "tags in two spellings, folders nobody wrote about, hubs, bridges, communities without a name. Each "
        "finding says why it matters, what it rests on, and the call that mends it. Use it when the user asks whether "
        "the notes are healthy, complete or up to date. Not for "
        "answering from the notes: autology_query. It changes nothing."
    ),
    arguments=Analyze,
    act=act,
    writes=False,
    hint="analyze knowledge graph health quality orphans stale duplicates gaps lint",
)
