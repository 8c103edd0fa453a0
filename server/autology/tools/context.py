"""autology_context: nodes relevant to the current work."""

from __future__ import annotations

from autology.tools.arguments import Arguments, Count, Maybe, Texts, field
from autology.tools.project import ServedProject
from autology.tools.tool import Json, Tool

NODES, TOKENS = 10, 2_000


class ContextArguments(Arguments):
    """Arguments of autology_context."""

    current_file: Maybe[str] = field("Its path.", None)
    recent_files: Texts = field("Default: this conversation's.", [])
    task: Maybe[str] = field("In a sentence.", None)
    conversation: Maybe[str] = field("Default: this one's end.", None)
    max_nodes: Count = field(None, NODES)
    max_tokens: Count = field(None, TOKENS)


def act(project: ServedProject, args: ContextArguments) -> Json:
    """Return the relevant nodes, grouped, each with the factors of its score."""
    from autology.core.nodes import context
    from autology.render import relevant_nodes

    tail = project.tail if args.conversation is None else None
    situation = context.Situation(
        current_file=args.current_file,
        recent_files=tuple(args.recent_files or (tail.files if tail else ())),
        task=args.task or "",
        conversation=args.conversation if args.conversation is not None else tail.text if tail else "",
    )
    result = context.context(project.graph, project.root, situation, args.max_nodes, project.watch)
    return relevant_nodes.as_data(result, args.max_tokens)


TOOL = Tool(
    name="autology_context",
    title="What matters here",
    description=(
        "List the notes (decisions, conventions, components, issues) that matter for a file, a task or this "
        "conversation. Use when you begin to work, before you plan. Not for looking something up: "
        "autology_query."
    ),
    arguments=ContextArguments,
    act=act,
    writes=False,
    hint="relevant context current file task decisions conventions recommend before editing",
)
