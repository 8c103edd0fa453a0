"""``autology hub grant``: let somebody read, write or administer this space."""

from __future__ import annotations

import argparse

from autology.cli import hubbed
from autology.cli.screen import Screen
from autology.core.hub.port import ROLES

EXAMPLES = """\
autology hub grant ada writer
autology hub grant grace reader --branch release-2
autology hub grant ada writer --whole"""
JSON = "{login, role, branch, space}"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add who, and what."""
    parser.add_argument("login", help="as the server knows them; its operator makes logins")
    parser.add_argument("role", choices=ROLES, help="reader looks, writer adds and changes, admin says who may")
    parser.add_argument("--branch", metavar="NAME", default="", help="only what is of this branch, or of none")
    hubbed.space(parser)


def run(asked: argparse.Namespace, screen: Screen) -> int:
    """Grant it."""
    hub = hubbed.seen(asked)
    hub.grant(asked.login, asked.role, asked.branch)
    told = {"login": asked.login, "role": asked.role, "branch": asked.branch, "space": str(hub.space)}
    if screen.json:
        screen.data(told)
    else:
        where = f" on {screen.safe(asked.branch)}" if asked.branch else ""
        screen.line(f"✓ {screen.safe(asked.login)} is a {asked.role} of {screen.safe(str(hub.space))}{where}.")
    return 0
