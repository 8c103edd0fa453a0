"""``autology hub revoke``: revoke a login's access to this space."""

from __future__ import annotations

import argparse

from autology.cli import hub_space
from autology.cli.screen import Screen

EXAMPLES = """\
autology hub revoke ada
autology hub revoke grace --branch release-2"""
JSON = "{login, taken: roles revoked, space}"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the login."""
    parser.add_argument("login", help="a login of the server")
    parser.add_argument("--branch", metavar="NAME", help="only the role on this branch")
    hub_space.add_options(parser)


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Revoke the roles, effective immediately."""
    hub = hub_space.hub_of(args)
    count = hub.revoke(args.login, args.branch)
    outcome = "no longer has access" if count else "had no access"
    line = f"✓ {screen.safe(args.login)} {outcome} to {screen.safe(str(hub.space))}."
    return screen.report({"login": args.login, "taken": count, "space": str(hub.space)}, line)
