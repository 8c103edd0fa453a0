"""Projects to test with: on disk or in memory, with a clock that tells and ids that are known."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

from autology import places
from autology.core.content.files import Files
from autology.core.index.index import Index
from autology.core.nodes.graph import Graph
from autology.files.node_folder import AutologyFolder
from autology.index.sqlite import SqliteIndex
from autology.model.node import Node, NodeType
from tests.fakes.files import MemoryFiles
from tests.fakes.index import MemoryIndex

BEGIN = datetime(2026, 2, 8, 10, 0, 0, tzinfo=UTC)


class Clock:
    """A clock that goes on by a minute whenever it is read, or stands where it is put."""

    def __init__(self, step: timedelta = timedelta(minutes=1)) -> None:
        self.at = BEGIN
        self.step = step

    def __call__(self) -> datetime:
        self.at += self.step
        return self.at


def an_id(number: int) -> str:
    """Return the id that the node made as *number*-th gets: its first eight characters tell it apart."""
    return f"{number:08x}-0000-4000-8000-000000000000"


def ids(first: int = 1) -> Callable[[], str]:
    """Return a maker of ids, counting from *first*."""
    numbers = count(first)
    return lambda: an_id(next(numbers))


def a_graph(files: Files | None = None, index: Index | None = None, first_id: int = 1) -> Graph:
    """Return an empty project's knowledge, in memory unless told otherwise."""
    return Graph(files or MemoryFiles(), index or MemoryIndex(), Clock(), ids(first_id))


def on_disk(root: Path, first_id: int = 1, patience: float = 10.0) -> Graph:
    """Return the knowledge of the project at *root*, which always makes the same ids at the same times."""
    index = SqliteIndex(lambda: places.index_file(str(root)))
    return Graph(AutologyFolder(str(root), patience), index, Clock(), ids(first_id))


def save(graph: Graph, path: str, data: bytes | None) -> None:
    """Write a file as a person would, or remove it."""
    files = graph.files
    if isinstance(files, MemoryFiles):
        files.remove(path) if data is None else files.save(path, data)
        return
    assert isinstance(files, AutologyFolder)
    full = Path(files.root, path)
    full.unlink() if data is None else full.write_bytes(data)


def a_node(number: int = 1, **fields: object) -> Node:
    """Return a node; *fields* say what is special about it."""
    made = "2026-02-08T10:00:00Z"
    base = {"id": an_id(number), "type": NodeType.CONCEPT, "title": f"Note {number}", "content": "text"}
    return Node(**{**base, "created": made, "modified": made, **fields})  # type: ignore[arg-type]
