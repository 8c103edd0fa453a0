"""What `autology connect` and `autology disconnect` share: the changes are shown, and made after consent."""

from __future__ import annotations

import difflib
import os
from collections.abc import Sequence
from dataclasses import dataclass

from autology.cli.screen import Screen
from autology.core.client_setup import McpClient, clients
from autology.model.errors import ValidationError
from autology.render import client_skill
from autology.text.sanitising import visible
from autology.wire import user


@dataclass(frozen=True, slots=True)
class FileChange:
    """The text of a client's file *before* and *after* a change."""

    file: str
    before: str
    after: str


def all_clients() -> list[McpClient]:
    """Return the clients that can be set up."""
    return clients(os.environ, os.path.expanduser("~"))


def client_called(key: str) -> McpClient:
    """Return the client of that name."""
    return next(client for client in all_clients() if client.key == key)


def connecting(client: McpClient, command: Sequence[str], with_hooks: bool, with_skill: bool) -> list[FileChange]:
    """Return the changes that connect a client to the server, and to the hooks and the skill if it can have them."""
    before = _texts(client)
    after = dict(before)
    after[client.file] = client.connected(after[client.file], command)
    if client.hooks and with_hooks:
        after[client.hooks.file] = client.hooks.connected(after[client.hooks.file], command[:-1])
    if with_skill and client.skill and _is_ours(before[client.skill]):
        after[client.skill] = client_skill.TEXT
    return _changes(before, after)


def disconnecting(client: McpClient) -> list[FileChange]:
    """Return the changes that remove the server and the hooks from a client."""
    before = _texts(client)
    after = dict(before)
    after[client.file] = client.disconnected(after[client.file])
    if client.hooks:
        after[client.hooks.file] = client.hooks.disconnected(after[client.hooks.file])
    if client.skill and _is_ours(after[client.skill]):
        after[client.skill] = ""
    emptied = {file: "" if text.strip() == "{}" and text != before[file] else text for file, text in after.items()}
    return _changes(before, emptied)


def changed(client: McpClient, changes: Sequence[FileChange], yes: bool, screen: Screen) -> bool:
    """Show the changes of a client's files, and make them if the user agrees; return whether they were made."""
    if not screen.json:
        for change in changes:
            screen.line(f"{client.label}: {screen.safe(change.file, 1_000)}", "bold")
            lines = change.before.splitlines(), change.after.splitlines()
            for line in difflib.unified_diff(*lines, lineterm="", n=2):
                if not line.startswith(("---", "+++")):
                    screen.line(f"  {visible(line)}")
    if not yes:
        if not screen.can_ask():
            raise ValidationError(client.key, "its configuration is not changed without confirmation", "Pass --yes.")
        question = "Change this file?" if len(changes) == 1 else "Change these files?"
        if not screen.confirm(question, default=True):
            screen.line("Nothing was changed.")
            return False
    for change in changes:
        user.write_client_config(change.file, change.before, change.after)
    return True


def finished(client: McpClient, changes: Sequence[FileChange], state: str, screen: Screen) -> int:
    """Report the *state* of a client; return the exit code."""
    data = {"client": client.key, "file": client.file, "changed": bool(changes)}
    files = [change.file for change in changes]
    return screen.report({**data, "files": files}, screen.styled(f"✓ {client.label} {state}.", "green"))


def _is_ours(skill: str) -> bool:
    """Whether a skill was written by `autology connect`, or no skill has its name yet."""
    return not skill.strip() or client_skill.MARK in skill


def _texts(client: McpClient) -> dict[str, str]:
    files = [client.file, *([client.hooks.file] if client.hooks else []), *([client.skill] if client.skill else [])]
    return {file: user.read_client_config(file) for file in files}


def _changes(before: dict[str, str], after: dict[str, str]) -> list[FileChange]:
    return [FileChange(file, before[file], text) for file, text in after.items() if text != before[file]]
