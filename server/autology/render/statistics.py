"""The counts of a project's notes and documents, and what needs attention, as JSON, for all front ends."""

from __future__ import annotations

from typing import Any

from autology.core.documents.stats import ContentCounts
from autology.core.index.catalogue import Edge
from autology.core.nodes.status import Status
from autology.render.degradation_notes import lines as lines_of
from autology.text.sanitising import clean_line

Json = dict[str, Any]


def status(state: Status) -> Json:
    """Return the project's counts and problems."""
    entry: Json = {
        "totalNodes": state.total_nodes,
        "nodesByType": dict(state.nodes_by_type),
        "totalRelations": state.total_relations,
        "relationsByType": dict(state.relations_by_type),
        "nodesByStatus": dict(state.nodes_by_status),
        "drifted": state.drifted,
        "changedSinceAccepted": [{"id": id, "what": what} for id, what in state.changed.items()],
        "unreadable": [
            {"path": clean_line(path, 1_000), "reason": clean_line(reason, 1_000)} for path, reason in state.unreadable
        ],
        "danglingRelations": {"count": state.dangling, "relations": [_edge(e) for e in state.dangling_relations]},
        "index": {"fresh": True, "filesReadNow": state.indexed},
        "degraded": lines_of(state.notes),
    }
    if not state.exists:
        entry["next"] = (
            "This project has no .autology yet: autology_capture creates it, or `autology init` in a terminal."
        )
    return entry


def contents(totals: ContentCounts, database_size: int) -> Json:
    """Return the total counts; documents and knowledge are both nodes of one graph."""
    return {
        "nodes": totals.nodes + totals.documents,
        "knowledge_nodes": totals.nodes,
        "documents": totals.documents,
        "edges": totals.edges,
        "embeddings": totals.embeddings,
        "database_size": database_size,
        "unreadable": totals.unreadable,
    }


def _edge(edge: Edge) -> Json:
    return {"source": edge.source, "type": edge.type, "target": edge.target}
