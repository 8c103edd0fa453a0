"""``autology hub status``: this project on the hub: contents, members, and queued changes."""

from __future__ import annotations

import argparse
from typing import Any

from autology.cli import hub_space
from autology.cli.screen import Screen
from autology.hub.model import ADMIN
from autology.model.entry import DOCUMENT, MEMORY, NODE
from autology.model.errors import HubError
from autology.wire import user

EXAMPLES = """\
autology hub status
autology hub status --whole --json"""
JSON = """\
{space, server, role, files: {node, document, memory}, memories, members?: [{login, role, branch, by, at}],
 shares, remains: {…}, waiting, conflicts: [paths], problem? if the hub cannot be reached}"""
arguments = hub_space.add_options


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Print the state; queued changes are shown even if the hub cannot be reached."""
    hub, outbox = hub_space.hub_of(args), user.outbox()
    result: dict[str, Any] = {"space": str(hub.space), "server": hub.place}
    try:
        result["role"] = hub.role()
        if result["role"]:
            result["files"] = {kind: len(hub.index.stamps(kind)) for kind in (NODE, DOCUMENT, MEMORY)}
            result["memories"] = len(hub.versions())
            result["shares"], result["remains"] = hub.has_consent(), hub.remaining()
        if result["role"] == ADMIN:
            result["members"] = [
                {name: getattr(member, name) for name in ("login", "role", "branch", "by", "at")}
                for member in hub.members()
            ]
    except HubError as error:
        result["problem"] = error.message
    result |= {"waiting": len(outbox.waiting()), "conflicts": list(outbox.conflicts())}
    if screen.json:
        screen.data(result)
    else:
        _show(result, screen)
    return 1 if "problem" in result or result["conflicts"] else 0


def _show(result: dict[str, Any], screen: Screen) -> None:
    screen.line(f"{screen.styled(screen.safe(result['space']), 'bold')} on {screen.safe(result['server'])}")
    if "problem" in result:
        screen.line(screen.safe(result["problem"], 500))
    elif not result["role"]:
        screen.line(
            "This space does not exist, or you have no access. An admin can give it to you: `autology hub grant`."
        )
    else:
        files = ", ".join(f"{count:,} {kind}s" for kind, count in result["files"].items())
        screen.line(f"you are its {result['role']}; it has {files.replace('memorys', 'memories')}")
        screen.line(f"memories stored for all: {result['memories']:,}")
        screen.line(f"your conversations are {'shared' if result['shares'] else 'not shared'}")
    for member in result.get("members", ()):
        where = f" on {screen.safe(member['branch'])}" if member["branch"] else ""
        screen.line(f"  {screen.safe(member['login'])}: {member['role']}{where}, by {screen.safe(member['by'])}")
    if result["waiting"]:
        screen.line(f"{result['waiting']:,} memories wait to be sent: `autology hub push`")
    hub_space.show_messages(result["conflicts"], (), screen)
