"""``autology hub pull``: fetch memories that others stored for the team."""

from __future__ import annotations

import argparse

from autology.cli import hub_space
from autology.cli.hub_push import PATIENCE
from autology.cli.project import project_of
from autology.cli.screen import Screen
from autology.hub.model import Space
from autology.hub.sync.pull import pull
from autology.hub.sync.push import queue_changes
from autology.wire import user

EXAMPLES = """\
autology hub pull"""
JSON = "{brought, removed, notes: [texts]}"


def run(asked: argparse.Namespace, screen: Screen) -> int:
    """Fetch what is newer on the hub than what the local files are based on."""
    hub, outbox = hub_space.hub_of(asked), user.outbox()
    own = project_of(asked).memories
    own.refresh(walk=True)
    with outbox.sending(PATIENCE):
        lost = hub_space.requeue_lost(outbox, hub)
        queue_changes(own, outbox, hub.space.org)
        result = pull(own, outbox, hub, [Space(hub.space.org)])
    result.notes[:0] = lost
    if screen.json:
        screen.data({"brought": result.pulled, "removed": result.removed, "notes": result.notes})
    else:
        screen.line(f"✓ {result.pulled:,} memories fetched, {result.removed:,} moved to the trash")
        screen.notes(result.notes)
    return 1 if result.notes else 0
