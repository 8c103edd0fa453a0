"""``autology hub migrate``: migrate the hub's databases to this version."""

from __future__ import annotations

import argparse

from autology.cli import hub_space
from autology.cli.screen import Screen

EXAMPLES = """\
autology hub migrate"""
JSON = "{server, taken: [migrations run now], step: the schema's version}"
arguments = hub_space.add_options


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Run the missing migrations on every server."""
    for hub in hub_space.hub_of(args).servers():
        names: list[str] = []
        hub.migrate(names.append)
        state = hub.schema_state()
        if screen.json:
            screen.record({"server": hub.place, "taken": names, "step": state.step})
        else:
            outcome = f"ran {', '.join(names)}" if names else "was up to date"
            screen.line(f"✓ {screen.safe(hub.place)} {outcome}; its schema has version {state.step}.")
    return 0
