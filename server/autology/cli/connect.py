"""``autology connect``: add Autology's server and hooks to another MCP client's configuration."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from autology.cli import spawn
from autology.cli.connecting import all_clients, changed, client_called, connecting, finished
from autology.cli.screen import Screen
from autology.model.errors import AutologyError, ValidationError
from autology.wire import user

EXAMPLES = """\
autology connect
autology connect codex
autology connect codex --server-only
autology connect gemini --yes"""
JSON = "{client, file, changed, files} or {clients: [{client, file, exists, connected, problem}]}"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the client, and whether to ask for confirmation."""
    keys = [client.key for client in all_clients()]
    parser.add_argument("client", nargs="?", choices=keys, help="the client; without one, all are listed")
    alone = "without hooks (what the project knows at a session's start, what a prompt asks of the past) and skill"
    parser.add_argument("--server-only", action="store_true", help=alone)
    parser.add_argument("--yes", action="store_true", help="do not ask for confirmation")


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Add the server to a client's configuration, or list the clients."""
    if not args.client:
        return _list(screen)
    archive = spawn.executable()
    if archive is None:
        problem = "clients start the executable, and this runs from source"
        raise ValidationError("connect", problem, "Build it with `python3 build.py build` and run `dist/autology.pyz`.")
    client = client_called(args.client)
    command = [sys.executable, "-I", "-S", str(Path(archive).resolve()), "serve"]
    with_skill = not args.server_only
    with_hooks = with_skill and os.name != "nt"  # there, the clients run hooks in shells that quote differently
    changes = connecting(client, command, with_hooks, with_skill)
    if changes and not changed(client, changes, args.yes, screen):
        return 1
    state = "starts Autology's server from its next session on" if changes else "is connected already"
    note = f" {client.hooks.note}." if changes and client.hooks and with_hooks and client.hooks.note else ""
    return finished(client, changes, f"{state}.{note} `autology disconnect {client.key}` undoes this", screen)


def _list(screen: Screen) -> int:
    rows = []
    for client in all_clients():
        connected, problem = False, ""
        try:
            connected = client.entry_in(user.read_client_config(client.file)) is not None
        except AutologyError as error:
            problem = error.message
        exists = Path(client.file).exists()
        rows.append(
            {
                "client": client.key,
                "file": client.file,
                "exists": exists,
                "connected": connected,
                "problem": problem,
            }
        )
        state = problem or ("connected" if connected else "not connected" if exists else "no configuration here")
        if not screen.json:
            screen.line(f"{client.key:10} {state:25} {screen.safe(client.file, 1_000)}")
    if screen.json:
        screen.data({"clients": rows})
    return 0
