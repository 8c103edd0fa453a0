"""unified_memory_search: conversations, code, decisions, knowledge and documents in one ranked list."""

from __future__ import annotations

from autology.tools import recall_arguments
from autology.tools.arguments import Arguments, Count, Maybe, Text, field
from autology.tools.project import ServedProject
from autology.tools.tool import CONVERSATIONS, Answer, Tool
from autology.wire.user import memory_org

NAME = "unified_memory_search"
DEFAULT_LIMIT = 10


class SearchOptions(Arguments):
    """Options of unified_memory_search."""

    limit: Maybe[Count] = field(None, None)
    merge_results: bool = field("false: a list per kind.", True)
    include_graph: bool = field("Follow relations.", True)


class UnifiedSearch(Arguments):
    """Arguments of unified_memory_search."""

    query: Text = field("Question; a time in it ('in March') filters.")
    options: SearchOptions = field(None, SearchOptions())
    format: recall_arguments.Format = recall_arguments.DATA


def act(project: ServedProject, args: UnifiedSearch) -> Answer:
    """Return matches of all kinds, best first."""
    from autology.core.recall.unified import search
    from autology.core.recall.unified_answer import UnifiedOptions
    from autology.render import recall_results

    recall_arguments.check_format(args.format)
    requested = args.options
    options = UnifiedOptions(
        DEFAULT_LIMIT if requested.limit is None else requested.limit,
        requested.merge_results,
        requested.include_graph,
        project.groups,
        memory_org(),
        only_answers=requested.limit is None,
    )
    project.memories.read_current(lambda: None)  # what was just written changes the state that answers are cached for
    state = project.index_state
    results = search(
        project.conversation_search, project.library, args.query, options, NAME, state, project.code, project.memories
    )
    return (
        recall_results.unified_text(results, project.conversation_search.now().now)
        if args.format == recall_arguments.TEXT
        else recall_results.unified(results)
    )


TOOL = Tool(
    name=NAME,
    title="Search all memory",
    description=(
        "Search past conversations and their code, decisions, nodes, documents, memories and relations in one "
        "ranked list. Use first when the user asks about earlier work and you do not know where the answer "
        "is, or what calls, uses or is affected by code. Not for reading a file of the project."
    ),
    arguments=UnifiedSearch,
    act=act,
    writes=False,
    group=CONVERSATIONS,
)
