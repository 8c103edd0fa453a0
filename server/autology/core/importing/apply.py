"""Applying an import plan, in atomic batches: after an interruption, the next run completes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from autology.core import freeze, projection
from autology.core.graph import Draft, Graph
from autology.core.importing.plan import Addition, Edit, Plan
from autology.core.ports import Progress
from autology.core.sync import text_of
from autology.text.nodefile import edit_node, in_line_ends_of, write_node

BATCH = 100
"""Nodes per batch: it takes a third of a second, and an interrupted import repeats at most these."""


@dataclass(frozen=True, slots=True)
class Done:
    """How many nodes were created and changed, and what was degraded."""

    added: int
    edited: int
    notes: tuple[str, ...] = ()


def apply(graph: Graph, plan: Plan, progress: Progress | None = None) -> Done:
    """Carry out *plan*. Batches written before an interruption stay.

    Raises:
        ConflictError: a node was edited since the plan was made; earlier batches stay.
        StorageError: the disk refused; earlier batches stay.
    """
    graph.files.create()
    added = 0
    # Edits first: they name nodes by ids that a second run derives again.
    steps: list[Addition | Edit] = [*plan.edits, *plan.additions]
    for at in range(0, len(steps), BATCH):
        batch = steps[at : at + BATCH]
        added += graph.change(lambda draft, batch=batch: _write(draft, batch, plan))  # type: ignore[misc]
        if progress:
            progress(min(at + BATCH, len(steps)), len(steps))
    if graph.projection_due:
        projection.write(graph)
    return Done(added, len(plan.edits), tuple(graph.notes))


def _write(draft: Draft, batch: Sequence[Addition | Edit], plan: Plan) -> int:
    """Put *batch* into *draft*; return how many nodes are new: another import may just have created some."""
    new = [step.node for step in batch if isinstance(step, Addition)]
    there = draft.graph.index.by_ids([node.id for node in new])
    for node in (freeze.sealed(node) for node in new if node.id not in there):
        draft.put_aside(node.path, None, write_node(node, plan.titles).encode())
        draft.nodes[node.path] = node
    for step in (step for step in batch if isinstance(step, Edit)):
        stored = step.stored
        before = text_of(stored.data)
        node = in_line_ends_of(before, stored.node, freeze.carried(stored.node, step.node))
        text = edit_node(before, node, plan.titles)
        draft.put_aside(stored.path, stored.data, text.encode())
        draft.nodes[stored.path] = node
    draft.relations_touched = True
    return len(new) - len(there)
