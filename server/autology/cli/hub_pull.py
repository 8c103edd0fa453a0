"""``autology hub pull``: fetch memories that others stored for the team."""

from __future__ import annotations

import argparse

from autology.cli import hub_space
from autology.cli.hub_push import PATIENCE
from autology.cli.project import project_of
from autology.cli.screen import Screen
from autology.hub.model import Space
from autology.hub.sync.pull_memories import pull
from autology.hub.sync.push_memories import queue_changes
from autology.wire import user

EXAMPLES = """\
autology hub pull"""
JSON = "{brought, removed, notes: [texts]}"


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Fetch memories of which the hub has a newer version than the local files are based on."""
    hub, outbox = hub_space.hub_of(args), user.outbox()
    memories = project_of(args).memories
    memories.refresh(walk=True)
    with outbox.sending(PATIENCE):
        lost = hub_space.requeue_lost(outbox, hub)
        queue_changes(memories, outbox, hub.space.org)
        result = pull(memories, outbox, hub, [Space(hub.space.org)])
    result.notes[:0] = lost
    screen.report(
        {"brought": result.pulled, "removed": result.removed, "notes": result.notes},
        f"✓ {result.pulled:,} memories fetched, {result.removed:,} moved to the trash",
        *(f"Note: {screen.safe(note, 500)}" for note in result.notes),
    )
    return 1 if result.notes else 0
