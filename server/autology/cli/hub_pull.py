"""``autology hub pull``: bring memories that others keep for the team."""

from __future__ import annotations

import argparse

from autology import wire
from autology.cli import hubbed, project
from autology.cli.hub_push import PATIENCE
from autology.cli.screen import Screen
from autology.core.hub import memories
from autology.core.hub.port import Space

EXAMPLES = """\
autology hub pull"""
JSON = "{brought, removed, notes: [texts]}"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Take nothing."""
    del parser


def run(asked: argparse.Namespace, screen: Screen) -> int:
    """Bring what is newer there than what the local files were made of."""
    at = project.root(asked)
    hub, outbox = hubbed.seen(asked), wire.outbox()
    own = wire.memories(wire.graph(at), at)
    own.refresh(walk=True)
    with outbox.sending(PATIENCE):
        lost = hubbed.reconciled(outbox, hub)
        memories.offered(own, outbox, hub.space.org)
        found = memories.brought(own, outbox, hub, [hub.at(Space(hub.space.org)).space])
    found.notes[:0] = lost
    if screen.json:
        screen.data({"brought": found.brought, "removed": found.removed, "notes": found.notes})
    else:
        screen.line(f"✓ {found.brought:,} memories brought, {found.removed:,} moved to the trash")
        for note in found.notes:
            screen.line(f"Note: {screen.safe(note, 500)}")
    return 1 if found.notes else 0
