"""cluster_analysis: communities of the graph."""

from __future__ import annotations

from autology.model.options import HIGHEST_RESOLUTION, LOWEST_RESOLUTION, RESOLUTION
from autology.tools.arguments import Arguments, field
from autology.tools.tool import DOCUMENTS, Json, Tool
from autology.wire.project import Project


class ClusterAnalysis(Arguments):
    """Arguments of cluster_analysis."""

    resolution: float = field(
        "Above 1: more and smaller communities; below: fewer and larger.",
        RESOLUTION,
        minimum=LOWEST_RESOLUTION,
        maximum=HIGHEST_RESOLUTION,
    )


def act(project: Project, args: ClusterAnalysis) -> Json:
    """Return the communities, largest first."""
    from autology.core.atlas import clusters
    from autology.render.graph import data

    return data.clusters(clusters.clusters(project.atlas, args.resolution))


TOOL = Tool(
    name="cluster_analysis",
    title="Analyse clusters",
    description=(
        "Find the communities of the graph: groups of nodes, documents and tags that are linked more among themselves "
        "than with others. Returns for each a label of its top terms, its most important members, its cohesion "
        "(the share of its links that stay inside), and its bridges to other communities. The result is "
        "deterministic. Use it for an overview of the topics, or to see what holds them together. Not for finding "
        "something by its text: search_documents."
    ),
    arguments=ClusterAnalysis,
    act=act,
    writes=False,
    hint="community detection clusters topics themes groups overview of the knowledge graph bridges cohesion",
    group=DOCUMENTS,
)
