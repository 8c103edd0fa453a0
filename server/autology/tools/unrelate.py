"""autology_unrelate: taking a relation back."""

from __future__ import annotations

from pydantic import Field

from autology.model.node import RelationType
from autology.tools.arguments import Arguments, Text, one_of
from autology.tools.project import Project
from autology.tools.tool import Tool


class Unrelate(Arguments):
    """What autology_unrelate takes."""

    source: Text = Field(description="The id of the node that the relation starts from, or 8 or more characters of it.")
    target: Text = Field(description="The id of the node that it leads to; one that no longer exists may be given too.")
    type: Text = Field(description="The relation's type.", json_schema_extra=one_of(RelationType))


def act(project: Project, given: Unrelate) -> str:
    """Remove the relation and name its ends."""
    from autology import render
    from autology.core import relate

    return render.unrelated(relate.unrelate(project.graph, given.source, given.target, given.type))


TOOL = Tool(
    name="autology_unrelate",
    title="Unrelate knowledge",
    description=(
        "Remove one relation between two nodes; the nodes stay. Use it for a relation that is wrong, or that leads "
        "to a node that is gone (autology_status lists those). That there was no such relation is no error. Removing "
        "`supersedes` makes the target active again if nothing else supersedes it. Not for deleting a node: its "
        "relations go with it."
    ),
    arguments=Unrelate,
    act=act,
    destroys=True,
    hint="disconnect unlink two nodes of the project knowledge graph, remove a relation",
)
