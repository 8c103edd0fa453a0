"""The hub that a command works with, and the options that name a space of it."""

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

STEP = "Put its address into a file that only you can read, and `hub_dsn_file: THAT FILE` into your settings."


def space(parser: argparse.ArgumentParser) -> None:
    """Add which space is meant: by default the project's own."""
    parser.add_argument(
        "--org", metavar="NAME", default="", help="the organisation, by default the settings' memory_org"
    )
    parser.add_argument("--whole", action="store_true", help="what belongs to the whole organisation, not the project")


def seen(asked: argparse.Namespace) -> Operated:
    """Return the hub, seen from the space that is asked for. Raises ValidationError where none is set up."""
    return known(
        wire.hub(project.root(asked), getattr(asked, "org", ""), "" if getattr(asked, "whole", False) else None)
    )


def known(found: Operated | None) -> Operated:
    """Return the hub that was found. Raises ValidationError where none is set up."""
    if found is None:
        raise ValidationError("hub", "is not set up: no address is known", STEP)
    return found


def reconciled(outbox: Outbox, hub: Operated) -> list[str]:
    """Have what the hub lost be offered anew; return what is to be said of that. A hub that is away lost nothing."""
    try:
        lost = memories.reconciled(outbox, hub, [Space(hub.space.org)])
    except HubError:
        return []
    return [f"the hub has older versions of {lost:,} memories than you had, and is sent yours"] if lost else []
