"""autology_update: changing a node."""

from __future__ import annotations

from autology.model.node import CONTENT_LIMIT, TAG_LIMIT, TITLE_LIMIT, DecisionStatus, NodeStatus, NodeType
from autology.model.options import REFERENCES
from autology.tools.arguments import Arguments, Maybe, Text, Texts, field
from autology.tools.tool import Tool
from autology.wire.project import Project


class Update(Arguments):
    """Arguments of autology_update."""

    id: Text = field("The node's id, or its first 8 or more characters.")
    title: Maybe[str] = field("The new title.", None, maxLength=TITLE_LIMIT)
    content: Maybe[str] = field(
        "The complete new content: it replaces the old, so read that first (autology_query, detail full).",
        None,
        maxLength=CONTENT_LIMIT,
    )
    tags: Maybe[Texts] = field("The complete new list of tags, including those to keep.", None, maxItems=TAG_LIMIT)
    status: Maybe[str] = field(
        "Whether it still holds. To replace it by another node, relate that one with supersedes instead.",
        None,
        enum=NodeStatus,
    )
    decision_status: Maybe[str] = field(
        "The state of a decision: from proposed to accepted or rejected, from accepted to deprecated.",
        None,
        enum=DecisionStatus,
    )
    confidence: Maybe[float] = field("How certain it is.", None, minimum=0, maximum=1)
    type: Maybe[str] = field("The correct type; its file moves.", None, enum=NodeType)
    references: Maybe[Texts] = field(
        "The complete new list of files, relative to the project's root, including those to keep.",
        None,
        maxItems=REFERENCES,
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
        "Change fields of an existing node; fields you omit stay unchanged. Use it to correct or complete a "
        "node, add a missing section to a decision, or when autology_capture would repeat what a node already says. "
        "Not for a new decision on the same question: capture that one and let it supersede the old, so that the "
        "history stays. Not for relations: autology_relate."
    ),
    arguments=Update,
    act=act,
    destroys=True,
    hint="change edit correct complete a node of the project knowledge: title content tags status type",
)
