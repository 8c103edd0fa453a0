"""``autology hub status``: what the hub holds, who may do what, what waits."""

from __future__ import annotations

import argparse
from typing import Any

from autology import wire
from autology.cli import hubbed
from autology.cli.screen import Screen
from autology.core.hub.port import ADMIN
from autology.model.entry import DOCUMENT, MEMORY, NODE
from autology.model.errors import HubError

EXAMPLES = """\
autology hub status
autology hub status --whole --json"""
JSON = """\
{space, server, role, files: {node, document, memory}, memories, members?: [{login, role, branch, by, at}],
 shares, remains: {…}, waiting, conflicts: [paths], problem? where the hub is away}"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the space."""
    hubbed.space(parser)


def run(asked: argparse.Namespace, screen: Screen) -> int:
    """Print how things are; what waits is told though the hub is away."""
    hub, outbox = hubbed.seen(asked), wire.outbox()
    told: dict[str, Any] = {"space": str(hub.space), "server": hub.place}
    try:
        told["role"] = hub.role()
        if told["role"]:
            told["files"] = {kind: len(hub.index.stamps(kind)) for kind in (NODE, DOCUMENT, MEMORY)}
            told["memories"] = len(hub.versions())
            told["shares"], told["remains"] = hub.shares(), hub.remains()
        if told["role"] == ADMIN:
            told["members"] = [
                {"login": one.login, "role": one.role, "branch": one.branch, "by": one.by, "at": one.at}
                for one in hub.members()
            ]
    except HubError as error:
        told["problem"] = str(error)
    told |= {"waiting": len(outbox.waiting()), "conflicts": list(outbox.conflicts())}
    if screen.json:
        screen.data(told)
    else:
        _show(told, screen)
    return 1 if "problem" in told or told["conflicts"] else 0


def _show(told: dict[str, Any], screen: Screen) -> None:
    screen.line(f"{screen.styled(screen.safe(told['space']), 'bold')} on {screen.safe(told['server'])}")
    if "problem" in told:
        screen.line(screen.safe(told["problem"], 500))
    elif not told["role"]:
        screen.line("This space is not there, or not open to you. An admin's `autology hub grant` opens it.")
    else:
        files = ", ".join(f"{many:,} {kind}s" for kind, many in told["files"].items())
        screen.line(f"you are its {told['role']}; it holds {files.replace('memorys', 'memories')}")
        screen.line(f"memories kept for all: {told['memories']:,}")
        screen.line(f"your conversations are {'shared' if told['shares'] else 'not shared'}")
    for member in told.get("members", ()):
        where = f" on {screen.safe(member['branch'])}" if member["branch"] else ""
        screen.line(f"  {screen.safe(member['login'])}: {member['role']}{where}, by {screen.safe(member['by'])}")
    if told["waiting"]:
        screen.line(f"{told['waiting']:,} memories wait to be sent: `autology hub push`")
    for path in told["conflicts"]:
        screen.line(f"conflict: {screen.safe(path, 500)}")
        screen.line("  Change the memory to what is meant, or leave yours as it is; delete that file, and push.")
