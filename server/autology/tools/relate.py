"""autology_relate: creating a relation between two nodes."""

from __future__ import annotations

from autology.model.node import RelationType
from autology.tools.arguments import Arguments, Maybe, Text, field
from autology.tools.tool import Tool
from autology.wire.project import Project


class Relate(Arguments):
    """Arguments of autology_relate."""

    source: Text = field(None)
    target: Text = field(None)
    type: Text = field("source to target: new supersedes old.", enum=RelationType)
    description: Maybe[str] = field(None, None)
    confidence: float = field(None, 0.8, maximum=1)


def act(project: Project, args: Relate) -> str:
    """Create or strengthen the relation and name both nodes."""
    from autology.core.nodes import relate
    from autology.render import nodes

    return nodes.related(
        relate.relate(project.graph, args.source, args.target, args.type, args.description, args.confidence)
    )


TOOL = Tool(
    name="autology_relate",
    title="Relate knowledge",
    description=(
        "Relate two nodes, by id: a decision to the component it affects. Use when the user connects two "
        "things, and for suggested relations that are plainly true. supersedes also marks the target "
        "superseded. Not for creating nodes."
    ),
    arguments=Relate,
    act=act,
    hint="connect link two nodes of the project knowledge graph: affects uses supersedes implements depends_on",
)
