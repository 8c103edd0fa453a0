"""``autology hub``: a team's hub, which shares notes, memories and, by consent, conversations."""

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
each action's --help tells the fields"""
PARTS = (
    Command("init", "hub_init", "set up the hub's database and this project's space in it, as its owner"),
    Command("status", "hub_status", "what the hub holds of this project, who may do what, and what waits to be sent"),
    Command("migrate", "hub_migrate", "bring the hub's database up to this version, a step at a time"),
    Command("doctor", "hub_doctor", "check the way to the hub; each finding with its fix"),
    Command("push", "hub_push", "share what this project's files say, and send memories that wait"),
    Command("pull", "hub_pull", "bring memories that others keep for the team"),
    Command("grant", "hub_grant", "let somebody read, write or administer this space"),
    Command("revoke", "hub_revoke", "take that back"),
    Command("history", "hub_history", "every version of a memory that the hub keeps, and whose it is"),
    Command("prune", "hub_prune", "take old lines out of the audit, and old versions out of the history"),
    Command("move", "hub_move", "have another server keep a space, while it is used"),
    Command("consent", "hub_consent", "share the conversations of this project, or take all of them back"),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add what can be done."""
    program.add_parts(parser, PARTS)


def run(asked: argparse.Namespace, screen: Screen) -> int:
    """Do it; return the exit code."""
    part = next(part for part in PARTS if part.name == asked.part)
    return program.load(part).run(asked, screen)
