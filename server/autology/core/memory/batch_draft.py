"""The pending writes of a batch, readable as if they were already written."""

from __future__ import annotations

from collections.abc import Sequence

from autology.core.content.codec import Stored
from autology.core.content.draft import Draft
from autology.core.content.files import ABSENT
from autology.core.memory.memories import Memories, Root
from autology.core.memory.trash import discard
from autology.model.entry import MEMORY
from autology.model.errors import StorageError
from autology.model.hit import Source
from autology.model.memory import Kind, Memory, Scope


class BatchDraft:
    """The drafts of a batch, one per root, and the indexed sources of its items."""

    def __init__(self, memories: Memories) -> None:
        self._memories = memories
        self._drafts = {root.prefix: Draft(root) for root in memories.roots}
        self._paths: dict[str, str] = {}
        self._sources: dict[str, Source | None] = {}

    def look_up(self, ids: Sequence[str]) -> None:
        """Look up *ids* in the index, in one query."""
        sources = self._memories.index.by_ids(ids) if ids else {}
        self._sources.update((id, sources.get(id)) for id in ids)

    def source(self, id: str) -> Source | None:
        """Return the indexed source of that id, of any kind."""
        if id not in self._sources:
            self.look_up([id])
        return self._sources[id]

    def stored(self, id: str) -> Stored[Memory] | None:
        """Return the item of that id with its file, with the changes of the batch so far. Raises StorageError."""
        if (path := self._paths.get(id)) is not None:
            return self._of(path).staged(path)
        source = self.source(id)
        return self._memories.read_source(source) if source is not None and source.kind == MEMORY else None

    def by_id(self, id: str) -> Memory | None:
        """Return the item of that id, or None if there is none, or it is unreadable."""
        if (path := self._paths.get(id)) is not None:
            return self._of(path).entries.get(path)
        source = self.source(id)
        if source is None or source.kind != MEMORY:
            return None
        return next((memory for memory, _ in self._memories.readable([source])), None)

    def with_migration(self, migration_id: str, scope: Scope) -> Memory | None:
        """Return the schema change of that migration in the scope."""
        for memory in (memory for draft in self._drafts.values() for memory in draft.entries.values()):
            same = str(memory.data.get("migration_id")) == migration_id and memory.scope == scope
            if same and memory.kind is Kind.DDL:
                return memory
        stored = self._memories.with_migration(migration_id, scope)
        return stored if stored is not None and self.by_id(stored.id) is not None else None

    def create(self, root: Root, memory: Memory) -> None:
        """Add a new item. Raises StorageError if its path is taken by a file that cannot be read as an item."""
        draft, path = self.of(root), memory.path
        if path not in draft.changes and root.files.scan_one(path) != ABSENT:
            step = "Fix or remove that file, or give the item another id."
            raise StorageError(path, "is there, and holds no item of that id", step)
        draft.create(memory)
        self._paths[memory.id] = root.prefix + path

    def replace(self, stored: Stored[Memory], memory: Memory) -> None:
        """Change a stored item; the unchanged parts of its file stay byte for byte."""
        self._of(stored.path).replace(stored, memory)
        self._paths[memory.id] = stored.path

    def discard(self, stored: Stored[Memory], now: str) -> None:
        """Move a stored item to the trash."""
        discard(self._of(stored.path), stored, now)
        self._paths[stored.entry.id] = stored.path

    def of(self, root: Root) -> Draft[Memory]:
        """Return the draft for *root*."""
        return self._drafts[root.prefix]

    def ids(self, root: Root) -> set[str]:
        """Return the ids of the items changed in *root*."""
        return {id for id, path in self._paths.items() if self._memories.root_of(path) is root}

    def _of(self, path: str) -> Draft[Memory]:
        return self.of(self._memories.root_of(path))
