"""``autology recall``: search past sessions."""

from __future__ import annotations

import argparse
from pathlib import Path

from autology import wire
from autology.cli import passages, recollections
from autology.cli.program import UsageError
from autology.cli.screen import Screen
from autology.core.recall import discussions
from autology.core.recall.request import RANGES, TYPES, RecallRequest
from autology.render import recall_results

EXAMPLES = """\
autology recall how did we retry payments
autology recall last week fixture --type code
autology recall deploy --since 2026-03-01 --until yesterday --project .
autology recall --open 3f2a91c04b5d"""
JSON = """\
{results: [{id, type, content, context: {session_id, project_path, timestamp, …}, relevance_score, source,
 highlights}], summary, stats: {total_results, sources, time_range}, suggestions?, degraded?}, best first"""
PROJECT = "only this project: a folder of it, its name, or its repository's identity (default: all projects)"
NAME = "autology recall"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the query and its filters."""
    parser.add_argument("words", nargs="*", metavar="WORDS", help="search text; a time in it becomes a filter")
    parser.add_argument("--type", choices=TYPES, default="all")
    parser.add_argument("--since", metavar="WHEN", help="a date such as 2026-03-04, or words such as 'last week'")
    parser.add_argument("--until", metavar="WHEN", help="up to the end of that day or time")
    parser.add_argument("--time-range", choices=RANGES, default="all", help="since midnight, or the last week or month")
    parser.add_argument("--language", metavar="NAME", help="only code in this language")
    parser.add_argument("--limit", type=int, default=10, metavar="1-50")
    parser.add_argument("--team", action="store_true", help="include what others of the team share")
    parser.add_argument("--open", metavar="ID", help="print the whole passage with this id, with its context")


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Print the results; finding nothing is a result."""
    root = wire.project_root()
    conversations = wire.conversations(root)
    if args.open is not None:
        if args.words:
            raise UsageError("--open", "cannot be combined with search words", "Give one or the other.")
        return passages.show(conversations, root, args.open, screen)
    if not "".join(args.words).strip():
        step = "Try `autology recall yesterday`, or `autology recall deploy`."
        raise UsageError("WORDS", "is missing", step)
    memory = wire.memory(conversations, wire.surrounding_session)
    folder = _project(args.project)
    ask = RecallRequest(
        query=" ".join(args.words),
        type=args.type,
        project=folder,
        names=wire.names_meant(root, folder) if folder else (),
        time_range=args.time_range,
        since=args.since,
        until=args.until,
        language=args.language,
        limit=args.limit,
        include_peers=args.team,
    )
    results = discussions.recall(memory, ask, NAME)
    if screen.json:
        screen.data(recall_results.recalled(results))
    else:
        recollections.show(results, memory.now().now, screen)
    return 0


def _project(text: str | None) -> str | None:
    """Return the project filter: an existing folder as its full path, anything else unchanged."""
    if text is None:
        return None
    path = Path(text).expanduser()
    return str(path.resolve()) if path.is_dir() else text
