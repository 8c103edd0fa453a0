"""autology_update: changing a node."""

from __future__ import annotations

from autology.model.node import DecisionStatus, NodeStatus, NodeType
from autology.tools.arguments import Arguments, Maybe, Text, Texts, field
from autology.tools.tool import Tool
from autology.wire.project import Project


class Update(Arguments):
    """Arguments of autology_update."""

    id: Text = field("8+ characters suffice.")
    title: Maybe[str] = field(None, None)
    content: Maybe[str] = field(
        "Replaces all: read it first (autology_query, detail full).",
        None,
    )
    tags: Maybe[Texts] = field("The complete list.", None)
    status: Maybe[str] = field(
        "If replaced: relate with supersedes instead.",
        None,
        enum=NodeStatus,
    )
    decision_status: Maybe[str] = field(
        "proposed to accepted or rejected; accepted to deprecated.",
        None,
        enum=DecisionStatus,
    )
    confidence: Maybe[float] = field(None, None, maximum=1)
    type: Maybe[str] = field(None, None, enum=NodeType)
    references: Maybe[Texts] = field(
        "The complete list of files.",
        None,
    )


def act(project: Project, args: Update) -> str:
    """Change the given fields and list them."""
    from autology.core.nodes import update
    from autology.render import nodes

    fields = update.Fields(
        title=args.title,
        content=args.content,
        tags=None if args.tags is None else tuple(args.tags),
        status=args.status,
        confidence=args.confidence,
        type=args.type,
        references=None if args.references is None else tuple(args.references),
        decision_status=args.decision_status,
    )
    return nodes.updated(update.update(project.graph, args.id, fields))


TOOL = Tool(
    name="autology_update",
    title="Update knowledge",
    description=(
        "Change fields of a node. Use to correct or complete it, or if autology_capture would repeat it. Not "
        "for a new decision on the same question: capture that with supersedes. Not for relations: "
        "autology_relate."
    ),
    arguments=Update,
    act=act,
    destroys=True,
    hint="change edit correct complete a node of the project knowledge: title content tags status type",
)
