"""The hub that a command works with, and the options that select a space of it."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from autology.cli.project import project_of
from autology.cli.screen import Screen
from autology.hub.model import Space
from autology.hub.sync import pull
from autology.model.errors import HubError, ValidationError

if TYPE_CHECKING:
    from autology.hub.ports import HubOperations
    from autology.hub.sync.outbox import Outbox

STEP = "Put its address into a file that only you can read, and `hub_dsn_file: THAT FILE` into your settings."


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that select a space, by default the project's."""
    parser.add_argument("--org", metavar="NAME", default="", help="the organisation (default: memory_org)")
    parser.add_argument("--whole", action="store_true", help="the space of the whole organisation, not the project's")


def hub_of(args: argparse.Namespace) -> HubOperations:
    """Return the hub, seen from the selected space. Raises ValidationError if none is configured."""
    whole = getattr(args, "whole", False)
    return configured(project_of(args).team.hub(getattr(args, "org", ""), "" if whole else None))


def report(screen: Screen, data: dict[str, Any], *lines: str) -> int:
    """Print *data* as JSON, or else *lines*; return the exit code for success."""
    if screen.json:
        screen.data(data)
    else:
        for line in lines:
            screen.line(line)
    return 0


def show_messages(conflicts: Sequence[str], notes: Sequence[str], screen: Screen) -> None:
    """Print the paths of conflict files, with what to do about them, and notes."""
    for path in conflicts:
        screen.line(f"conflict: {screen.safe(path, 500)}")
        screen.line("  Edit the memory to what is meant, or keep yours; delete that file, and push.")
    screen.notes(notes)


def configured(hub: HubOperations | None) -> HubOperations:
    """Return *hub*. Raises ValidationError if it is None."""
    if hub is None:
        raise ValidationError("hub", "is not set up: no address is known", STEP)
    return hub


def requeue_lost(outbox: Outbox, hub: HubOperations) -> list[str]:
    """Queue memories that the hub lost; return a message about that. A hub that is away has lost nothing."""
    try:
        lost = pull.requeue_lost(outbox, hub, [Space(hub.space.org)])
    except HubError:
        return []
    return [f"the hub has older versions of {lost:,} memories than you had, and is sent yours"] if lost else []
