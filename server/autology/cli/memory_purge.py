"""``autology memory purge``: move items whose time is over to the trash."""

from __future__ import annotations

import argparse
from typing import Any

from autology import wire
from autology.cli import project
from autology.cli.screen import Screen
from autology.text.counted import counted

EXAMPLES = """\
autology memory purge
autology memory purge --yes"""
JSON = """\
{expired, items: [{id, kind, title, scope, expires_at, path}], prolong, prolonged_items, last_purge, next_purge};
 with --yes {moved, items: [{id, kind, scope, expires_at}], prolonged, prolonged_items, failed: [{path, reason}]}"""
LISTED = 20
"""Items printed; --json has a hundred."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add whether to do it."""
    parser.add_argument("--yes", action="store_true", help="do it; without, only what would be done is listed")


def run(asked: argparse.Namespace, screen: Screen) -> int:
    """List what is due, or move it; 1 if something could not be moved."""
    from autology import reported
    from autology.core.memory import status

    ledger = project.ledger(asked)
    seen = wire.overseen(ledger, project.root(asked))
    if not asked.yes:
        preview = reported.preview(status.preview(seen))
        screen.data(preview) if screen.json else _preview(preview, screen)
        return 0
    with screen.progress("moving memories") as progress:
        done = reported.purged(ledger.purge(seen.extend, progress))
    screen.data(done) if screen.json else _done(done, screen)
    return 1 if done["failed"] else 0


def _preview(told: dict[str, Any], screen: Screen) -> None:
    for item in told["items"][:LISTED]:
        screen.line(f"{item['kind']:<13}{item['expires_at']}  {screen.safe(item['title'], 60)}  ({item['id'][:8]})")
    if told["expired"] > LISTED:
        screen.line(f"and {told['expired'] - LISTED:,} more")
    for item in told["prolonged_items"][:LISTED]:
        screen.line(f"{item['kind']:<13}is found often and would live on  ({item['id'][:8]})")
    if told["expired"] or told["prolong"]:
        over = f"{counted(told['expired'], 'item', 'are')} over" if told["expired"] else "Nothing is over"
        screen.line(f"{over}; nothing was moved. `autology memory purge --yes` moves them to the trash.")
    else:
        screen.line("Nothing is over.")


def _done(told: dict[str, Any], screen: Screen) -> None:
    if told["moved"]:
        screen.line(screen.styled(f"✓ {counted(told['moved'], 'item')} moved to the trash.", "green"))
        screen.line("`autology restore` lists it, and brings one back by its id.")
    if told["prolonged"]:
        screen.line(
            screen.styled(f"✓ {counted(told['prolonged'], 'item')} found often: another lifetime each.", "green")
        )
    for problem in told["failed"]:
        screen.line(screen.styled(f"✗ {screen.safe(problem['path'])}: {screen.safe(problem['reason'], 500)}", "yellow"))
    if not (told["moved"] or told["prolonged"] or told["failed"]):
        screen.line("Nothing is over.")
