"""``autology disconnect``: remove Autology's server from another MCP client's configuration."""

from __future__ import annotations

import argparse

from autology.cli.connecting import all_clients, changed, client_called, finished
from autology.cli.screen import Screen
from autology.wire import user

EXAMPLES = """\
autology disconnect codex
autology disconnect gemini --yes"""
JSON = "{client, file, changed}"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the client, and whether to ask for confirmation."""
    parser.add_argument("client", choices=[client.key for client in all_clients()], help="the client")
    parser.add_argument("--yes", action="store_true", help="do not ask for confirmation")


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Remove the server from a client's configuration."""
    client = client_called(args.client)
    before = user.read_client_config(client.file)
    after = client.disconnected(before)
    is_connected = after != before
    after = "" if after.strip() == "{}" else after
    if is_connected and not changed(client, before, after, args.yes, screen):
        return 1
    state = "no longer starts Autology's server" if is_connected else "was not connected"
    return finished(client, is_connected, state, screen)
