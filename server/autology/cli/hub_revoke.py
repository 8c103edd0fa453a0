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


def run(asked: argparse.Namespace, screen: Screen) -> int:
    """Revoke it, effective immediately."""
    hub = hub_space.hub_of(asked)
    taken = hub.revoke(asked.login, asked.branch)
    if screen.json:
        screen.data({"login": asked.login, "taken": taken, "space": str(hub.space)})
    else:
        outcome = "no longer has access" if taken else "had no access"
        screen.line(f"✓ {screen.safe(asked.login)} {outcome} to {screen.safe(str(hub.space))}.")
    return 0
