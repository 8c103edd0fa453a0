"""Applying an import plan, in atomic batches: after an interruption, the next run completes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from autology.core.importing.import_plan import Addition, ImportPlan, NodeEdit
from autology.core.long_work import Progress
from autology.core.nodes import graph_index_file, sealing
from autology.core.nodes.graph import Graph
from autology.core.nodes.node_codec import NodeCodec
from autology.core.nodes.node_draft import NodeDraft

BATCH = 100
"""Nodes per batch, a third of a second: an interrupted import repeats at most these."""


@dataclass(frozen=True, slots=True)
class ImportResult:
    """How many nodes were created and changed, and what was degraded."""

    added: int
    edited: int
    notes: tuple[str, ...] = ()


def apply(graph: Graph, plan: ImportPlan, progress: Progress | None = None) -> ImportResult:
    """Carry out *plan*. Batches written before an interruption stay.

    Raises:
        ConflictError: a node was edited since the plan was made; earlier batches stay.
        StorageError: the disk refused; earlier batches stay.
    """
    graph.files.create()
    added = 0
    # Edits first: they name nodes by ids that a second run gives the same.
    steps: list[Addition | NodeEdit] = [*plan.edits, *plan.additions]
    for at in range(0, len(steps), BATCH):
        batch = steps[at : at + BATCH]
        added += graph.change(lambda draft, batch=batch: _write(draft, batch, plan))  # type: ignore[misc]
        if progress:
            progress(min(at + BATCH, len(steps)), len(steps))
    if graph.projection_due:
        graph_index_file.write(graph)
    return ImportResult(added, len(plan.edits), tuple(graph.notes))


def _write(draft: NodeDraft, batch: Sequence[Addition | NodeEdit], plan: ImportPlan) -> int:
    """Put *batch* into *draft*; return how many nodes are new: another import may just have created some."""
    new = [step.node for step in batch if isinstance(step, Addition)]
    there = draft.graph.index.by_ids([node.id for node in new])
    codec = NodeCodec(lambda _: plan.titles)
    for node in (sealing.sealed(node) for node in new if node.id not in there):
        draft.stage(node.path, None, codec.serialise(node), node)
    for step in (step for step in batch if isinstance(step, NodeEdit)):
        stored = step.stored
        node, data = codec.edit(stored, sealing.carried(stored.entry, step.node))
        draft.stage(stored.path, stored.data, data, node)
    draft.relations_touched = True
    return len(new) - len(there)
