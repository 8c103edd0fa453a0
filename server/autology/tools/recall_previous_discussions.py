"""recall_previous_discussions: searching past conversations, in all projects."""

from __future__ import annotations

from autology.model.argument_limits import RECALL_RANGES, RECALL_TYPES
from autology.tools import recall_arguments
from autology.tools.arguments import Arguments, Count, Maybe, Text, field
from autology.tools.tool import CONVERSATIONS, Answer, Tool
from autology.wire.project import Project

NAME = "recall_previous_discussions"
DEFAULT_LIMIT = 20


class Recall(Arguments):
    """Arguments of recall_previous_discussions."""

    query: Text = field("What to find; a time in it ('last week') filters.")
    type: str = field(None, "all", enum=RECALL_TYPES)
    project_filter: Maybe[str] = field("Path or folder's name; '.': this project.", None)
    time_range: str = field(None, "all", enum=RECALL_RANGES)
    include_peers: bool = field("Also the team's.", False)
    limit: Maybe[Count] = field(None, None)
    format: recall_arguments.Format = recall_arguments.DATA


def act(project: Project, args: Recall) -> Answer:
    """Return matching discussions."""
    from autology.core.recall import discussions
    from autology.core.recall.request import RecallRequest

    recall_arguments.check_format(args.format)
    folder = recall_arguments.folder(project, args.project_filter) if args.project_filter else None
    request = RecallRequest(
        query=args.query,
        type=args.type,
        project=folder,
        names=project.names_of(folder) if folder else (),
        time_range=args.time_range,
        include_peers=args.include_peers,
        limit=DEFAULT_LIMIT if args.limit is None else args.limit,
        only_answers=args.limit is None,
    )
    return recall_arguments.answer(project, discussions.recall(project.conversation_search, request, NAME), args.format)


TOOL = Tool(
    name=NAME,
    title="Recall previous discussions",
    description=(
        "Search past conversations of all projects: solutions discussed, code written, decisions made "
        "together. Use when the user mentions earlier work ('how did we', 'last time', 'remember when'). Not "
        "for what this project decided and why, with no time or session named: autology_query."
    ),
    arguments=Recall,
    act=act,
    writes=False,
    hint="remember recall past conversations history previous sessions discussed earlier last time memory",
    group=CONVERSATIONS,
)
ALIASES = (TOOL.also("search_memory"), TOOL.also("find_past_conversations"))
