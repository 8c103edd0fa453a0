"""The hub that a command works with, and the options that select a space of it."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from autology.cli.project import project_of
from autology.cli.screen import Screen
from autology.hub.model import Space
from autology.hub.sync import pull_memories
from autology.model.errors import HubError, ValidationError

if TYPE_CHECKING:
    from autology.hub.ports import HubOperations
    from autology.hub.sync.outbox import Outbox

STEP = "Write its address into a file that only you can read, and add `hub_dsn_file: THAT FILE` to your settings."


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that select a space, by default the project's."""
    parser.add_argument("--org", metavar="NAME", default="", help="the organisation (default: memory_org)")
    parser.add_argument("--whole", action="store_true", help="use the whole organisation's space, not the project's")


def hub_of(args: argparse.Namespace) -> HubOperations:
    """Return the hub, seen from the selected space. Raises ValidationError if none is configured."""
    whole = getattr(args, "whole", False)
    return configured(project_of(args).team.hub(getattr(args, "org", ""), "" if whole else None))


def show_messages(conflicts: Sequence[str], notes: Sequence[str], screen: Screen) -> None:
    """Print the paths of conflict files, with what to do about them, and notes."""
    for path in conflicts:
        screen.line(f"conflict: {screen.safe(path, 500)}")
        screen.line("  Correct the memory, or leave it as it is; then delete this file and push again.")
    screen.notes(notes)


def configured(hub: HubOperations | None) -> HubOperations:
    """Return *hub*. Raises ValidationError if it is None."""
    if hub is None:
        raise ValidationError("hub", "is not set up: no address is configured", STEP)
    return hub


def requeue_lost(outbox: Outbox, hub: HubOperations) -> list[str]:
    """Queue memories that the hub lost; return a message about that. An unreachable hub counts as complete."""
    try:
        lost = pull_memories.requeue_lost(outbox, hub, [Space(hub.space.org)])
    except HubError:
        return []
    return [f"the hub has older versions of {lost:,} memories than you; yours are sent again"] if lost else []
