"""``autology memory``: store, find, show and purge memories: items with a kind, a scope and a lifetime."""

from __future__ import annotations

import argparse

from autology.cli.parser import add_actions
from autology.cli.screen import Screen

EXAMPLES = """\
autology memory store --kind observation "The cache holds 40 entries."
autology memory find cache size --type observation
autology memory show 171a8767
autology memory status
autology memory purge --yes"""
JSON = """\
the results of the tools memory_store and memory_find, for store and find; see each action's --help"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the actions."""
    add_actions(parser, "memory")


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Run the action; return the exit code."""
    code: int = args.act(args, screen)
    return code
