"""``autology hub``: share notes, memories and conversations on a team hub."""

from __future__ import annotations

import argparse

from autology.cli.parser import add_actions
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


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the actions."""
    add_actions(parser, "hub")


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Run the action; return the exit code."""
    code: int = args.act(args, screen)
    return code
