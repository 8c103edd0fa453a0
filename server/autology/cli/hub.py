"""``autology hub``: the team hub for notes, memories and, by consent, conversations."""

from __future__ import annotations

import argparse

from autology.cli import program
from autology.cli.program import Command
from autology.cli.screen import Screen

EXAMPLES = """\
autology hub init
autology hub status
autology hub push
autology hub pull
autology hub grant ada writer
autology hub consent give"""
JSON = """\
see each action's --help"""
PARTS = (
    Command("init", "hub_init", "set up the hub's database and this project's space in it, as its owner"),
    Command("status", "hub_status", "this project on the hub: contents, members, and what waits to be sent"),
    Command("migrate", "hub_migrate", "migrate the hub's databases to this version"),
    Command("doctor", "hub_doctor", "check the connection to the hub; each finding with its fix"),
    Command("push", "hub_push", "share this project's files, and send memories that wait"),
    Command("pull", "hub_pull", "fetch memories that others stored for the team"),
    Command("grant", "hub_grant", "let a login read, write or administer this space"),
    Command("revoke", "hub_revoke", "revoke a login's access to this space"),
    Command("history", "hub_history", "all versions of a memory on the hub, and who wrote them"),
    Command("prune", "hub_prune", "delete old audit lines and old versions of memories"),
    Command("move", "hub_move", "move a space to another server while it is in use"),
    Command("consent", "hub_consent", "share your conversations of this project, or withdraw them all"),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the actions."""
    program.add_parts(parser, PARTS)


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Run the action; return the exit code."""
    part = next(part for part in PARTS if part.name == args.part)
    return program.load(part).run(args, screen)
