"""find_similar_problems: past conversations about similar errors, features and procedures, with their solutions."""

from __future__ import annotations

from autology.tools import recall_arguments
from autology.tools.arguments import Arguments, Count, Text, field
from autology.tools.tool import CONVERSATIONS, Answer, Tool
from autology.wire.project import Project

NAME = "find_similar_problems"
DEFAULT_LIMIT = 10


class Similar(Arguments):
    """Arguments of find_similar_problems."""

    problem_description: Text = field("Symptoms, exact error.")
    code_context: str = field("Code or traceback.", "")
    limit: Count = field(None, DEFAULT_LIMIT)
    format: recall_arguments.Format = recall_arguments.DATA


def act(project: Project, args: Similar) -> Answer:
    """Return similar problems with their solutions."""
    from autology.core.recall import problems

    recall_arguments.check_format(args.format)
    results = problems.similar(
        project.conversation_search, args.problem_description, args.code_context, args.limit, NAME, project.names
    )
    return recall_arguments.answer(project, results, args.format)


TOOL = Tool(
    name=NAME,
    title="Find similar problems",
    description=(
        "Find past conversations about a similar error, feature or procedure, with the "
        "solution. Use when something fails that may have failed before, and before building what may exist. "
        "Not for the project's notes: autology_query."
    ),
    arguments=Similar,
    act=act,
    writes=False,
    hint="similar problem error solved before fix bug seen earlier solution reuse",
    group=CONVERSATIONS,
)
