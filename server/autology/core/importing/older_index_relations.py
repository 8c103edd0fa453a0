"""Relations that only an older version's index has: moved into their source nodes, once."""

from __future__ import annotations

from dataclasses import dataclass

from autology.core.index.catalogue import Edge
from autology.core.long_work import Progress
from autology.core.nodes import graph_index_file
from autology.core.nodes.graph import Graph
from autology.core.nodes.node_draft import NodeDraft
from autology.core.nodes.relate import relate
from autology.model.errors import AutologyError


@dataclass(frozen=True, slots=True)
class PendingRelations:
    """The relations that can be imported, and those from or to a missing node."""

    relations: tuple[Edge, ...] = ()
    without_ends: tuple[Edge, ...] = ()


@dataclass(frozen=True, slots=True)
class MovedRelations:
    """How many relations their source nodes have now, and which were refused, and why."""

    count: int
    refused: tuple[tuple[Edge, str], ...] = ()


def waiting(graph: Graph) -> PendingRelations:
    """Return the relations that an older version's index has but no node's frontmatter."""
    if not graph.files.exists():
        return PendingRelations()
    graph.refresh(walk=True)
    existing = {(edge.source, edge.type, edge.target) for edge in graph.index.edges()}
    missing = {
        (edge.source, edge.type, edge.target): edge
        for edge in graph_index_file.older_relations(graph.files)
        if (edge.source, edge.type, edge.target) not in existing
    }
    there = graph.index.by_ids(sorted({end for source, _, target in missing for end in (source, target)}))
    whole = [edge for edge in missing.values() if edge.source in there and edge.target in there]
    return PendingRelations(tuple(whole), tuple(edge for edge in missing.values() if edge not in whole))


def bring_in(graph: Graph, pending: PendingRelations, progress: Progress | None = None) -> MovedRelations:
    """Write *pending* into the source nodes of the relations.

    After an interruption, the next run does the rest: the older index is kept until then.
    """
    count, refused = 0, []
    graph_index_file.set_aside(graph)
    for edge in pending.relations:
        try:
            relate(graph, edge.source, edge.target, edge.type, edge.description, edge.confidence)
            count += 1
        except AutologyError as error:
            refused.append((edge, error.message))
        if progress:
            progress(count + len(refused), len(pending.relations))
    if not pending.without_ends and not refused:
        _drop_aside(graph)
    graph_index_file.write(graph)
    return MovedRelations(count, tuple(refused))


def _drop_aside(graph: Graph) -> None:
    """Remove an older version's index: the nodes have everything in it."""

    def act(draft: NodeDraft) -> None:
        if before := graph.files.read_projection(graph_index_file.ASIDE):
            draft.stage(f".autology/{graph_index_file.ASIDE}", before, None)

    graph.change(act)
