"""The memories of a project and of its user: files, read through the index that they share with the nodes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import TypeVar

from autology.core.content.codec import Stored
from autology.core.content.collection import Collection
from autology.core.content.draft import Draft
from autology.core.content.files import RootFiles, Stamp
from autology.core.content.trash import BEGINNING
from autology.core.long_work import Progress
from autology.core.memory.chunks import Chunks
from autology.core.memory.codec import MemoryCodec
from autology.core.memory.index_entry import same_migration
from autology.core.memory.recent_vectors import Recent
from autology.core.memory.vector_cache import Encode, Rows
from autology.core.nodes.graph import Graph
from autology.model.entry import DOCUMENT, MEMORY, NODE
from autology.model.errors import IndexBusyError, MemoryNotFoundError, StorageError
from autology.model.hit import Source
from autology.model.memory import Kind, Memory, Scope
from autology.model.query import Filter
from autology.text.documents.client_memory import is_of_client

USER = "user:"
"""The path prefix of the user's memories, which belong to no project."""

T = TypeVar("T")


class Root(Collection[Memory]):
    """The memories of a project or of its user; both roots share a lock and the recently stored items."""

    files: RootFiles

    def __init__(self, memories: Memories, files: RootFiles, prefix: str) -> None:
        graph = memories.graph
        super().__init__(files, files, graph.index, memories.codec, prefix, degraded=graph.degraded, lock=memories.lock)
        self.fault: StorageError | None = None
        self._recent = memories.recent

    def stamps(self) -> Mapping[str, Stamp]:
        """Return the stamps of this root's files, as indexed."""
        known = super().stamps().items()
        return {path: at for path, at in known if path.startswith(USER) == bool(self.prefix)}

    def _scan(self) -> Mapping[str, Stamp] | None:
        try:
            stamps = super()._scan()
        except StorageError as error:
            self.fault = error
            self.degraded.note(f"memories cannot be looked at: {error.path}: {error.reason}; those known are searched")
            return None
        self.fault = None
        return stamps

    def _committed(self, draft: Draft[Memory]) -> None:
        if self._recent is None:
            return
        if any(change.after is None for change in draft.pending):
            self._recent.forget()
        for memory in draft.entries.values():
            self._recent.stored(memory)

    def _forget(self) -> None:
        if self._recent is not None:
            with self.lock:
                self._recent.forget()


class Memories:
    """The memories of a project and its user.

    A query refreshes the index first; writing goes through `core/memory/store.py`. *place* returns the default scope,
    or raises ValidationError; *encode* encodes texts for comparison.
    """

    def __init__(
        self,
        graph: Graph,
        project: RootFiles,
        user: RootFiles,
        place: Callable[[], Scope],
        encode: Encode | None = None,
    ) -> None:
        self.graph = graph
        self.index, self.stamp = graph.index, graph.stamp
        self.encode = Rows(encode) if encode is not None else None
        self.chunks = Chunks(self.encode)
        self.codec = MemoryCodec(self.chunks)
        self.recent = Recent(graph.index, self.encode) if self.encode is not None else None
        self.default_scope = place
        self.lock = threading.RLock()
        self.roots = (Root(self, project, ""), Root(self, user, USER))
        graph.readers[MEMORY] = lambda path: self.root_of(path).put(path)

    def now(self) -> datetime:
        """The current time."""
        return self.graph.now()

    def new_id(self) -> str:
        """A new unique id."""
        return self.graph.new_id()

    def root_of(self, path: str) -> Root:
        """Return the root of a path in the index."""
        return self.roots[1] if path.startswith(USER) else self.roots[0]

    def root_for(self, scope: Scope, here: Scope) -> Root:
        """Return the root for an item of that *scope*: the project's if the scope is this project's, else the
        user's."""
        return self.roots[0] if scope.project is not None and scope.project == here.project else self.roots[1]

    # ---- freshness -------------------------------------------------------------------------------

    def refresh(self, walk: bool = False, progress: Progress | None = None) -> int:
        """Update the index from the files of both roots; return how many had changed."""
        return sum(root.refresh(walk, progress) for root in self.roots)

    def catch_up(self) -> None:
        """Update the index with the memories for a query; :attr:`graph` is degraded if that takes long."""
        try:
            for root in self.roots:
                root.refresh_soon()
        except IndexBusyError as error:
            self.graph.degraded.behind = error.reason

    def read_current(self, read: Callable[[], T]) -> T:
        """Return the result of *read*, after updating the index with memories and nodes."""

        def up_to_date() -> T:
            self.catch_up()
            return read()

        return self.graph.read_current(up_to_date)

    def shared(self) -> dict[str, dict[str, Stamp]]:
        """Return the project's own indexed files by kind, including nodes, and documents but what the client loads."""
        known = {kind: dict(self.index.stamps(kind)) for kind in (NODE, DOCUMENT)}
        known[DOCUMENT] = {path: stamp for path, stamp in known[DOCUMENT].items() if not is_of_client(path)}
        return {**known, MEMORY: dict(self.roots[0].stamps())}

    def changes(self) -> int:
        """Return how many files changed or were removed since they were indexed."""
        return sum(len(root.changes()) for root in self.roots)

    def faults(self) -> Sequence[tuple[str, str]]:
        """Return the files that cannot be read as memories, as (path, reason)."""
        return self.index.faults(MEMORY)

    # ---- reading ---------------------------------------------------------------------------------

    def sources(self) -> Sequence[Source]:
        """Return the indexed source of every item."""
        return self.index.listed(Filter(kind=MEMORY), -1, "")

    def source(self, id: str) -> Source | None:
        """Return the indexed source of the item with that id."""
        source = self.index.by_ids([id]).get(id)
        return source if source is not None and source.kind == MEMORY else None

    def by_id(self, id: str) -> Memory | None:
        """Return the item with that id, read from disk; None if there is none, or it is unreadable."""
        stored = self.stored(id)
        return stored.entry if stored else None

    def stored(self, id: str) -> Stored[Memory] | None:
        """Return the item with that id and its file; None if there is none.

        Raises:
            StorageError: its file cannot be read.
        """
        source = self.source(id)
        return self.read_source(source) if source is not None else None

    def read_source(self, source: Source) -> Stored[Memory] | None:
        """Return the item of a *source*, read from disk; None if it was removed or replaced.

        Raises:
            StorageError: its file cannot be read.
        """
        try:
            return self.root_of(source.path).stored(source)
        except FileNotFoundError:
            return None

    def find(self, name: str) -> Stored[Memory]:
        """Return the item with that *name*: its id, an id prefix, or its path.

        Raises:
            MemoryNotFoundError: none does, or several.
            StorageError: its file cannot be read.
        """
        wanted = name.strip()
        if (stored := self.stored(wanted)) is not None:
            return stored
        items = self.index.named(MEMORY) if len(wanted) >= BEGINNING else ()
        fits = [item for item in items if item.id.startswith(wanted) or item.path == wanted]
        if len(fits) == 1 and (stored := self.stored(fits[0].id)) is not None:
            return stored
        sources = self.index.by_ids([item.id for item in fits[:3]]).values()
        raise MemoryNotFoundError(name, [(source.title, source.type, source.id) for source in sources])

    def readable(self, sources: Iterable[Source]) -> Iterator[tuple[Memory, Source]]:
        """Yield the memories of *sources*, except those that were removed, damaged or given another id meanwhile."""
        for source in sources:
            yield from self.root_of(source.path).readable([source])

    def with_migration(self, migration_id: str, scope: Scope) -> Memory | None:
        """Return the schema change of that migration in the scope, if one is stored."""
        for named in self.index.by_name([same_migration(scope, migration_id)], MEMORY):
            memory = self.by_id(named.id)
            if memory is not None and memory.kind is Kind.DDL:
                return memory
        return None
