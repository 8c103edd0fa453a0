"""What `autology connect` and `autology disconnect` share: the change is shown, and made after consent."""

from __future__ import annotations

import difflib
import os

from autology.cli.screen import Screen
from autology.core.client_setup import McpClient, clients
from autology.model.errors import ValidationError
from autology.text.fence import visible
from autology.wire import user


def all_clients() -> list[McpClient]:
    """Return the clients that can be set up."""
    return clients(os.environ, os.path.expanduser("~"))


def client_called(key: str) -> McpClient:
    """Return the client of that name."""
    return next(client for client in all_clients() if client.key == key)


def changed(client: McpClient, before: str, after: str, yes: bool, screen: Screen) -> bool:
    """Show the change of a client's file, and make it if the user agrees; return whether it was made."""
    if not screen.json:
        screen.line(f"{client.label}: {screen.safe(client.file, 1_000)}", "bold")
        for line in difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=2):
            if not line.startswith(("---", "+++")):
                screen.line(f"  {visible(line)}")
    if not yes:
        if not screen.can_ask():
            raise ValidationError(client.key, "its configuration is not changed without confirmation", "Pass --yes.")
        if not screen.confirm("Change this file?", default=True):
            screen.line("Nothing was changed.")
            return False
    user.write_client_config(client.file, before, after)
    return True


def finished(client: McpClient, is_changed: bool, state: str, screen: Screen) -> int:
    """Report the *state* of a client; return the exit code."""
    if screen.json:
        screen.data({"client": client.key, "file": client.file, "changed": is_changed})
    else:
        screen.line(f"✓ {client.label} {state}.", "green")
    return 0
