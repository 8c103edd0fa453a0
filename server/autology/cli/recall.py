"""``autology recall``: search past sessions."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path, PurePath

from autology import client_session
from autology.cli import passages
from autology.cli.screen import Screen
from autology.cli.usage_error import UsageError
from autology.core.recall import discussions
from autology.core.recall.conversation_results import Recalled, Recollection
from autology.core.recall.conversation_search import ConversationSearch
from autology.core.recall.request import RecallRequest, identities, named_projects
from autology.core.recall.summary import ago
from autology.model.agents import origin_of
from autology.model.argument_limits import RECALL_RANGES, RECALL_TYPES, RECALLED
from autology.model.entry import CODE
from autology.model.errors import StorageError
from autology.places import project_root
from autology.ranking.answer_wording import left_out
from autology.render import recall_results
from autology.render.next_steps import command
from autology.text.markdown.snippets import excerpt
from autology.text.sanitising import visible
from autology.wire.project import Project

EXAMPLES = """\
autology recall how did we retry payments
autology recall last week fixture --type code
autology recall deploy --since 2026-03-01 --until yesterday --project .
autology recall --open 3f2a91c04b5d"""
JSON = """\
{results: [{id, type, content, context: {session_id, project_path, timestamp, …}, relevance_score, source,
 highlights, amended?}], summary, stats: {total_results, sources, time_range}, answered?: false,
 absent?, nearest?, suggestions?, degraded?}, best first"""
PROJECT = "only this project: a folder of it, its name, or its repository's identity (default: all projects)"
NAME = "autology recall"
SHORT_ID = 8
USUAL = 10
"""The default maximum of results."""
PREVIEW = 200
"""Characters of a preview."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the query and its filters."""
    parser.add_argument(
        "words", nargs="*", metavar="WORDS", help="search text; a time such as 'last week' in it becomes a filter"
    )
    parser.add_argument("--type", choices=RECALL_TYPES, default="all")
    parser.add_argument("--since", metavar="WHEN", help="a date such as 2026-03-04, or words such as 'last week'")
    parser.add_argument("--until", metavar="WHEN", help="up to the end of that day or time")
    parser.add_argument(
        "--time-range", choices=RECALL_RANGES, default="all", help="since midnight, or the last week or month"
    )
    parser.add_argument("--language", metavar="NAME", help="only code in this language")
    parser.add_argument("--limit", type=int, metavar=f"1-{RECALLED}")
    parser.add_argument("--team", action="store_true", help="include what teammates share")
    parser.add_argument("--open", metavar="ID", help="print the passage with this id and its neighbours")


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Print the results; an empty result is not an error."""
    project = Project(project_root())
    if args.open is not None:
        if args.words:
            raise UsageError("--open", "cannot be combined with search words", "Give one or the other.")
        return passages.show(project, args.open, screen)
    if not "".join(args.words).strip():
        step = "Try `autology recall yesterday`, or `autology recall deploy`."
        raise UsageError("WORDS", "is missing", step)
    memory = project.conversation_search_from(client_session.from_environment)
    folder = folder_or_name(args.project, memory, args.team)
    request = RecallRequest(
        query=" ".join(args.words),
        type=args.type,
        project=folder,
        names=project.names_of(folder) if folder else (),
        time_range=args.time_range,
        since=args.since,
        until=args.until,
        language=args.language,
        limit=USUAL if args.limit is None else args.limit,
        only_answers=args.limit is None,
        include_peers=args.team,
    )
    results = discussions.recall(memory, request, NAME)
    if screen.json:
        screen.data(recall_results.recalled(results))
    else:
        _show(results, memory.now().now, screen)
    return 0


def folder_or_name(text: str | None, search: ConversationSearch, includes_team: bool = False) -> str | None:
    """Return the project filter: an existing folder as its full path, anything else unchanged.

    Raises:
        StorageError: it is neither a folder nor a project of past sessions, and teammates are not asked.
    """
    if text is None:
        return None
    path = Path(text).expanduser()
    if path.is_dir():
        return str(path.resolve())
    if not includes_team:
        search.refresh()
        known = search.index.projects()
        if not identities(text, (), known):
            step = f"{named_projects(known)} Name an existing folder{' or one of these' if known else ''}."
            raise StorageError(text[:200], "no such folder, and no project of past sessions", step)
    return text


def _show(recalled: Recalled, now: datetime, screen: Screen) -> None:
    """Print results: summary, conversations, code, notices, and suggested next searches."""
    screen.line(screen.safe(recalled.summary, 2_000))
    for line in recall_results.said_of_nothing(recalled):
        screen.line(screen.safe(line, 1_000))
    talk = [result for result in recalled.results if result.chunk.kind != CODE]
    code = [result for result in recalled.results if result.chunk.kind == CODE]
    for title, results in (("Previous Discussions", talk), ("Related Code", code)):
        _section(title, results, recalled.query, now, screen)
    if recalled.left_out:
        screen.line()
        screen.line(f"{left_out(recalled.left_out)}: --limit {USUAL}", "dim")
    for note in recalled.notes:
        screen.line()
        screen.line(f"Note: {screen.safe(note, 1_000)}", "yellow")
    if recalled.suggestions:
        screen.line()
        screen.line("Next", "bold")
    for step in recalled.suggestions:
        screen.line(f"  {screen.safe(command(step), 400)}")


def _section(title: str, results: Sequence[Recollection], query: str, now: datetime, screen: Screen) -> None:
    if results:
        screen.line()
        screen.line(title, "bold")
    for result in results:
        chunk = result.chunk
        screen.line()
        # For code its path is more helpful than the question.
        heading = chunk.path if chunk.kind == CODE and chunk.path else chunk.question or "(without a question)"
        screen.line(f"  {screen.styled(screen.safe(heading, screen.width - 2), 'cyan')}")
        screen.line(f"  {screen.styled(screen.safe(_facts(result, now)), 'dim')}")
        # The question is printed above.
        text = chunk.text.removeprefix(f"❯ {chunk.question}").strip() or chunk.text
        preview = screen.safe(excerpt(visible(text), query, PREVIEW), PREVIEW)
        for line in textwrap.wrap(preview, max(screen.width - 4, 20)):
            screen.line(f"{'    '}{line}")
        if result.amended:
            line = screen.safe(f"amended on {result.amended.at[:10]}, now: {result.amended.sentence}", PREVIEW)
            screen.line(f"    {screen.styled(line, 'yellow')}")
        screen.line(f"  {screen.styled(f'autology show {chunk.id[:SHORT_ID]}', 'dim')}")


def _facts(result: Recollection, now: datetime) -> str:
    chunk = result.chunk
    speaker = "output of a tool" if chunk.trust == "tool" else f"by the {chunk.trust}"
    folder = PurePath(chunk.folder.replace("\\", "/")).name or chunk.folder
    age = f"{ago(chunk.at, now)}{origin_of(chunk.transcript)} ({chunk.at[:10]})"
    return " · ".join((age, f"{chunk.kind} {speaker}", folder, f"relevance {result.relevance:.2f}"))
