"""``graph/index.json``: every relation on a line, for people and tools that do not read the nodes."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Protocol

from autology.core.content.files import Files
from autology.core.index.catalogue import Edge
from autology.core.index.index import Index

NAME = "graph/index.json"
ASIDE = "graph/index.older.json"
"""Where an older version's index is kept until the nodes have everything in it."""
SMALL = 1_000
"""Relations up to which it is written with every change (2 ms); beyond, when idle."""

_OURS = re.compile(rb'\{"version": "1\.0", "lastUpdated": "[^"]*", "relations": \[[\n\]]')


class Projected(Protocol):
    """The graph whose relations are written."""

    files: Files
    index: Index
    projection_due: bool

    def stamp(self) -> str:
        """The present moment."""


def write_if_small(graph: Projected) -> bool:
    """Write the projection if it is small; return false if it was left for later. The lock must be held."""
    edges = graph.index.edges(limit=SMALL + 1)
    if len(edges) > SMALL:
        return False
    _write(graph, edges)
    return True


def write(graph: Projected) -> int:
    """Write the projection whatever its size; return its number of relations."""
    with graph.files.locked():
        edges = graph.index.edges()
        _write(graph, edges)
    graph.projection_due = False
    return len(edges)


def render(edges: Sequence[Edge], updated: str) -> bytes:
    """Return the projection's text: sorted, one relation a line, so that it diffs well."""
    lines = ",\n".join(f"  {_line(edge)}" for edge in sorted(edges, key=lambda e: (e.source, e.target, e.type)))
    relations = f"[\n{lines}\n]" if lines else "[]"
    return f'{{"version": "1.0", "lastUpdated": "{updated}", "relations": {relations}}}\n'.encode()


def older_relations(files: Files) -> list[Edge]:
    """Return the relations in an index that an older version wrote, wherever it is now."""
    texts = (files.read_projection(NAME), files.read_projection(ASIDE))
    return [edge for text in texts if text and not _OURS.match(text) for edge in _edges(text)]


def set_aside(graph: Projected) -> None:
    """Keep an older version's index from being overwritten."""
    with graph.files.locked():
        before = graph.files.read_projection(NAME)
        if before:
            _keep(graph, before, ())


def _write(graph: Projected, edges: Sequence[Edge]) -> None:
    data = render(edges, graph.stamp())
    before = graph.files.read_projection(NAME)
    if before is None or before.partition(b'"relations"')[2] != data.partition(b'"relations"')[2]:
        if before:
            _keep(graph, before, edges)
        graph.files.write_projection(NAME, data)


def _keep(graph: Projected, before: bytes, edges: Sequence[Edge]) -> None:
    """Set aside an older version's index if it has a relation that *edges* lack; ours is only a copy."""
    if _OURS.match(before) or graph.files.read_projection(ASIDE) is not None:
        return
    listed = {(edge.source, edge.type, edge.target) for edge in edges}
    if any((edge.source, edge.type, edge.target) not in listed for edge in _edges(before)):
        graph.files.write_projection(ASIDE, before)


def _edges(text: bytes) -> list[Edge]:
    """The relations in an index, without invalid ones."""
    try:
        entries = json.loads(text)["relations"]
        return [edge for entry in entries if (edge := _edge(entry))]
    except (ValueError, KeyError, TypeError, RecursionError):
        return []


def _edge(entry: object) -> Edge | None:
    if not isinstance(entry, dict):
        return None
    source, kind, target = (entry.get(key) for key in ("source", "type", "target"))
    text, sure = entry.get("description"), entry.get("confidence", 0.8)
    if not (isinstance(source, str) and isinstance(kind, str) and isinstance(target, str)):
        return None
    confidence = float(sure) if isinstance(sure, int | float) and 0 <= sure <= 1 else 0.8
    return Edge(source.lower(), kind, target.lower(), confidence, text if isinstance(text, str) and text else None)


_encode = json.JSONEncoder(ensure_ascii=False).encode
"""``json.dumps`` creates a new encoder for every line, which takes twice as long as the line."""


def _line(edge: Edge) -> str:
    entry: dict[str, object] = {"source": edge.source, "target": edge.target, "type": edge.type}
    if edge.description is not None:
        entry["description"] = edge.description
    return _encode({**entry, "confidence": edge.confidence})
