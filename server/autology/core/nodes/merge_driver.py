"""Registering Autology as git's merge driver for notes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from autology.core.doctor import Diagnosis, Report
from autology.model.next_step import Action, Sentence, do

DRIVER = "autology"
"""The driver's name in git's configuration and attributes."""
_PATHS = re.compile(r"'([^']*)'")


@dataclass(frozen=True, slots=True)
class Registration:
    """Whether attributes name the driver for notes, and the command that this clone has for it."""

    attributes: bool
    command: str | None

    @property
    def complete(self) -> bool:
        """Whether git merges notes with it."""
        return self.attributes and self.command is not None

    @property
    def paths(self) -> list[str]:
        """The files that the command needs."""
        return [path for path in _PATHS.findall(self.command or "") if "/" in path]


class MergeDriver(Protocol):
    """Git's configuration of how notes are merged."""

    def state(self) -> Registration | None:
        """Return the registration, or None without version control."""

    def register(self, start: Sequence[str]) -> None:
        """Register *start* as the driver's command; idempotent."""


def examine(state: Registration | None, missing: Sequence[str]) -> Report:
    """Return how git merges the notes; *missing* are files that the command needs and that do not exist."""
    if state is None:
        return Report()
    if not state.attributes:
        offers = Sentence("notes as any text; ", do(Action.INIT), " offers to merge them field by field")
        return Report((("merges", offers),))
    step = Sentence(do(Action.INIT), " registers it again; until then git merges notes as any text.")
    if state.command is None:
        problem = "the notes use a merge driver that this clone has not registered"
        return Report((("merges", "notes as any text"),), (Diagnosis("merges", problem, step),))
    if missing:
        problem = f"the merge driver starts {missing[0]}, which does not exist"
        return Report((("merges", "notes as any text"),), (Diagnosis("merges", problem, step),))
    return Report((("merges", "notes field by field"),))
