"""``autology hub grant``: let a login read, write or administer this space."""

from __future__ import annotations

import argparse

from autology.cli import hub_space
from autology.cli.screen import Screen
from autology.hub.model import ROLES

EXAMPLES = """\
autology hub grant ada writer
autology hub grant grace reader --branch release-2
autology hub grant ada writer --whole"""
JSON = "{login, role, branch, space}"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the login and its role."""
    parser.add_argument("login", help="a login of the server, whose operator creates logins")
    parser.add_argument("role", choices=ROLES, help="reader reads, writer also writes, admin also manages members")
    parser.add_argument("--branch", metavar="NAME", default="", help="only data of this branch, or of no branch")
    hub_space.add_options(parser)


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Grant the role."""
    hub = hub_space.hub_of(args)
    hub.grant(args.login, args.role, args.branch)
    result = {"login": args.login, "role": args.role, "branch": args.branch, "space": str(hub.space)}
    where = f" on {screen.safe(args.branch)}" if args.branch else ""
    line = f"✓ {screen.safe(args.login)} is now {args.role} of {screen.safe(str(hub.space))}{where}."
    return screen.report(result, line)
