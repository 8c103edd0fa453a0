"""``autology hub doctor``: check the way to the hub."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from autology.cli import hubbed
from autology.cli.screen import Screen
from autology.model.errors import AutologyError, HubError

if TYPE_CHECKING:
    from autology.core.hub.port import Operated

EXAMPLES = """\
autology hub doctor"""
JSON = "{findings: [{server, problem, fix}], checked: how many servers}"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the space."""
    hubbed.space(parser)


def run(asked: argparse.Namespace, screen: Screen) -> int:
    """Print what is wrong, each with its fix."""
    servers = hubbed.seen(asked).everywhere()
    findings = [finding for hub in servers for finding in _findings(hub)]
    if screen.json:
        keys = ("server", "problem", "fix")
        screen.data({"findings": [dict(zip(keys, each, strict=True)) for each in findings], "checked": len(servers)})
    else:
        for server, problem, fix in findings:
            screen.line(f"✗ {screen.safe(server)}: {screen.safe(problem, 400)}")
            if fix:
                screen.line(f"  {screen.safe(fix, 400)}")
        if not findings:
            screen.line(f"✓ {len(servers)} server{'s' * (len(servers) != 1)} checked; nothing is wrong.")
    return 1 if findings else 0


def _findings(hub: Operated) -> list[tuple[str, str, str]]:
    found: list[tuple[str, str, str]] = []
    if not hub.encrypted() and not hub.is_here():
        step = "Leave sslmode out of the address: off this machine everything is encrypted then."
        found.append((hub.place, "what is said with it is not encrypted", step))
    try:
        state = hub.state()
        if state.step is not None and state.step < state.steps:
            step = "`autology hub migrate`, as the database's owner."
            found.append((hub.place, f"its database is at step {state.step} of {state.steps}", step))
        elif state.step is not None and state.step > state.steps:
            found.append((hub.place, "its database is newer than this program", "Update Autology."))
        elif hub.role() is None:
            step = "`autology hub init`, or an admin's `autology hub grant`."
            found.append((hub.place, f"{hub.space} is not there, or not open to you", step))
        step = "Until then the server itself answers; take it out of `replicas=` if it is no more."
        found += [(place, f"is no replica that can be asked: {what}", step) for place, what in hub.replicas().items()]
    except HubError as error:
        found.append((hub.place, error.reason, str(error).rpartition(f"{error.reason}. ")[2]))
    except AutologyError as error:
        found.append((hub.place, str(error), ""))
    return found
