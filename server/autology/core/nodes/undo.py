"""Undo: the changes made through one graph, step by step."""

from __future__ import annotations

import threading
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
    """What one action changed in the files; *about* describes it."""

    number: int
    about: str
    changes: tuple[Change, ...]


class Undo:
    """Records what is written through *graph* during :meth:`recorded`."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._acting = threading.RLock()
        self._steps: list[UndoStep] = []
        self._number = 0
        self._changes: list[Change] | None = None
        graph.written = self._record_changes

    def recorded(self, act: Callable[[], T], about: Callable[[T], str]) -> tuple[T, UndoStep | None]:
        """Return the result of *act*, and its step; None if it wrote nothing."""
        with self._acting:
            self._changes = []
            try:
                done = act()
                return done, self._add_step(about(done)) if self._changes else None
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
                _, undone = self.recorded(lambda: self._graph.change(take_back, walk=True), lambda _: step.about)
            except ConflictError as error:
                fits = "Nothing was undone; edit it by hand, the trash and version control have the older text."
                raise StorageError(error.path, "was changed since", fits) from None
            self._steps.remove(step)
            return undone

    def _add_step(self, about: str) -> UndoStep:
        self._number += 1
        step = UndoStep(self._number, about, tuple(self._changes or ()))
        self._steps = [*self._steps, step][-STEPS:]
        return step

    def _record_changes(self, changes: Sequence[Change]) -> None:
        if self._changes is not None:
            self._changes += changes
