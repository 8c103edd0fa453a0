"""``autology hub init``: set up the hub's database and this project's space in it."""

from __future__ import annotations

import argparse

from autology import wire
from autology.cli import hubbed
from autology.cli.screen import Screen

EXAMPLES = """\
autology hub init
autology hub init --whole"""
JSON = "{space, server, steps: taken now, new: whether the space is}"
DIMS = 256
"""Numbers of a vector where no encoder can be used: those of the table that is built in."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the space."""
    hubbed.space(parser)


def run(asked: argparse.Namespace, screen: Screen) -> int:
    """Set it up; what is there already stays."""
    hub = hubbed.seen(asked)
    steps = hub.migrate(lambda step: screen.say(f"step: {step}"))
    encoder = wire.encoder()
    new = hub.make(len(encoder.encode([""])[0]) if encoder else DIMS)
    if screen.json:
        screen.data({"space": str(hub.space), "server": hub.place, "steps": steps, "new": new})
    else:
        done = "is set up" if new else "was set up already"
        screen.line(f"✓ {screen.safe(str(hub.space))} {done} on {screen.safe(hub.place)}; you are its admin.")
        screen.line("`autology hub grant LOGIN writer` lets others in, `autology hub push` shares what is here.")
    return 0
