"""``autology hub migrate``: migrate the hub's databases to this version."""

from __future__ import annotations

import argparse

from autology.cli import hub_space
from autology.cli.screen import Screen

EXAMPLES = """\
autology hub migrate"""
JSON = "{server, taken: [migrations run now], step: the last one}"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the space."""
    hub_space.add_options(parser)


def run(asked: argparse.Namespace, screen: Screen) -> int:
    """Run the missing migrations on every server."""
    for hub in hub_space.hub_of(asked).servers():
        taken: list[str] = []
        hub.migrate(taken.append)
        state = hub.schema_state()
        if screen.json:
            screen.record({"server": hub.place, "taken": taken, "step": state.step})
        else:
            outcome = f"ran {', '.join(taken)}" if taken else "was up to date"
            screen.line(f"✓ {screen.safe(hub.place)} {outcome}; its schema is at version {state.step}.")
    return 0
