"""``autology hub revoke``: take back what somebody may do in this space."""

from __future__ import annotations

import argparse

from autology.cli import hubbed
from autology.cli.screen import Screen

EXAMPLES = """\
autology hub revoke ada
autology hub revoke grace --branch release-2"""
JSON = "{login, taken: how many rights, space}"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add who."""
    parser.add_argument("login", help="as the server knows them")
    parser.add_argument("--branch", metavar="NAME", help="only the right on this branch")
    hubbed.space(parser)


def run(asked: argparse.Namespace, screen: Screen) -> int:
    """Take it back; from the next question on it holds."""
    hub = hubbed.seen(asked)
    taken = hub.revoke(asked.login, asked.branch)
    if screen.json:
        screen.data({"login": asked.login, "taken": taken, "space": str(hub.space)})
    else:
        done = "may no more what they might" if taken else "had no right here"
        screen.line(f"✓ {screen.safe(asked.login)} {done} in {screen.safe(str(hub.space))}.")
    return 0
