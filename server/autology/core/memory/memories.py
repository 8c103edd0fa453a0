"""One project's memories and the user's own: their files, seen through the index that they share with the nodes."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeVar

from autology.core import sync
from autology.core.graph import REMEMBERED, REMEMBERED_BYTES, WALK_SHARE, Graph
from autology.core.lately import Lately
from autology.core.memory.chunks import Chunks
from autology.core.memory.projecting import entry_of, same_migration
from autology.core.memory.recent import Recent
from autology.core.memory.rows import Encode, Rows
from autology.core.ports import Change, Fault, Gone, Index, MemoryFiles, Progress, Put, Stamp
from autology.model.entry import DOCUMENT, MEMORY, NODE, Entry
from autology.model.errors import MemoryNotFoundError, StorageError, UnreadableNodeError
from autology.model.hit import Source
from autology.model.memory import Kind, Memory, Scope
from autology.model.passage import Passage
from autology.text.memoryfile import read_memory
from autology.text.times import stamp

USER = "user:"
"""What the path of a memory begins with that is kept for the user, whatever the project."""
BATCH = 200
"""Files a transaction: an interrupted first indexing repeats at most these."""
BEGINNING = 8
"""Characters that an id may be shortened to."""

T = TypeVar("T")
_MEND = "Mend the file by hand; `autology doctor` says how, and lists every file that cannot be read."


@dataclass(slots=True)
class Root:
    """Where memories are kept, and when it was last looked at; the index knows its paths with *prefix* before them."""

    prefix: str
    files: MemoryFiles
    folders: Sequence[int] = ()
    generation: str = ""
    walked: float = 0.0
    cost: float = 0.0
    fault: StorageError | None = field(default=None)
    lately: Lately = field(init=False)

    def __post_init__(self) -> None:
        self.lately = Lately(self.files.scan_one, self.files.edited)

    def inner(self, path: str) -> str:
        """Return the path within this root of one that the index knows."""
        return path.removeprefix(self.prefix)


@dataclass(frozen=True, slots=True)
class Stored:
    """A memory with the file that holds it; *path* is as the index knows it."""

    memory: Memory
    path: str
    data: bytes


class Memories:
    """The memories of a project and its user.

    Reading brings the index up to what is on disk first; writing goes through `core/memory/store.py`. *place* tells
    the scope of what is given none, *encode* the rows of texts by which they are compared.
    """

    def __init__(
        self,
        graph: Graph,
        project: MemoryFiles,
        user: MemoryFiles,
        place: Callable[[], Scope],
        encode: Encode | None = None,
    ) -> None:
        self.graph = graph
        self.roots = (Root("", project), Root(USER, user))
        self.encode = Rows(encode) if encode is not None else None
        self.chunks = Chunks(self.encode)
        self.recent = Recent(graph.index, self.encode) if self.encode is not None else None
        self._place = place
        self._looking = threading.RLock()
        self._read: dict[str, tuple[Stamp, Memory]] = {}
        graph.readers[MEMORY] = self._put

    @property
    def index(self) -> Index:
        """The index that memories share with the project's nodes and documents."""
        return self.graph.index

    def now(self) -> datetime:
        """The present moment."""
        return self.graph.now()

    def stamp(self) -> str:
        """The present moment, as memories record it."""
        return stamp(self.now())

    def new_id(self) -> str:
        """An id that nothing has."""
        return self.graph.new_id()

    def default_scope(self) -> Scope:
        """Return the scope of what is given none. Raises ValidationError where the environment names none that fits."""
        return self._place()

    def root_of(self, path: str) -> Root:
        """Return the root that a path of the index lies in."""
        return self.roots[1] if path.startswith(USER) else self.roots[0]

    def root_for(self, scope: Scope, here: Scope) -> Root:
        """Return where an item of that *scope* is kept: in the project if it is this one's, else with the user."""
        return self.roots[0] if scope.project is not None and scope.project == here.project else self.roots[1]

    # ---- keeping in step -------------------------------------------------------------------------

    def refresh(self, walk: bool = False, progress: Progress | None = None) -> int:
        """Bring the index up to the files; return how many had changed.

        Without *walk* only where something shows that it may be behind. A root that cannot be read stays as the
        index knows it, which the graph's notes say.
        """
        with self._looking:
            return sum(self._refresh(root, walk, progress) for root in self.roots)

    def _refresh(self, root: Root, walk: bool, progress: Progress | None) -> int:
        generation, folders = self.index.generation(), root.files.folders()
        begun = time.monotonic()
        fresh = generation == root.generation and folders == root.folders
        if fresh and not walk and begun - root.walked < WALK_SHARE * root.cost:
            return self._take_in_edited(root)
        try:
            root.files.recover()
            there = root.files.scan()
            root.fault = None
        except StorageError as error:
            root.fault = error
            self.graph.note(f"memories cannot be looked at: {error.path}: {error.reason}; those known are searched")
            return 0
        root.lately.among(there)
        found = {root.prefix + path: at for path, at in there.items()}
        known = {path: at for path, at in self.index.stamps(MEMORY).items() if self.root_of(path) is root}
        plan = sync.plan(found, known)
        if self.recent is not None and (plan or not fresh):
            self.recent.forget()
        root.cost = time.monotonic() - begun
        self._apply(plan, root, progress)
        # As they were before: what came meanwhile is seen by the next look.
        root.generation, root.folders, root.walked = generation, folders, time.monotonic()
        return len(plan.changed) + len(plan.gone)

    def _take_in_edited(self, root: Root) -> int:
        """Index the files that were edited in place."""
        edited = root.lately.edited()
        if edited:
            if self.recent is not None:
                self.recent.forget()
            self._apply(sync.Plan(tuple(root.prefix + path for path in sorted(edited)), ()), root, None)
            root.lately.seen(edited)
        return len(edited)

    def _apply(self, plan: sync.Plan, root: Root, progress: Progress | None) -> None:
        # Looked for again: what was not there may have been written, and taken in, since the plan was made.
        gone = [Gone(path) for path in plan.gone if root.files.scan_one(root.inner(path)) == Stamp(0, 0)]
        if gone:
            self.index.apply(gone)
        for at in range(0, len(plan.changed), BATCH):
            some = plan.changed[at : at + BATCH]
            self.index.apply([self._step(path) for path in some])
            if progress:
                progress(at + len(some), len(plan.changed))

    def commit(self, root: Root, changes: Sequence[Change], held: Mapping[str, Memory]) -> None:
        """Make all *changes* in *root*, whose lock is held, or none, and index them; *held* is what files hold now.

        Paths of the changes are those within the root, those of *held* as the index knows them.

        Raises:
            ConflictError: a file is not what its change has as *before*; nothing was written.
            StorageError: the disk refused; nothing was written.
        """
        with self._looking:
            steady = root.files.folders() == root.folders
            stamps = root.files.commit(changes)
            root.lately.seen(stamps)
            steps: list[Put | Gone] = []
            for path, at in stamps.items():
                whole = root.prefix + path
                if whole in held and at is not None:
                    steps.append(self.projected(whole, at, held[whole]))
                elif at is None:
                    steps.append(Gone(whole))
            try:
                self.index.apply(steps)
                self._note(steps, held)
                if steady:
                    root.folders = root.files.folders()
            except StorageError as error:
                # The files are durable; the index is made up for at the next look.
                self.graph.note(f"saved, but not indexed yet: {error.reason}; `autology sync` repairs it")

    def _note(self, steps: Sequence[Put | Gone], held: Mapping[str, Memory]) -> None:
        if self.recent is None:
            return
        if any(isinstance(step, Gone) for step in steps):
            self.recent.forget()
        for step in steps:
            if isinstance(step, Put):
                self.recent.stored(held[step.path])

    def asked(self, read: Callable[[], T]) -> T:
        """Return what *read* finds once the index is up to the memories and the nodes."""

        def up_to_date() -> T:
            self.refresh()
            return read()

        return self.graph.asked(up_to_date)

    def shared(self) -> dict[str, dict[str, Stamp]]:
        """Return the project's own files that the index knows, nodes and documents too, by their kind."""
        known = {kind: dict(self.index.stamps(kind)) for kind in (NODE, DOCUMENT, MEMORY)}
        known[MEMORY] = {path: at for path, at in known[MEMORY].items() if not path.startswith(USER)}
        return known

    def changes(self) -> sync.Plan:
        """Return which files changed and which are gone since the index last saw them."""
        known = self.index.stamps(MEMORY)
        found: dict[str, Stamp] = {}
        for root in self.roots:
            try:
                found.update((root.prefix + path, at) for path, at in root.files.scan().items())
            except StorageError:  # left as the index knows it
                found.update((path, at) for path, at in known.items() if self.root_of(path) is root)
        return sync.plan(found, known)

    def faults(self) -> Sequence[tuple[str, str]]:
        """Return the files that cannot be read as memories, as (path, reason)."""
        return self.index.faults(MEMORY)

    # ---- what the index holds --------------------------------------------------------------------

    def project(self, memory: Memory) -> Entry:
        """Return what the index holds of *memory*, its content aside."""
        return entry_of(memory)

    def passages(self, memory: Memory) -> tuple[Passage, ...]:
        """Return *memory* in passages, offsets into its content."""
        return self.chunks.passages(memory)

    def projected(self, path: str, at: Stamp, memory: Memory) -> Put:
        """Return *memory*, the file at *path*, as the index takes it."""
        return Put(path, at, self.project(memory), self.passages(memory))

    def _step(self, path: str) -> Put | Fault | Gone:
        root = self.root_of(path)
        try:
            data, at = root.files.read(root.inner(path))
        except FileNotFoundError:
            return Gone(path)
        except StorageError as error:
            return Fault(path, root.files.scan_one(root.inner(path)), error.reason, MEMORY)
        try:
            return self.projected(path, at, decode(data, path))
        except UnreadableNodeError as error:
            return Fault(path, at, error.reason, MEMORY)

    def _put(self, path: str) -> Put | None:
        found = self._step(path)
        return found if isinstance(found, Put) else None

    # ---- reading ---------------------------------------------------------------------------------

    def source(self, id: str) -> Source | None:
        """Return what the index knows of the item of that id."""
        found = self.index.by_ids([id]).get(id)
        return found if found is not None and found.kind == MEMORY else None

    def by_id(self, id: str) -> Memory | None:
        """Return the item of that id as it is on disk now, or None where there is none that can be read."""
        found = self.stored(id)
        return found.memory if found else None

    def stored(self, id: str) -> Stored | None:
        """Return the item of that id with its file; None where there is none.

        Raises:
            StorageError: its file cannot be read.
        """
        source = self.source(id)
        return self.held(source) if source is not None else None

    def held(self, source: Source) -> Stored | None:
        """Return the item of a *source* as its file says now; None where it is no more, or another one.

        Raises:
            StorageError: its file cannot be read.
        """
        root = self.root_of(source.path)
        try:
            data, _ = root.files.read(root.inner(source.path))
            memory = decode(data, source.path)
        except FileNotFoundError:
            return None
        except UnreadableNodeError as error:
            raise StorageError(source.path, error.reason, _MEND) from None
        return Stored(memory, source.path, data) if memory.id == source.id else None

    def meant(self, asked: str) -> Stored:
        """Return the item that *asked* names: by its id, the beginning of one, or its path.

        Raises:
            MemoryNotFoundError: none does, or several.
            StorageError: its file cannot be read.
        """
        wanted = asked.strip()
        if (found := self.stored(wanted)) is not None:
            return found
        named = self.index.named(MEMORY) if len(wanted) >= BEGINNING else ()
        fits = [each for each in named if each.id.startswith(wanted) or each.path == wanted]
        if len(fits) == 1 and (found := self.stored(fits[0].id)) is not None:
            return found
        sources = self.index.by_ids([each.id for each in fits[:3]]).values()
        raise MemoryNotFoundError(asked, [(source.title, source.type, source.id) for source in sources])

    def read(self, path: str) -> Memory:
        """Return the memory in the file at *path*, as the index names it; remembered while the file stays as it is.

        Raises:
            FileNotFoundError: there is none.
            StorageError: it cannot be read.
        """
        root = self.root_of(path)
        known = self._read.get(path)
        if known is not None and known[0] == root.files.scan_one(root.inner(path)):
            return known[1]
        data, at = root.files.read(root.inner(path))
        try:
            memory = decode(data, path)
        except UnreadableNodeError as error:
            raise StorageError(path, error.reason, _MEND) from None
        if len(data) <= REMEMBERED_BYTES:
            if len(self._read) >= REMEMBERED:
                self._read.pop(next(iter(self._read)), None)  # the one remembered first
            self._read[path] = (at, memory)
        return memory

    def readable(self, sources: Sequence[Source]) -> Iterator[tuple[Memory, Source]]:
        """Yield the memories of *sources*, leaving out what has gone, broken or got another id since."""
        for source in sources:
            try:
                memory = self.read(source.path)
            except (FileNotFoundError, StorageError):
                continue
            if memory.id == source.id:
                yield memory, source

    def with_migration(self, migration_id: str, scope: Scope) -> Memory | None:
        """Return the schema change of that migration in the scope, if one is stored."""
        for named in self.index.by_name([same_migration(scope, migration_id)], MEMORY):
            found = self.by_id(named.id)
            if found is not None and found.kind is Kind.DDL:
                return found
        return None


def decode(data: bytes, path: str) -> Memory:
    """Return the memory in a file's bytes.

    Raises:
        UnreadableNodeError: they are none.
    """
    folder = path.split("/")[-2] if "/" in path else ""
    return read_memory(sync.text_of(data), next((kind for kind in Kind if kind.value == folder), None))
