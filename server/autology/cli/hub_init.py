"""``autology hub init``: set up the hub's database and this project's space in it, as its owner."""

from __future__ import annotations

import argparse

from autology.cli import hub_space
from autology.cli.screen import Screen
from autology.wire import user

EXAMPLES = """\
autology hub init
autology hub init --whole"""
JSON = "{space, server, steps: migrations run now, new: whether the space is}"
DIMS = 256
"""Dimensions of a vector if no encoder is available: those of the built-in table."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the space."""
    hub_space.add_options(parser)


def run(asked: argparse.Namespace, screen: Screen) -> int:
    """Set it up; what exists stays."""
    hub = hub_space.hub_of(asked)
    steps = hub.migrate(lambda step: screen.say(f"migration: {step}"))
    encoder = user.encoder()
    new = hub.create_space(len(encoder.encode([""])[0]) if encoder else DIMS)
    if screen.json:
        screen.data({"space": str(hub.space), "server": hub.place, "steps": steps, "new": new})
    else:
        state = "is set up" if new else "was set up already"
        screen.line(f"✓ {screen.safe(str(hub.space))} {state} on {screen.safe(hub.place)}; you are its admin.")
        screen.line("`autology hub grant LOGIN writer` lets others in, `autology hub push` shares this project.")
    return 0
