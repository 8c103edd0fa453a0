"""autology_relate: creating a relation between two nodes."""

from __future__ import annotations

from autology.model.node import RelationType
from autology.tools.arguments import Arguments, Maybe, Text, field
from autology.tools.tool import Tool
from autology.wire.project import Project


class Relate(Arguments):
    """Arguments of autology_relate."""

    source: Text = field("The source node's id, or 8 or more characters of it.")
    target: Text = field("The target node's id, or 8 or more characters of it.")
    type: Text = field(
        "Reads from source to target: 'decision affects component', 'new supersedes old'.", enum=RelationType
    )
    description: Maybe[str] = field("Why, in a sentence.", None)
    confidence: float = field("How certain the relation is.", 0.8, minimum=0, maximum=1)


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
        "Relate two existing nodes, such as a decision to the component it affects. Use it for the relations that "
        "autology_capture suggests and that are plainly true, and when the user connects two things. Repeating it is "
        "harmless: the higher confidence stays, a new description replaces the old. `supersedes` also marks the "
        "target superseded. Not for creating nodes."
    ),
    arguments=Relate,
    act=act,
    hint="connect link two nodes of the project knowledge graph: affects uses supersedes implements depends_on",
)
