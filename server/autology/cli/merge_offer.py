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
    """The driver's registration in git, its state, and the command that would start it."""

    driver: MergeDriver
    state: Registration
    start: tuple[str, ...]

    @property
    def stands(self) -> bool:
        """Whether git merges notes with an existing driver."""
        return self.state.complete and all(Path(path).exists() for path in self.state.paths)


def find(driver: MergeDriver) -> MergeOffer | None:
    """Return the offer; None without git, or without an executable that git could start."""
    state = driver.state()
    archive = spawn.executable()
    if state is None or archive is None:
        return None
    return MergeOffer(driver, state, (sys.executable, "-I", "-S", str(Path(archive).resolve())))


def show(offer: MergeOffer | None, screen: Screen) -> None:
    """Print what would be done."""
    if offer and not offer.stands:
        screen.line("  git can merge branches' notes field by field: this adds a line to .autology/.gitattributes,")
        screen.line("  and this program as merge.autology.driver to this clone's git configuration")


def do(offer: MergeOffer | None, yes: bool, screen: Screen) -> bool:
    """Register the driver if the user agrees; return whether git merges notes with it."""
    if offer is None or offer.stands:
        return offer is not None
    if not yes and not (screen.asks() and screen.yes("Let git merge notes field by field?", usual=True)):
        return False
    offer.driver.register(offer.start)
    return True


def show_done(merges: bool, offer: MergeOffer | None, screen: Screen) -> None:
    """Print the result, or how to register the driver if nobody could be asked."""
    if merges:
        screen.line("✓ git merges the notes of two branches field by field.", "green")
    elif offer is not None and not screen.asks():
        screen.line("Git merges notes as plain text: `autology init --yes` lets it merge them field by field.")
