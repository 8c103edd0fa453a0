"""search_code_history: code that was written or shown in past conversations."""

from __future__ import annotations

from autology.tools import recall_arguments
from autology.tools.arguments import Arguments, Count, Maybe, Text, field
from autology.tools.tool import CONVERSATIONS, Answer, Tool
from autology.wire.project import Project

NAME = "search_code_history"
DEFAULT_LIMIT = 10


class CodeHistory(Arguments):
    """Arguments of search_code_history."""

    query: Text = field("Function name, pattern or concept.")
    language: Maybe[str] = field("'python', 'ts'.", None)
    include_context: bool = field("What was said around it.", True)
    limit: Count = field(None, DEFAULT_LIMIT)
    format: recall_arguments.Format = recall_arguments.DATA


def act(project: Project, args: CodeHistory) -> Answer:
    """Return matching code."""
    from autology.core.recall import discussions

    recall_arguments.check_format(args.format)
    results = discussions.code(
        project.conversation_search, args.query, args.language, args.include_context, args.limit, NAME
    )
    return recall_arguments.answer(project, results, args.format)


TOOL = Tool(
    name=NAME,
    title="Search code history",
    description=(
        "Search code from past conversations, even if never committed or since deleted. Use when the user "
        "asks for code from before. Not for the code as it is now: grep."
    ),
    arguments=CodeHistory,
    act=act,
    writes=False,
    hint="code we wrote before snippet implementation history past edits function",
    group=CONVERSATIONS,
)
