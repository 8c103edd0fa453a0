"""The hub that a command uses, and the options that select a space."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from autology import wire
from autology.cli import project
from autology.core.hub import memories
from autology.core.hub.port import Space
from autology.model.errors import HubError, ValidationError

if TYPE_CHECKING:
    from autology.core.hub.port import Operated, Outbox

STEP = "Write its DSN to a file that only you can read, and set `hub_dsn_file: THAT FILE` in your settings."


def space(parser: argparse.ArgumentParser) -> None:
    """Add the options that select a space: by default the project's own."""
    parser.add_argument("--org", metavar="NAME", default="", help="organisation (default: the setting memory_org)")
    parser.add_argument("--whole", action="store_true", help="use the organisation's own space, not the project's")


def seen(args: argparse.Namespace) -> Operated:
    """Return the hub for the selected space. Raises ValidationError if none is configured."""
    return known(wire.hub(project.root(args), getattr(args, "org", ""), "" if getattr(args, "whole", False) else None))


def known(hub: Operated | None) -> Operated:
    """Return *hub*. Raises ValidationError if it is None."""
    if hub is None:
        raise ValidationError("hub", "no hub is configured", STEP)
    return hub


def reconciled(outbox: Outbox, hub: Operated) -> list[str]:
    """Queue what the hub lost to be sent again; return notices about it. An unreachable hub lost nothing."""
    try:
        lost = memories.reconciled(outbox, hub, [Space(hub.space.org)])
    except HubError:
        return []
    return [f"the hub had older versions of {lost:,} memories than you; yours are sent again"] if lost else []
