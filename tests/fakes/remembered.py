"""Memories on disk to test with: written as files are, with a clock that stands where it is put."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

from autology import places
from autology.core.memory.memories import Memories
from autology.core.nodes.graph import Graph
from autology.files.atomic import is_staged
from autology.files.memory_folder import MemoryFolder
from autology.files.node_folder import AutologyFolder
from autology.index.sqlite import SqliteIndex
from autology.model.memory import Kind, Memory, Scope
from autology.text.language.timestamps import stamp
from autology.text.notes.memory_file import write_memory

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
HERE = Scope(project="here")


def memories(root: Path, user: Path, now: Callable[[], datetime] = lambda: NOW, patience: float = 10.0) -> Memories:
    """Return the memories of the project at *root* and of the user whose data folder is *user*."""
    index = SqliteIndex(lambda: places.index_file(str(root)))
    graph = Graph(AutologyFolder(str(root), patience), index, now, lambda: str(uuid4()))
    return Memories(graph, MemoryFolder(str(root), patience), MemoryFolder(str(user), patience), lambda: HERE)


def a_memory(id: str, days: float | None = 90, kind: Kind = Kind.OBSERVATION, **fields: object) -> Memory:
    """Return a memory that expires so many *days* from now, or never."""
    at = stamp(NOW)
    until = None if days is None else stamp(NOW + timedelta(days=days))
    made = Memory(id, kind, f"What {id} says.", HERE, at, at, until)
    return replace(made, **fields)  # type: ignore[arg-type]


def write(root: Path, memory: Memory) -> Path:
    """Write the memory's file below *root*, a project or the user's data folder, as a person could."""
    file = root / ".autology" / "memory" / memory.kind.value / f"{memory.id}.md"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(write_memory(memory).encode())
    return file


def kept(root: Path) -> dict[str, bytes]:
    """Return the memories' files below *root*, those in the trash too, with what they hold."""
    own = root / ".autology"
    files = [path for part in ("memory", "trash") for path in (own / part).rglob("*") if path.is_file()]
    files = [path for path in files if not is_staged(path.name)]
    return {path.relative_to(own).as_posix(): path.read_bytes() for path in files}


def trashed(root: Path) -> dict[str, bytes]:
    """Return the memories in the trash below *root*, by their ids; of several of one id, one."""
    folder = root / ".autology" / "trash" / "memory"
    records = {json.loads(file.read_bytes())["id"]: file for file in folder.glob("*.json")}
    return {id: file.with_suffix(".md").read_bytes() for id, file in records.items()}
