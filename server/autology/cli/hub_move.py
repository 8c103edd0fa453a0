"""``autology hub move``: have another server keep a space, while it is used."""

from __future__ import annotations

import argparse

from autology import wire
from autology.cli import hubbed, project
from autology.cli.screen import Screen
from autology.core.hub.port import Operated

EXAMPLES = """\
autology hub move acme/payments ~/.config/autology/hub-2
autology hub move acme/payments ~/.config/autology/hub-2 --abort"""
JSON = """\
{space, from, to, rows: {table: how many, compared on both}, copied, passes, still: seconds in which nobody could write}
or with --abort {space, from, to}"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add what goes where."""
    parser.add_argument("space", metavar="ORG[/PROJECT]", help="the space, as `autology hub status` names it")
    parser.add_argument("file", metavar="FILE", help="a file that you alone can read, with the address of that server")
    parser.add_argument("--abort", action="store_true", help="give a move up that was stopped: the space stays")


def run(asked: argparse.Namespace, screen: Screen) -> int:
    """Move it; stopped at any moment, the next call goes on."""
    org, _, name = asked.space.partition("/")
    hub: Operated = hubbed.known(wire.hub(project.root(asked), org, name))
    to, dsn = wire.hub_address(asked.file)
    told: dict[str, object] = {"space": str(hub.space), "from": hub.place, "to": to}
    if asked.abort:
        hub.stay(dsn)
        line = f"✓ {screen.safe(str(hub.space))} stays on {screen.safe(hub.place)}; nothing of it is on the other."
    else:
        done = hub.move(dsn, screen.say)
        told |= {"rows": dict(done.rows), "copied": done.copied, "passes": done.passes, "still": round(done.still, 3)}
        many = sum(done.rows.values())
        line = (
            f"✓ {screen.safe(str(hub.space))} is on {screen.safe(to)}: {many:,} rows, the same on both; "
            f"nobody could write for {done.still:.1f} seconds."
        )
    if screen.json:
        screen.data(told)
    else:
        screen.line(line)
        if not asked.abort:
            screen.line(
                "Whose file of addresses has a line for that server is sent on; change everybody's line for it."
            )
    return 0
