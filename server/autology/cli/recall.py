"""``autology recall``: find what was said in past sessions."""

from __future__ import annotations

import argparse
from pathlib import Path

from autology import retold, wire
from autology.cli import passages, recollections
from autology.cli.program import UsageError
from autology.cli.screen import Screen
from autology.core.recall import discussions
from autology.core.recall.ask import RANGES, TYPES, Ask

EXAMPLES = """\
autology recall how did we retry payments
autology recall last week fixture --type code
autology recall deploy --since 2026-03-01 --until yesterday --project .
autology recall --open 3f2a91c04b5d"""
JSON = """\
{results: [{id, type, content, context: {session_id, project_path, timestamp, …}, relevance_score, source,
 highlights}], summary, stats: {total_results, sources, time_range}, suggestions?, degraded?}, best first"""
PROJECT = "only this project: a folder of it, its name, or what identifies its repository; else all of them"
NAME = "autology recall"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the question and its filters."""
    parser.add_argument("words", nargs="*", metavar="WORDS", help="what to look for; a time in it becomes a filter")
    parser.add_argument("--type", choices=TYPES, default="all")
    parser.add_argument("--since", metavar="WHEN", help="a date as 2026-03-04, or words as yesterday, 'last week'")
    parser.add_argument("--until", metavar="WHEN", help="up to the end of that day or time")
    parser.add_argument("--time-range", choices=RANGES, default="all", help="today, or a week or a month back")
    parser.add_argument("--language", metavar="NAME", help="only code in this language")
    parser.add_argument("--limit", type=int, default=10, metavar="1-50")
    parser.add_argument("--team", action="store_true", help="what others of the team share, too")
    parser.add_argument("--open", metavar="ID", help="print the passage of that id whole, with what stands around it")


def run(asked: argparse.Namespace, screen: Screen) -> int:
    """Print what was found; that nothing was found is a result."""
    root = wire.project_root()
    conversations = wire.conversations(root)
    if asked.open is not None:
        if asked.words:
            raise UsageError("--open", "takes an id and no words", "Give the one or the other.")
        return passages.show(conversations, root, asked.open, screen)
    if not "".join(asked.words).strip():
        step = "`autology recall yesterday` lists what was said then, `autology recall deploy` what was said of that."
        raise UsageError("WORDS", "is missing", step)
    memory = wire.memory(conversations, wire.surrounding_session)
    wanted = _project(asked.project)
    ask = Ask(
        query=" ".join(asked.words),
        type=asked.type,
        project=wanted,
        names=wire.names_meant(root, wanted) if wanted else (),
        time_range=asked.time_range,
        since=asked.since,
        until=asked.until,
        language=asked.language,
        limit=asked.limit,
        include_peers=asked.team,
    )
    found = discussions.recall(memory, ask, NAME)
    if screen.json:
        screen.data(retold.recalled(found))
    else:
        recollections.show(found, memory.now().now, screen)
    return 0


def _project(given: str | None) -> str | None:
    """Return the project that is asked for: a folder that exists in full, anything else as it was given."""
    if given is None:
        return None
    path = Path(given).expanduser()
    return str(path.resolve()) if path.is_dir() else given
