"""``autology hub move``: move a space to another server while it is in use."""

from __future__ import annotations

import argparse

from autology.cli import hub_space
from autology.cli.project import project_of
from autology.cli.screen import Screen
from autology.hub.ports import HubOperations
from autology.wire.team import hub_address

EXAMPLES = """\
autology hub move acme/payments ~/.config/autology/hub-2
autology hub move acme/payments ~/.config/autology/hub-2 --abort"""
JSON = """\
{space, from, to, rows: {table: rows, equal on both}, copied, passes, still: seconds without writes}
or with --abort {space, from, to}"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the space and the target."""
    parser.add_argument("space", metavar="ORG[/PROJECT]", help="the space, as `autology hub status` names it")
    parser.add_argument("file", metavar="FILE", help="a file that only you can read, with the target server's address")
    parser.add_argument("--abort", action="store_true", help="abort an interrupted move: the space stays")


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Move the space; after an interruption, the next call continues."""
    org, _, name = args.space.partition("/")
    hub: HubOperations = hub_space.configured(project_of(args).team.hub(org, name))
    to, dsn = hub_address(args.file)
    result: dict[str, object] = {"space": str(hub.space), "from": hub.place, "to": to}
    if args.abort:
        hub.abort_move(dsn)
        lines = [f"✓ {screen.safe(str(hub.space))} stays on {screen.safe(hub.place)}; the copy is deleted."]
    else:
        move = hub.move(dsn, screen.say)
        result |= {"rows": dict(move.rows), "copied": move.copied, "passes": move.passes}
        result["still"] = round(move.paused, 3)
        equal = f"{sum(move.rows.values()):,} rows, equal on both; writes were paused for {move.paused:.1f} seconds."
        lines = [
            f"✓ {screen.safe(str(hub.space))} is on {screen.safe(to)}: {equal}",
            "Clients with that server in their hub_dsn_file are redirected; update the file of the others.",
        ]
    return screen.report(result, *lines)
