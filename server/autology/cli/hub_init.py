"""``autology hub init``: set up the hub's database and this project's space in it, as its owner."""

from __future__ import annotations

import argparse

from autology.cli import hub_space
from autology.cli.screen import Screen
from autology.wire import user

EXAMPLES = """\
autology hub init
autology hub init --whole"""
JSON = "{space, server, steps: migrations run now, new: whether the space was created now}"
DIMS = 256
"""Dimensions of a vector if no encoder is available: those of the built-in table."""
arguments = hub_space.add_options


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Create the schema and the space, unless they exist."""
    hub = hub_space.hub_of(args)
    steps = hub.migrate(lambda step: screen.say(f"migration: {step}"))
    encoder = user.encoder()
    new = hub.create_space(len(encoder.encode([""])[0]) if encoder else DIMS)
    state = "is set up" if new else "was set up already"
    return screen.report(
        {"space": str(hub.space), "server": hub.place, "steps": steps, "new": new},
        f"✓ {screen.safe(str(hub.space))} {state} on {screen.safe(hub.place)}; you are its admin.",
        "`autology hub grant LOGIN writer` lets others in, `autology hub push` shares this project.",
    )
