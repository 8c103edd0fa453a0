"""Undo: the changes made through one graph, step by step."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from autology.core.content.files import Change
from autology.core.nodes.graph import Graph
from autology.core.nodes.node_draft import NodeDraft
from autology.model.errors import ConflictError, StorageError, ValidationError

STEPS = 200
"""Steps that can be undone; the texts of a day of editing."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class UndoStep:
    """What one action changed in the files; *about* describes it, or what it *reverts*."""

    number: int
    about: str
    changes: tuple[Change, ...]
    reverts: bool = False
    at: float = 0.0


class Undo:
    """Records what is written through *graph* during :meth:`recorded`."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._acting = threading.RLock()
        self._steps: list[UndoStep] = []
        self._number = 0
        self._changes: list[Change] | None = None
        graph.written = self._record_changes

    def recorded(
        self, act: Callable[[], T], about: Callable[[T], str], reverts: bool = False
    ) -> tuple[T, UndoStep | None]:
        """Return the result of *act*, and its step; None if it wrote nothing."""
        with self._acting:
            self._changes = []
            try:
                done = act()
                return done, self._add_step(about(done), reverts) if self._changes else None
            finally:
                self._changes = None

    def take_back(self, number: int) -> UndoStep | None:
        """Undo the step of that number, atomically; return the step that this made, which can be undone too.

        Raises:
            ValidationError: the step is unknown.
            StorageError: a file was changed since; nothing was undone.
        """
        with self._acting:
            step = next((one for one in self._steps if one.number == number), None)
            if step is None:
                raise ValidationError("step", f"{number} can no longer be undone", "Undo the latest change.")

            def take_back(draft: NodeDraft) -> None:
                for change in reversed(step.changes):
                    draft.take_back(change)

            try:
                act = lambda: self._graph.change(take_back, walk=True)  # noqa: E731
                _, undone = self.recorded(act, lambda _: step.about, reverts=not step.reverts)
            except ConflictError as error:
                fits = "Nothing was undone; edit it by hand, the trash and version control have the older text."
                raise StorageError(error.path, "was changed since", fits) from None
            self._steps.remove(step)
            return undone

    def observed(self, about: str, changes: Sequence[Change]) -> UndoStep:
        """Return a step for changes that were made elsewhere."""
        with self._acting:
            self._changes = [*changes]
            try:
                return self._add_step(about, False)
            finally:
                self._changes = None

    def latest_of(self, path: str) -> UndoStep | None:
        """Return the latest step that changed the file at *path*, after waiting for one that is being made."""
        with self._acting:
            steps = self._steps
        return next((step for step in reversed(steps) if any(one.path == path for one in step.changes)), None)

    def _add_step(self, about: str, reverts: bool) -> UndoStep:
        self._number += 1
        step = UndoStep(self._number, about, tuple(self._changes or ()), reverts, time.monotonic())
        self._steps = [*self._steps, step][-STEPS:]
        return step

    def _record_changes(self, changes: Sequence[Change]) -> None:
        if self._changes is not None:
            self._changes += changes
