"""``autology memory purge``: move expired items to the trash; without --yes, only list them."""

from __future__ import annotations

import argparse
from typing import Any

from autology.cli.project import project_of
from autology.cli.screen import Screen
from autology.text.language.plural import counted

EXAMPLES = """\
autology memory purge
autology memory purge --yes"""
JSON = """\
{expired, items: [{id, kind, title, scope, expires_at, path}], prolong, prolonged_items, last_purge, next_purge};
 with --yes {moved, items: [{id, kind, scope, expires_at}], prolonged, prolonged_items, failed: [{path, reason}]}"""
WRITES = True
LISTED = 20
"""Maximum number of items printed; --json prints up to a hundred."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the confirmation."""
    parser.add_argument("--yes", action="store_true", help="move them; default: only list them")


def run(args: argparse.Namespace, screen: Screen) -> int:
    """List the expired items, or move them; return 1 if any could not be moved."""
    from autology.core.memory import status
    from autology.render import memory_status

    project = project_of(args)
    overview = project.overseen
    if not args.yes:
        preview = memory_status.preview(status.preview(overview))
        screen.data(preview) if screen.json else _preview(preview, screen)
        return 0
    with screen.progress("moving memories") as progress:
        result = memory_status.purged(project.audited_memories.purge(overview.extend, progress))
    screen.data(result) if screen.json else _done(result, screen)
    return 1 if result["failed"] else 0


def _preview(preview: dict[str, Any], screen: Screen) -> None:
    for item in preview["items"][:LISTED]:
        screen.line(f"{item['kind']:<13}{item['expires_at']}  {screen.safe(item['title'], 60)}  ({item['id'][:8]})")
    if preview["expired"] > LISTED:
        screen.line(f"and {preview['expired'] - LISTED:,} more")
    for item in preview["prolonged_items"][:LISTED]:
        screen.line(f"{item['kind']:<13}is found often and would be renewed  ({item['id'][:8]})")
    if preview["expired"] or preview["prolong"]:
        summary = (
            f"{counted(preview['expired'], 'item', 'are')} expired" if preview["expired"] else "Nothing has expired"
        )
        screen.line(f"{summary}; nothing was moved. `autology memory purge --yes` moves expired items to the trash.")
    else:
        screen.line("Nothing has expired.")


def _done(result: dict[str, Any], screen: Screen) -> None:
    if result["moved"]:
        screen.line(f"✓ {counted(result['moved'], 'item')} moved to the trash.", "green")
        screen.line("`autology restore` lists the trash and restores an item by its id.")
    if result["prolonged"]:
        screen.line(f"✓ {counted(result['prolonged'], 'item')} found often and renewed.", "green")
    for problem in result["failed"]:
        screen.line(f"✗ {screen.safe(problem['path'])}: {screen.safe(problem['reason'], 500)}", "yellow")
    if not (result["moved"] or result["prolonged"] or result["failed"]):
        screen.line("Nothing has expired.")
