"""``autology disconnect``: remove Autology's server and hooks from another MCP client's configuration."""

from __future__ import annotations

import argparse

from autology.cli.connecting import all_clients, changed, client_called, disconnecting, finished
from autology.cli.screen import Screen

EXAMPLES = """\
autology disconnect codex
autology disconnect gemini --yes"""
JSON = "{client, file, changed, files}"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the client, and whether to ask for confirmation."""
    parser.add_argument("client", choices=[client.key for client in all_clients()], help="the client")
    parser.add_argument("--yes", action="store_true", help="do not ask for confirmation")


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Remove the server and the hooks from a client's configuration."""
    client = client_called(args.client)
    changes = disconnecting(client)
    if changes and not changed(client, changes, args.yes, screen):
        return 1
    state = "no longer starts Autology's server" if changes else "was not connected"
    return finished(client, changes, state, screen)
