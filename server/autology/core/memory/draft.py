"""What a batch is going to write, root by root, seen as if it were written already."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from autology.core.memory.memories import Memories, Root, Stored
from autology.core.memory.trash import discarding
from autology.core.ports import Change, Stamp
from autology.core.sync import text_of
from autology.model.entry import MEMORY
from autology.model.errors import StorageError
from autology.model.hit import Source
from autology.model.memory import Kind, Memory, Scope
from autology.text.memoryfile import edit_memory, in_line_ends_of, write_memory


@dataclass(slots=True)
class _File:
    """A file from what it is on disk to what it is going to be; None stands for no file."""

    root: Root
    before: bytes | None
    after: bytes | None
    memory: Memory | None


class Draft:
    """Changes being gathered, made all at once when the batch is done with them."""

    def __init__(self, memories: Memories) -> None:
        self._memories = memories
        self._files: dict[str, _File] = {}
        self._paths: dict[str, str] = {}
        self._ids: dict[str, set[str]] = {}
        self._aside: dict[str, dict[str, Change]] = {}
        self._sources: dict[str, Source | None] = {}
        self.written: set[str] = set()

    def look_up(self, ids: Sequence[str]) -> None:
        """Ask the index for what it knows of *ids*, at once."""
        found = self._memories.index.by_ids(ids) if ids else {}
        self._sources.update((id, found.get(id)) for id in ids)

    def source(self, id: str) -> Source | None:
        """Return what the index knows of the source of that id, of whatever kind."""
        if id not in self._sources:
            self.look_up([id])
        return self._sources[id]

    def stored(self, id: str) -> Stored | None:
        """Return the item of that id with its file, as the batch has left it so far. Raises StorageError."""
        path = self._paths.get(id)
        if path is None:
            source = self.source(id)
            return self._memories.held(source) if source is not None and source.kind == MEMORY else None
        file = self._files[path]
        return None if file.memory is None or file.after is None else Stored(file.memory, path, file.after)

    def by_id(self, id: str) -> Memory | None:
        """Return the item of that id, or None where there is none that can be read."""
        path = self._paths.get(id)
        if path is not None:
            return self._files[path].memory
        source = self.source(id)
        if source is None or source.kind != MEMORY:
            return None
        return next((memory for memory, _ in self._memories.readable([source])), None)

    def with_migration(self, migration_id: str, scope: Scope) -> Memory | None:
        """Return the schema change of that migration in the scope."""
        for memory in (file.memory for file in self._files.values() if file.memory):
            same = str(memory.data.get("migration_id")) == migration_id and memory.scope == scope
            if same and memory.kind is Kind.DDL:
                return memory
        found = self._memories.with_migration(migration_id, scope)
        return found if found is not None and self.by_id(found.id) is not None else None

    def create(self, root: Root, memory: Memory) -> None:
        """Add a new item. Raises StorageError where a file has its place that cannot be read as an item."""
        inner = f".autology/memory/{memory.kind.value}/{memory.id}.md"
        known = self._files.get(root.prefix + inner)
        if known is None and root.files.scan_one(inner) != Stamp(0, 0):
            step = "Mend or remove that file, or give the item another id."
            raise StorageError(inner, "is there, and holds no item of that id", step)
        self._set(root.prefix + inner, _File(root, known.before if known else None, _bytes(memory), memory))

    def replace(self, stored: Stored, memory: Memory) -> None:
        """Change a stored item; what did not change of its file stays byte for byte."""
        before = text_of(stored.data)
        memory = in_line_ends_of(before, stored.memory, memory)
        text = edit_memory(before, memory)
        known = self._files.get(stored.path)
        root = self._memories.root_of(stored.path)
        self._set(stored.path, _File(root, known.before if known else stored.data, text.encode(), memory))

    def discard(self, stored: Stored, now: str) -> None:
        """Move a stored item to the trash."""
        root = self._memories.root_of(stored.path)
        aside = self._aside.setdefault(root.prefix, {})
        *kept, _ = discarding(root, stored, now, aside)
        aside.update((change.path, change) for change in kept)
        known = self._files.get(stored.path)
        self._set(stored.path, _File(root, known.before if known else stored.data, None, None), stored.memory.id)

    def changes(self, root: Root) -> list[Change]:
        """Return what is to be written in *root*."""
        own = [
            Change(root.inner(path), file.before, file.after)
            for path, file in self._files.items()
            if file.root is root and file.before != file.after
        ]
        return [*self._aside.get(root.prefix, {}).values(), *own]

    def memories(self, root: Root) -> dict[str, Memory]:
        """Return what the files that are written in *root* hold, by path."""
        return {path: file.memory for path, file in self._files.items() if file.root is root and file.memory}

    def ids(self, root: Root) -> set[str]:
        """Return the ids of the items that are changed in *root*."""
        return self._ids.get(root.prefix, set())

    def _set(self, path: str, file: _File, id: str | None = None) -> None:
        self._files[path] = file
        named = file.memory.id if file.memory else id
        assert named is not None
        self._paths[named] = path
        self._ids.setdefault(file.root.prefix, set()).add(named)


def _bytes(memory: Memory) -> bytes:
    return write_memory(memory).encode()
