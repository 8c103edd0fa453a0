"""autology_unrelate: removing a relation."""

from __future__ import annotations

from autology.model.node import RelationType
from autology.tools.arguments import Arguments, Text, field
from autology.tools.tool import Tool
from autology.wire.project import Project


class Unrelate(Arguments):
    """Arguments of autology_unrelate."""

    source: Text = field(None)
    target: Text = field(None)
    type: Text = field(None, enum=RelationType)


def act(project: Project, args: Unrelate) -> str:
    """Remove the relation and name both nodes."""
    from autology.core.nodes import relate
    from autology.render import nodes

    return nodes.unrelated(relate.unrelate(project.graph, args.source, args.target, args.type))


TOOL = Tool(
    name="autology_unrelate",
    title="Unrelate knowledge",
    description=(
        "Remove one relation between two nodes; both stay. Use for one that is wrong or leads to a deleted "
        "node. Not for deleting a node."
    ),
    arguments=Unrelate,
    act=act,
    destroys=True,
    hint="disconnect unlink two nodes of the project knowledge graph, remove a relation",
)
