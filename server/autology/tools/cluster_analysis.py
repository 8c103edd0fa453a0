"""cluster_analysis: communities of the graph."""

from __future__ import annotations

from autology.model.argument_limits import RESOLUTION
from autology.tools.arguments import Arguments, field
from autology.tools.tool import DOCUMENTS, Json, Tool
from autology.wire.project import Project


class ClusterAnalysis(Arguments):
    """Arguments of cluster_analysis."""

    resolution: float = field("Above 1: more, smaller ones.", RESOLUTION)


def act(project: Project, args: ClusterAnalysis) -> Json:
    """Return the communities, largest first."""
    from autology.core.atlas import clusters
    from autology.render.graph import data

    return data.clusters(clusters.clusters(project.atlas, args.resolution))


TOOL = Tool(
    name="cluster_analysis",
    title="Analyse clusters",
    description=(
        "Find communities of closely linked nodes, documents and tags. Use for an overview of topics. Not for "
        "finding something by text: search_documents."
    ),
    arguments=ClusterAnalysis,
    act=act,
    writes=False,
    hint="community detection clusters topics themes groups overview of the knowledge graph bridges cohesion",
    group=DOCUMENTS,
)
