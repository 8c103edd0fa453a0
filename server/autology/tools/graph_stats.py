"""graph_stats: statistics of the graph."""

from __future__ import annotations

from autology.tools.arguments import Arguments
from autology.tools.tool import DOCUMENTS, Json, Tool
from autology.wire.project import Project


class GraphStatsArguments(Arguments):
    """Arguments of graph_stats: none."""


def act(project: Project, args: GraphStatsArguments) -> Json:  # noqa: ARG001 - all tools have the same signature
    """Return the counts and the top entries of each list."""
    from autology.core.atlas import stats
    from autology.render.graph import data

    return data.stats(stats.stats(project.atlas))


TOOL = Tool(
    name="graph_stats",
    title="Graph statistics",
    description=(
        "Measure the graph of nodes, documents and tags: density, components, hubs, orphans, bridges, "
        "dangling links, PageRank, betweenness. Use to find what is central, isolated or broken. Not for the "
        "neighbours of one thing: explore_links."
    ),
    arguments=GraphStatsArguments,
    act=act,
    writes=False,
    hint="graph analytics statistics centrality pagerank betweenness hubs orphans density components dangling links",
    group=DOCUMENTS,
)
