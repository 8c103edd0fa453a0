"""autology_relate: saying how one node bears on another."""

from __future__ import annotations

from pydantic import Field

from autology.model.node import RelationType
from autology.tools.arguments import Arguments, Maybe, Text, one_of
from autology.tools.project import Project
from autology.tools.tool import Tool


class Relate(Arguments):
    """What autology_relate takes."""

    source: Text = Field(description="The id of the node that the relation starts from, or 8 or more characters of it.")
    target: Text = Field(description="The id of the node that it leads to, or 8 or more characters of it.")
    type: Text = Field(
        description="Reads from source to target: 'decision affects component', 'new supersedes old'.",
        json_schema_extra=one_of(RelationType),
    )
    description: Maybe[str] = Field(default=None, description="Why, in a sentence.")
    confidence: float = Field(
        default=0.8, description="How sure the relation is.", json_schema_extra={"minimum": 0, "maximum": 1}
    )


def act(project: Project, given: Relate) -> str:
    """Create or strengthen the relation and name its ends."""
    from autology import render
    from autology.core import relate

    return render.related(
        relate.relate(project.graph, given.source, given.target, given.type, given.description, given.confidence)
    )


TOOL = Tool(
    name="autology_relate",
    title="Relate knowledge",
    description=(
        "Relate two nodes that exist, such as a decision to the component it affects. Use it for the relations that "
        "autology_capture suggests and that are plainly true, and when the user connects two things. Repeating it is "
        "harmless: the higher confidence stays, a given description replaces the old. `supersedes` also marks the "
        "target superseded. Not for creating nodes."
    ),
    arguments=Relate,
    act=act,
    hint="connect link two nodes of the project knowledge graph: affects uses supersedes implements depends_on",
)
