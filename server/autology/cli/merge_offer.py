"""The offer of `autology init` to register the git merge driver for notes."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from autology.cli import spawn
from autology.cli.screen import Screen
from autology.core.nodes.merge_driver import MergeDriver, Registration


@dataclass(frozen=True, slots=True)
class MergeOffer:
    """The driver, the state of its registration in git, and the command that starts it."""

    driver: MergeDriver
    state: Registration
    start: tuple[str, ...]

    @property
    def is_registered(self) -> bool:
        """Whether git is set up to merge notes with a driver that exists."""
        return self.state.complete and all(Path(path).exists() for path in self.state.paths)


def find(driver: MergeDriver) -> MergeOffer | None:
    """Return the offer; None without git, or without an executable that git could start."""
    state = driver.state()
    archive = spawn.executable()
    if state is None or archive is None:
        return None
    return MergeOffer(driver, state, (sys.executable, "-I", "-S", str(Path(archive).resolve())))


def show(offer: MergeOffer | None, screen: Screen) -> None:
    """Print what registering would change."""
    if offer and not offer.is_registered:
        screen.line("  git can merge branches' notes field by field: this adds a line to .autology/.gitattributes,")
        screen.line("  and this program as merge.autology.driver to this clone's git configuration")


def register(offer: MergeOffer | None, yes: bool, screen: Screen) -> bool:
    """Register the driver if the user agrees; return whether git merges notes with it."""
    if offer is None or offer.is_registered:
        return offer is not None
    if not yes and not (screen.can_ask() and screen.confirm("Let git merge notes field by field?", default=True)):
        return False
    offer.driver.register(offer.start)
    return True


def show_done(registered: bool, offer: MergeOffer | None, screen: Screen) -> None:
    """Print the result, or how to register the driver if the user could not be asked."""
    if registered:
        screen.line("✓ git merges the notes of two branches field by field.", "green")
    elif offer is not None and not screen.can_ask():
        screen.line("Git merges notes as plain text: `autology init --yes` lets it merge them field by field.")
