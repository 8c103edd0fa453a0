"""``autology hub migrate``: bring the hub's database up to this version."""

from __future__ import annotations

import argparse

from autology.cli import hubbed
from autology.cli.screen import Screen

EXAMPLES = """\
autology hub migrate"""
JSON = "{server, taken: [steps taken now], step: the last one}"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Take nothing."""
    hubbed.space(parser)


def run(asked: argparse.Namespace, screen: Screen) -> int:
    """Take the steps that are missing, on every server; one that was stopped is taken up where it was."""
    for hub in hubbed.seen(asked).everywhere():
        taken: list[str] = []
        hub.migrate(taken.append)
        state = hub.state()
        if screen.json:
            screen.record({"server": hub.place, "taken": taken, "step": state.step})
        else:
            told = f"took {', '.join(taken)}" if taken else "was up to date"
            screen.line(f"✓ {screen.safe(hub.place)} {told}; it is at step {state.step} of {state.steps}.")
    return 0
