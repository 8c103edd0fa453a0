"""Calls: the decisions in chronological order, and which superseded which."""

from __future__ import annotations

from typing import Any

from autology.core.index.namesakes import namesakes
from autology.model.hit import Source
from autology.model.node import NodeStatus, NodeType, RelationType
from autology.model.query import Filter
from autology.web.snapshot import title_of
from autology.wire.project import Project

Json = dict[str, Any]


def timeline(project: Project) -> Json:
    """Return the decisions, latest first, and (newer, older) pairs of ids."""
    graph = project.graph

    def read() -> Json:
        sources = graph.index.listed(Filter(type=NodeType.DECISION.value), -1, "")
        marks = namesakes(sources)
        decisions = [
            {
                "id": source.id,
                "title": title_of(source),
                "status": source.status,
                "decision_status": source.decision_status,
                "created": source.created or None,
                "mark": marks.get(source.id, ""),
            }
            for source in sorted(sorted(sources, key=_name), key=_when, reverse=True)
        ]
        ids = {source.id for source in sources}
        pairs = [
            [edge.source, edge.target]
            for edge in graph.index.edges()
            if edge.type == RelationType.SUPERSEDES and edge.source in ids and edge.target in ids
        ]
        return {"decisions": decisions, "supersedes": pairs}

    return graph.read_current(read)


def _name(source: Source) -> tuple[str, str]:
    return (source.title, source.id)


def _when(source: Source) -> tuple[str, bool]:
    """Sort key; within one second, current decisions come after superseded ones."""
    return (source.created, source.status != NodeStatus.SUPERSEDED)
