"""retrieve_memory_chunk: the whole passage of a search result."""

from __future__ import annotations

from autology.tools.arguments import Arguments, Text, field
from autology.tools.tool import CONVERSATIONS, Json, Tool
from autology.wire.project import Project


class RetrieveArguments(Arguments):
    """Arguments of retrieve_memory_chunk."""

    chunk_id: Text = field("Id of a result (8+ characters) or a node's turn.")
    include_adjacent: bool = field("What was said before and after.", False)


def act(project: Project, args: RetrieveArguments) -> Json:
    """Return the passage."""
    from autology.core.recall import passage
    from autology.render import recall_results

    return recall_results.opened(
        passage.opened(project.conversation_search, project.graph, args.chunk_id, args.include_adjacent)
    )


TOOL = Tool(
    name="retrieve_memory_chunk",
    title="Read a passage of a conversation",
    description=(
        "Read one passage of a past conversation in full, with nodes captured from it. Use when a result's "
        "beginning is not enough. Not for nodes and documents: read_node_content."
    ),
    arguments=RetrieveArguments,
    act=act,
    writes=False,
    hint="read full passage of past conversation by id context before after",
    group=CONVERSATIONS,
)
