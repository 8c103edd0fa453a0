"""``graph/index.json``: every relation on a line, for people and tools that do not read the nodes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from autology.core.ports import Edge

if TYPE_CHECKING:
    from autology.core.graph import Graph

NAME = "graph/index.json"
SMALL = 1_000
"""Relations up to which it is written with every change (2 ms); beyond, when there is time for it."""


def write_if_small(graph: Graph) -> bool:
    """Write the projection if it is small; false if it was left for later. The lock must be held."""
    edges = graph.index.edges(limit=SMALL + 1)
    if len(edges) > SMALL:
        return False
    _write(graph, edges)
    return True


def write(graph: Graph) -> int:
    """Write the projection whatever its size; return how many relations it holds."""
    with graph.files.locked():
        edges = graph.index.edges()
        _write(graph, edges)
    graph.projection_due = False
    return len(edges)


def render(edges: Sequence[Edge], updated: str) -> bytes:
    """Return the projection's text: sorted, one relation a line, so that it can be compared."""
    lines = ",\n".join(f"  {_line(edge)}" for edge in sorted(edges, key=lambda e: (e.source, e.target, e.type)))
    relations = f"[\n{lines}\n]" if lines else "[]"
    return f'{{"version": "1.0", "lastUpdated": "{updated}", "relations": {relations}}}\n'.encode()


def _write(graph: Graph, edges: Sequence[Edge]) -> None:
    data = render(edges, graph.stamp())
    before = graph.files.read_projection(NAME)
    if before is None or before.partition(b'"relations"')[2] != data.partition(b'"relations"')[2]:
        graph.files.write_projection(NAME, data)


def _line(edge: Edge) -> str:
    entry: dict[str, object] = {"source": edge.source, "target": edge.target, "type": edge.type}
    if edge.description is not None:
        entry["description"] = edge.description
    return json.dumps({**entry, "confidence": edge.confidence}, ensure_ascii=False)
