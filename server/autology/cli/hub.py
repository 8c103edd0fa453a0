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
    Command("init", "hub_init", "create the hub's database and this project's space, as the database owner"),
    Command("status", "hub_status", "show what the hub stores for this project, the permissions, and pending changes"),
    Command("migrate", "hub_migrate", "upgrade the hub's database to this version, step by step"),
    Command("doctor", "hub_doctor", "check the connection to the hub and suggest fixes"),
    Command("push", "hub_push", "share this project's notes and documents, and send pending memories"),
    Command("pull", "hub_pull", "fetch memories that others share with the team"),
    Command("grant", "hub_grant", "let a login read, write or administer this space"),
    Command("revoke", "hub_revoke", "revoke a grant"),
    Command("history", "hub_history", "show every version of a memory, and its authors"),
    Command("prune", "hub_prune", "delete old audit entries and old versions"),
    Command("move", "hub_move", "migrate a space to another server, without interruption"),
    Command("consent", "hub_consent", "share the conversations of this project, or withdraw all of them"),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the actions."""
    program.add_parts(parser, PARTS)


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Run the action; return the exit code."""
    part = next(part for part in PARTS if part.name == args.part)
    return program.load(part).run(args, screen)
