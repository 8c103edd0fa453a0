"""``graph/index.json``: every relation on a line, for people and tools that do not read the nodes."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from typing import Protocol

from autology.core.content.files import Files
from autology.core.index.catalogue import Edge
from autology.core.index.index import Index
from autology.model.errors import StorageError

NAME = "graph/index.json"
ASIDE = "graph/index.older.json"
"""Where an older version's index is kept until the nodes have everything in it."""
SMALL = 1_000
"""Relations up to which it is written with every change (2 ms); beyond, when idle."""
MARK, DUE, DONE = "projection", "due", "done"
"""What the index notes about the file."""

_OURS = re.compile(rb'\{"version": "1\.0", "lastUpdated": "[^"]*", "relations": \[[\n\]]')


class Projected(Protocol):
    """The graph whose relations are written; *projection_due* says that this process changed some since."""

    files: Files
    index: Index
    projection_due: bool

    def stamp(self) -> str:
        """The present moment."""


def owe(graph: Projected) -> None:
    """Note that relations changed: in the index too, so that another process writes the file if this one ends first."""
    graph.projection_due = True
    _mark(graph, DUE)


def is_owed(graph: Projected) -> bool:
    """Whether relations changed, in any process, since the file was written."""
    return graph.index.metadata(MARK).startswith(DUE)


def update(graph: Projected, is_large: bool) -> bool:
    """Write the projection if it is small, else note that it is due; return whether it is large. The lock must be held.

    *is_large* says that it was large before.
    """
    lines = None if is_large else graph.index.relation_lines(SMALL)
    if lines is None:
        owe(graph)
        return True
    _write(graph, lines)
    graph.projection_due = False
    return False


def write(graph: Projected) -> int:
    """Write the projection whatever its size, without the lock; return its number of relations."""
    mark = graph.index.metadata(MARK)
    graph.projection_due = False  # set again by whatever changes meanwhile
    lines = graph.index.relation_lines() or ""
    data = render(lines, graph.stamp())
    before = graph.files.read_projection(NAME)
    if before is None or _OURS.match(before):
        if before is None or not _is_same(before, data):
            _replace(graph, data)
    else:
        with graph.files.locked():
            _write(graph, lines)
    # A slower process may just have replaced a newer file by an older one: the process that notices writes it again.
    if graph.index.metadata(MARK) == mark:
        _mark(graph, DONE)
    else:
        graph.projection_due = True
    return _count(lines)


def _replace(graph: Projected, data: bytes) -> None:
    try:
        graph.files.write_projection(NAME, data)
    except StorageError:
        with graph.files.locked():  # a writer who begins sweeps away what others stage beside it
            graph.files.write_projection(NAME, data)


def _mark(graph: Projected, state: str) -> None:
    graph.index.set_metadata(MARK, f"{state} {os.urandom(8).hex()}")


def render(lines: str, updated: str) -> bytes:
    """Return the projection's text: *lines* of a relation each, so that it diffs well."""
    relations = "[\n  {}\n]".format(lines.replace("\n", ",\n  ")) if lines else "[]"
    return f'{{"version": "1.0", "lastUpdated": "{updated}", "relations": {relations}}}\n'.encode()


def _count(lines: str) -> int:
    return lines.count("\n") + 1 if lines else 0


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


def _write(graph: Projected, lines: str) -> None:
    data = render(lines, graph.stamp())
    before = graph.files.read_projection(NAME)
    if before is None or not _is_same(before, data):
        if before and not _OURS.match(before):
            _keep(graph, before, graph.index.edges())
        graph.files.write_projection(NAME, data)


def _is_same(before: bytes, data: bytes) -> bool:
    """Whether both list the same relations."""
    # Views: 150,000 relations are 20 MB, and copies of them would stay with the process.
    one, other = (memoryview(text)[max(0, text.find(b'"relations"')) :] for text in (before, data))
    return one == other


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
