"""``autology memory``: memory items with a kind, a scope and a lifetime."""

from __future__ import annotations

import argparse

from autology.cli import program
from autology.cli.program import Command
from autology.cli.screen import Screen

EXAMPLES = """\
autology memory store --kind observation "The cache holds 40 entries."
autology memory find cache size --type observation
autology memory show 171a8767
autology memory status
autology memory purge --yes"""
JSON = """\
the results of the tools memory_store and memory_find, for store and find; see each action's --help"""
PARTS = (
    Command("store", "memory_store", "store an item, or many from a JSON file; change or delete one by its id", True),
    Command("find", "memory_find", "search items, lexically, semantically and along relations"),
    Command("show", "memory_show", "print an item"),
    Command("status", "memory_status", "show the health, the counts and the history of the memories"),
    Command("purge", "memory_purge", "move expired items to the trash; without --yes, only list them", True),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the actions."""
    program.add_parts(parser, PARTS)


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Run the action; return the exit code."""
    part = next(part for part in PARTS if part.name == args.part)
    return program.load(part).run(args, screen)
