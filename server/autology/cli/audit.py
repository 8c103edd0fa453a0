"""``autology audit``: what was done with memories."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any

from autology import wire
from autology.cli import project
from autology.cli.program import UsageError
from autology.cli.screen import Screen
from autology.text.counted import counted

EXAMPLES = """\
autology audit
autology audit --since yesterday --event memory_find_complete
autology audit --id 171a8767-1f09-40bd-ac91-b5ce29841de2
autology audit --level warn --json
autology audit --summary --since "last week\""""
JSON = """\
{entries: [{time, event, level, actor, source, …}], more, path}, the last first; with --summary
 {on, path, files, bytes, since, events, levels, actors, missed, unreadable, latest_refusals, …}"""
LEVELS = ("info", "warn", "error")
USUAL = 50
NAMING = ("id", "ids", "existing_id", "batch_id", "query_id", "purge_id", "restore_id", "call_id")
"""Where in a line an id stands."""
HEAD = ("time", "event", "level", "source", "resource")
"""What is not repeated among the facts of a line."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add what to look for."""
    parser.add_argument("--since", metavar="WHEN", help="a date as 2026-03-04, a moment, or words as yesterday")
    parser.add_argument("--until", metavar="WHEN", help="up to the end of that day or time")
    parser.add_argument(
        "--event",
        action="extend",
        nargs="+",
        default=[],
        metavar="NAME",
        help="as create, memory_find_complete, refuse",
    )
    parser.add_argument("--id", metavar="ID", help="lines that name this item, batch or query; its beginning will do")
    parser.add_argument("--level", choices=LEVELS, help="this level and what is worse")
    parser.add_argument("--limit", type=int, default=USUAL, metavar="N", help="lines, the last ones; 0 for all")
    parser.add_argument("--summary", action="store_true", help="count instead of listing; a week, if not --since")


def run(asked: argparse.Namespace, screen: Screen) -> int:
    """Print the lines, the last first; that there are none is a result."""
    from autology import reported

    if asked.limit < 0:
        raise UsageError("--limit", f"{asked.limit} does not fit", "Give how many lines, 0 for all.")
    audit = wire.audit(project.root(asked))
    since, until = _times(asked)
    if asked.summary:
        return _summary(audit, since, screen)
    fitting = (entry for entry in audit.entries(since) if _fits(entry, asked, until))
    found = list(islice(fitting, asked.limit or None))
    more = bool(asked.limit) and next(fitting, None) is not None
    if screen.json:
        entries = [reported.entry(entry) for entry in found]
        screen.data({"entries": entries, "more": more, "path": audit.state().path})
        return 0
    for entry in found:
        _show(reported.entry(entry), screen)
    state = audit.state()
    if not found:
        screen.line(_nothing(audit, state.on, asked))
    if more:
        screen.line(f"There is more: --limit {asked.limit * 2}, or --since")
    if state.trouble:
        screen.line(screen.styled(f"Note: it cannot be written: {screen.safe(state.trouble, 500)}", "yellow"))
    return 0


def _nothing(audit: Any, on: bool, asked: argparse.Namespace) -> str:
    """Why there is nothing to show."""
    if not on:
        return "Nothing is written down: the setting `audit` is off."
    if next(audit.entries(""), None) is None:
        return "Nothing was done with memories yet; `autology memory store` is the first that is written down."
    asks = [f"--{name}" for name in ("event", "id", "level", "since", "until") if getattr(asked, name)]
    return f"Of what was done nothing fits {' '.join(asks) or 'that'}; `autology audit --summary` counts what there is."


def _times(asked: argparse.Namespace) -> tuple[str, str]:
    """The moments between which lines are wanted, "" for no bound."""
    from autology.core.bounds import bounds
    from autology.text.spans import Clock

    since, until = bounds(asked.since, asked.until, Clock(datetime.now(UTC))).stamps
    return since or "", until or ""


def _fits(entry: Mapping[str, object], asked: argparse.Namespace, until: str) -> bool:
    if until and str(entry.get("time", "")) >= until:
        return False
    if asked.event and entry.get("event") not in asked.event:
        return False
    if asked.level and LEVELS.index(asked.level) > _level(entry):
        return False
    return asked.id is None or any(id.startswith(asked.id) for id in _ids(entry))


def _level(entry: Mapping[str, object]) -> int:
    level = entry.get("level")
    return LEVELS.index(str(level)) if level in LEVELS else 0


def _ids(entry: Mapping[str, object]) -> Iterator[str]:
    for name in NAMING:
        value = entry.get(name)
        if isinstance(value, str):
            yield value
        elif isinstance(value, list):
            yield from (each for each in value if isinstance(each, str))


def _show(entry: Mapping[str, Any], screen: Screen) -> None:
    style = {"warn": "yellow", "error": "red"}.get(str(entry.get("level")))
    event = f"{entry['event']:<30}"
    facts = "  ".join(f"{name}={_told(value)}" for name, value in entry.items() if name not in HEAD and value != [])
    screen.line(
        f"{entry.get('time', ''):<25}{screen.styled(event, style) if style else event} {screen.safe(facts, 500)}"
    )


def _told(value: object) -> str:
    if isinstance(value, dict):
        return ",".join(f"{name}:{item}" for name, item in value.items())
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def _summary(audit: Any, since: str, screen: Screen) -> int:
    from autology import reported
    from autology.core.memory import status
    from autology.text.times import stamp

    told = reported.summary(status.summary(audit, since or stamp(datetime.now(UTC) - timedelta(days=7))))
    if screen.json:
        screen.data(told)
        return 0
    place = f"in {counted(told['files'], 'file')} of {told['bytes']:,} bytes: {screen.safe(told['path'])}"
    screen.line(f"Since {told['since']}, {place}")
    for name, many in told["events"].items():
        screen.line(f"  {screen.safe(name):<32}{many:>8,}")
    for name, many in told["actors"].items():
        screen.line(f"  by {screen.safe(name):<29}{many:>8,}")
    if told["missed"] or told["unreadable"]:
        screen.line(screen.styled(f"{told['missed']:,} missed, {told['unreadable']:,} unreadable lines", "yellow"))
    return 0
