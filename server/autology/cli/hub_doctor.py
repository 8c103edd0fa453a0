"""``autology hub doctor``: check the connection to the hub; each finding with its fix."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from autology.cli import hub_space
from autology.cli.screen import Screen
from autology.model.errors import AutologyError, HubError

if TYPE_CHECKING:
    from autology.hub.ports import HubOperations

EXAMPLES = """\
autology hub doctor"""
JSON = "{findings: [{server, problem, fix}], checked: number of servers}"
arguments = hub_space.add_options


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Print the findings, each with its fix."""
    servers = hub_space.hub_of(args).servers()
    findings = [finding for hub in servers for finding in _findings(hub)]
    lines = []
    for server, problem, fix in findings:
        lines.append(f"✗ {screen.safe(server)}: {screen.safe(problem, 400)}")
        lines += [f"  {screen.safe(fix, 400)}"] if fix else []
    if not findings:
        lines.append(f"✓ {len(servers)} server{'s' * (len(servers) != 1)} checked; no problems found.")
    keys = ("server", "problem", "fix")
    data = {"findings": [dict(zip(keys, finding, strict=True)) for finding in findings], "checked": len(servers)}
    screen.report(data, *lines)
    return 1 if findings else 0


def _findings(hub: HubOperations) -> list[tuple[str, str, str]]:
    findings: list[tuple[str, str, str]] = []
    if not hub.is_encrypted() and not hub.is_local():
        step = "Remove sslmode from the address, so that connections to other machines are encrypted."
        findings.append((hub.place, "the connection is not encrypted", step))
    try:
        state = hub.schema_state()
        if state.step is not None and state.step < state.latest:
            step = "Run `autology hub migrate` as the database owner."
            findings.append(
                (hub.place, f"its schema has version {state.step}, but this program needs {state.latest}", step)
            )
        elif state.step is not None and state.step > state.latest:
            findings.append((hub.place, "its schema is newer than this program", "Update Autology."))
        elif hub.role() is None:
            step = "Run `autology hub init`, or ask an admin to run `autology hub grant`."
            findings.append((hub.place, f"{hub.space} does not exist, or you have no access to it", step))
        step = "The primary answers instead. If the replica no longer exists, remove it from `replicas=`."
        findings += [
            (place, f"is not usable as a replica: {why}", step) for place, why in hub.replica_problems().items()
        ]
    except HubError as error:
        findings.append((hub.place, error.reason, error.step))
    except AutologyError as error:
        findings.append((hub.place, error.message, ""))
    return findings
