"""``autology audit``: show what was done with memories, by whom and with what outcome."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any

from autology.cli.project import project_of
from autology.cli.screen import Screen
from autology.cli.usage_error import UsageError
from autology.text.language.plural import counted

EXAMPLES = """\
autology audit
autology audit --since yesterday --event memory_find_complete
autology audit --id 171a8767-1f09-40bd-ac91-b5ce29841de2
autology audit --level warn --json
autology audit --summary --since "last week\""""
JSON = """\
{entries: [{time, event, level, actor, source, …}], more, path}, newest first; with --summary
 {on, path, files, bytes, since, events, levels, actors, missed, unreadable, latest_refusals, …}"""
LEVELS = ("info", "warn", "error")
DEFAULT_LIMIT = 50
ID_FIELDS = ("id", "ids", "existing_id", "batch_id", "query_id", "purge_id", "restore_id", "call_id")
"""The fields of an entry that contain ids."""
HEADER_FIELDS = ("time", "event", "level", "source", "resource")
"""Fields that are not repeated among the details of an entry."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the filters."""
    parser.add_argument("--since", metavar="WHEN", help="a date such as 2026-03-04, a time, or words such as yesterday")
    parser.add_argument("--until", metavar="WHEN", help="up to the end of that day or time")
    parser.add_argument(
        "--event",
        action="extend",
        nargs="+",
        default=[],
        metavar="NAME",
        help="such as create, memory_find_complete, refuse",
    )
    parser.add_argument("--id", metavar="ID", help="entries about this item, batch or query; a prefix is enough")
    parser.add_argument("--level", choices=LEVELS, help="this level and above")
    parser.add_argument("--limit", type=int, default=DEFAULT_LIMIT, metavar="N", help="the last N entries; 0 for all")
    parser.add_argument("--summary", action="store_true", help="only count entries (default: those of the last week)")


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Print the entries, newest first; an empty result is not an error."""
    from autology.render import memory_status

    if args.limit < 0:
        raise UsageError("--limit", f"{args.limit} is below 0", "Give a number of entries, 0 for all.")
    audit = project_of(args).audit
    since, until = _times(args)
    if args.summary:
        return _summary(audit, since, screen)
    matching = (entry for entry in audit.entries(since) if _matches(entry, args, until))
    entries = list(islice(matching, args.limit or None))
    more = bool(args.limit) and next(matching, None) is not None
    if screen.json:
        listed = [memory_status.plain(entry) for entry in entries]
        screen.data({"entries": listed, "more": more, "path": audit.state().path})
        return 0
    for entry in entries:
        _show(memory_status.plain(entry), screen)
    state = audit.state()
    if not entries:
        screen.line(_no_entries(audit, state.on, args))
    if more:
        screen.line(f"More entries: --limit {args.limit * 2}, or --since")
    if state.trouble:
        screen.line(f"Note: the log cannot be written: {screen.safe(state.trouble, 500)}", "yellow")
    return 0


def _no_entries(audit: Any, on: bool, args: argparse.Namespace) -> str:
    """Return the message if there are no entries."""
    if not on:
        return "Auditing is off: see the setting `audit`."
    if next(audit.entries(""), None) is None:
        return "The audit log is empty. The first `autology memory store` creates an entry."
    filters = [f"--{name}" for name in ("event", "id", "level", "since", "until") if getattr(args, name)]
    return f"No entry matches {' '.join(filters) or 'that'}; `autology audit --summary` counts all entries."


def _times(args: argparse.Namespace) -> tuple[str, str]:
    """The start and end of the period as stamps, "" if unbounded."""
    from autology.core.time_range import bounds
    from autology.text.language.calendar_spans import Clock

    since, until = bounds(args.since, args.until, Clock(datetime.now(UTC))).stamps
    return since or "", until or ""


def _matches(entry: Mapping[str, object], args: argparse.Namespace, until: str) -> bool:
    if until and str(entry.get("time", "")) >= until:
        return False
    if args.event and entry.get("event") not in args.event:
        return False
    if args.level and LEVELS.index(args.level) > _level(entry):
        return False
    return args.id is None or any(id.startswith(args.id) for id in _ids(entry))


def _level(entry: Mapping[str, object]) -> int:
    level = entry.get("level")
    return LEVELS.index(str(level)) if level in LEVELS else 0


def _ids(entry: Mapping[str, object]) -> Iterator[str]:
    for name in ID_FIELDS:
        value = entry.get(name)
        if isinstance(value, str):
            yield value
        elif isinstance(value, list):
            yield from (item for item in value if isinstance(item, str))


def _show(entry: Mapping[str, Any], screen: Screen) -> None:
    style = {"warn": "yellow", "error": "red"}.get(str(entry.get("level")))
    event = f"{entry['event']:<30}"
    facts = "  ".join(
        f"{name}={_as_text(value)}" for name, value in entry.items() if name not in HEADER_FIELDS and value != []
    )
    screen.line(
        f"{entry.get('time', ''):<25}{screen.styled(event, style) if style else event} {screen.safe(facts, 500)}"
    )


def _as_text(value: object) -> str:
    if isinstance(value, dict):
        return ",".join(f"{name}:{item}" for name, item in value.items())
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def _summary(audit: Any, since: str, screen: Screen) -> int:
    from autology.core.memory import status
    from autology.render import memory_status
    from autology.text.language.timestamps import stamp

    summary = memory_status.summary(status.summary(audit, since or stamp(datetime.now(UTC) - timedelta(days=7))))
    if screen.json:
        screen.data(summary)
        return 0
    location = f"in {counted(summary['files'], 'file')} of {summary['bytes']:,} bytes: {screen.safe(summary['path'])}"
    screen.line(f"Since {summary['since']}, {location}")
    for name, count in summary["events"].items():
        screen.line(f"  {screen.safe(name):<32}{count:>8,}")
    for name, count in summary["actors"].items():
        screen.line(f"  by {screen.safe(name):<29}{count:>8,}")
    if summary["missed"] or summary["unreadable"]:
        screen.line(f"{summary['missed']:,} missed, {summary['unreadable']:,} unreadable", "yellow")
    return 0
