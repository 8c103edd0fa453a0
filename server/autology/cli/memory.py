"""``autology memory``: items of knowledge with a kind, a scope and a lifetime."""

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
what the tools memory_store and memory_find answer, for store and find; each action's --help tells the fields"""
PARTS = (
    Command("store", "memory_store", "store an item, or many from a JSON file; change or delete one by its id", True),
    Command("find", "memory_find", "find items by words, meaning and relations"),
    Command("show", "memory_show", "print an item"),
    Command("status", "memory_status", "how memories are, how many there are, and what was done with them"),
    Command("purge", "memory_purge", "move items whose time is over to the trash; without --yes, only list them", True),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add what can be done."""
    program.add_parts(parser, PARTS)


def run(asked: argparse.Namespace, screen: Screen) -> int:
    """Do it; return the exit code."""
    part = next(part for part in PARTS if part.name == asked.part)
    return program.load(part).run(asked, screen)
