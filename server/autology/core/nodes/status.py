"""The project's counts and problems."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from autology.core.index.catalogue import Edge
from autology.core.nodes.drift_watch import Watch
from autology.core.nodes.graph import Graph
from autology.model.node import NodeStatus, NodeType, RelationType

SHOWN = 20
"""Dangling relations listed; the count is complete."""


@dataclass(frozen=True, slots=True)
class Status:
    """Counts by type and status, all types included, and what needs attention."""

    nodes_by_type: Mapping[str, int]
    nodes_by_status: Mapping[str, int]
    relations_by_type: Mapping[str, int]
    unreadable: tuple[tuple[str, str], ...]
    drifted: int
    changed: Mapping[str, str]
    dangling: int
    dangling_relations: tuple[Edge, ...]
    indexed: int
    exists: bool
    notes: tuple[str, ...]

    @property
    def total_nodes(self) -> int:
        """The number of nodes."""
        return sum(self.nodes_by_type.values())

    @property
    def total_relations(self) -> int:
        """The number of relations."""
        return sum(self.relations_by_type.values())


def status(graph: Graph, watch: Watch | None = None) -> Status:
    """Return the project's status, after a check of every file; with a *watch*, drifted nodes need review."""
    exists = graph.files.exists()
    changed = graph.check_all() if exists else 0
    return graph.read_current(lambda: _counted(graph, exists, changed, watch))


def _counted(graph: Graph, exists: bool, changed: int, watch: Watch | None) -> Status:
    counts = graph.index.counts()
    drifted = watch.all() if watch else {}
    unlike_accepted = graph.index.changed()
    is_behind = bool(graph.degraded.behind)  # what a relation leads to may be among the files still to be read
    sources = graph.index.by_ids(list({*drifted, *unlike_accepted})).values()
    late = sum(source.status == NodeStatus.ACTIVE for source in sources)
    moved = {NodeStatus.ACTIVE: -late, NodeStatus.NEEDS_REVIEW: late}
    return Status(
        nodes_by_type={type.value: counts.nodes.get(type.value, 0) for type in NodeType},
        nodes_by_status={one.value: counts.statuses.get(one.value, 0) + moved.get(one, 0) for one in NodeStatus},
        drifted=len(drifted),
        changed=dict(unlike_accepted),
        relations_by_type={type.value: counts.relations.get(type.value, 0) for type in RelationType},
        unreadable=tuple(graph.index.faults()),
        dangling=0 if is_behind else counts.dangling,
        dangling_relations=() if is_behind else tuple(graph.index.dangling(SHOWN)),
        indexed=changed,
        exists=exists,
        notes=tuple(graph.notes),
    )
