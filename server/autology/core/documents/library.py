"""One project's documents: files, read through the index that they share with the nodes."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import TypeVar
from zlib import crc32

from autology.core.content.codec import Stored
from autology.core.content.collection import Collection
from autology.core.content.draft import Draft
from autology.core.content.files import Stamp
from autology.core.content.plan import ALONE, IndexPlan
from autology.core.documents.codec import DocumentCodec, DocumentFile
from autology.core.documents.document import Unlinked, read_document
from autology.core.documents.link_resolution import Names
from autology.core.documents.sources import Documents, Scan
from autology.core.index.catalogue import Named
from autology.core.index.changes import Fault, Gone, Put
from autology.core.index.second_pass import MANY
from autology.core.long_work import Pool, Progress
from autology.core.nodes.graph import Graph
from autology.model.entry import DOCUMENT
from autology.model.errors import (
    DocumentMissingError,
    IndexBusyError,
    StorageError,
    UnreadableNodeError,
)
from autology.model.hit import Source
from autology.model.next_step import Action, Sentence, do
from autology.text.markdown.links import mention_of

BATCH = 200
"""Documents per transaction: an interrupted first indexing repeats at most these."""
BATCH_BYTES = 2_000_000
"""Bytes per transaction, or one document: 3 seconds of indexing, 0.2 of them writing, for which others wait."""
JOB, JOB_BYTES = 50, 200_000
"""Documents per job of a worker process, and their bytes: 0.3 seconds of work."""
FILLED = 20.0
"""Seconds after which a process that fills the index counts as dead: it marks every BATCH, of 3 seconds."""
NEAR = frozenset(("doc", "docs", "documentation", "notes"))
"""Folders in the root that are indexed first, with the root's own texts."""
REMARK, FILLING = "documents", "filling"
SETTLED, OPEN = "settled", "open"

T = TypeVar("T")
_ReadFile = Unlinked | Fault | Gone


@dataclass(frozen=True, slots=True)
class _State:
    """What the index knows of: the records that links may lead to, the version of all names, and resolved links."""

    records: str = ""
    names: str = ""
    links: str = OPEN

    def __str__(self) -> str:
        return "\n".join((self.records, self.names, self.links))

    @classmethod
    def of(cls, text: str) -> _State:
        parts = text.split("\n")
        return cls(*parts) if len(parts) == 3 else cls()


class Library(Collection[DocumentFile]):
    """The documents of one project and their links; nodes' links to them, and writes, go through *graph*."""

    files: Documents

    def __init__(self, graph: Graph, files: Documents) -> None:
        self.graph = graph
        super().__init__(files, graph.files, graph.index, DocumentCodec(), "", graph.pool, graph.degraded)
        self.folder_trees: dict[int, tuple[Scan, object]] = {}  # by depth, with the walk that each was made from
        self._name = os.urandom(8).hex()
        self._layout = Scan({})
        self._records: set[str] = set()
        self._record_names: Sequence[Named] = ()
        self._records_key = ""
        self._names_key = ""
        self._names = Names()
        self._names_of = ""
        graph.readers[DOCUMENT] = self.put

    # ---- freshness ---------------------------------------------------------------------------------

    def is_unchanged_index(self) -> bool:
        """Whether the index is still the one that was last refreshed for the nodes, which come first."""
        return self.graph.is_unchanged_index()

    def catch_up(self) -> bool:
        """Update the index with nodes and documents for a query; return whether it is up to date."""
        return self.graph.catch_up() and super().catch_up()

    def _refresh(self, walk: bool, progress: Progress | None, until: float | None = None) -> int:
        """Update the index from the files; all are looked at if other ones are adopted as records."""
        adopts_others = self._records != self.graph.record_files()
        return super()._refresh(walk or adopts_others, progress, until)

    def _refuse_if_filled_elsewhere(self, plan: IndexPlan) -> None:
        """Raise IndexBusyError if *plan* is long and another process is carrying it out."""
        if len(plan.changed) <= BATCH:
            return
        who, _, when = self.index.metadata(FILLING).partition(" ")
        if who not in ("", self._name) and abs(time.time() - float(when)) < FILLED:
            raise IndexBusyError(self.files.root)

    def layout(self) -> Scan:
        """Return the sources' folders and files of the last walk, after checking that they are current."""
        if not self.freshness.walked or self.files.folders() != self.freshness.folders:
            super().catch_up()
        return self._layout

    def apply(self, plan: IndexPlan, progress: Progress | None = None, until: float | None = None) -> int:
        """Carry out *plan*; links are resolved once the names of all their possible targets are known."""
        with self.index.keep_open():
            if until is not None:
                self._refuse_if_filled_elsewhere(plan)
            return self._apply(plan, progress, until)

    def _scan(self) -> Mapping[str, Stamp]:
        scan, records = self.files.scan(), self.graph.record_files()
        if records:
            files = {path: at for path, at in scan.files.items() if path not in records}
            scan = replace(scan, files=files)
        self._records, self._layout = records, scan
        self._record_names = self.graph.record_names()
        named = repr(self._record_names).encode()
        self._records_key = f"records {crc32(named):08x}" if self._record_names else ""
        return self._layout.files

    def _plan(self, stamps: Mapping[str, Stamp]) -> IndexPlan:
        """Return what is to be done, the nearest and newest documents first: a long indexing may be searched."""
        plan = super()._plan(stamps)
        return IndexPlan(tuple(sorted(plan.changed, key=lambda path: _urgency(path, stamps[path]))), plan.gone)

    def _apply(self, plan: IndexPlan, progress: Progress | None, until: float | None) -> int:
        index = self.index
        state = _State.of(index.metadata(REMARK))
        if not plan and state.links == SETTLED and state.records == self._records_key:
            return 0
        names = self._current_names(state)
        if plan.gone:
            state = self._opened(state)
            for path in plan.gone:
                names.remove(path)
            index.apply([Gone(path) for path in plan.gone])
        # Every file can be linked to by name before it is read.
        if coming := [path for path in plan.changed if names.at(path) is None]:
            state = self._opened(state)
            for path in coming:
                names.add(Named(path, path))
        state, left = self._take_in_all(plan.changed, names, state, progress, until)
        self._names_of = state.names
        if left:
            return left
        if state.links == OPEN or state.records != self._records_key:
            state = state if state.names else self._opened(state)
            self._relink(names)
            index.set_metadata(REMARK, str(_State(self._records_key, state.names, SETTLED)))
            self._names_of = state.names
        return 0

    def _take_in_all(
        self, paths: Sequence[str], names: Names, state: _State, progress: Progress | None, until: float | None
    ) -> tuple[_State, int]:
        """Index the files at *paths* in batches; return how many are left at *until*.

        Other processes are informed if there are many.
        """
        index = self.index
        done = 0
        sizes = (BATCH, BATCH_BYTES) if until is None else (JOB, JOB_BYTES)
        with self._reading(paths, ALONE if until is not None else self.graph.pool) as read:
            for batch in self._batches(paths, *sizes):
                if until is not None and done and time.monotonic() >= until:  # each call gets on
                    break
                if len(paths) > BATCH:
                    index.set_metadata(FILLING, f"{self._name} {time.time()}")
                state = self._take_in(batch, list(islice(read, len(batch))), names, state)
                done += len(batch)
                if progress:
                    progress(done, len(paths))
        if len(paths) > BATCH:
            index.set_metadata(FILLING, "")
        return state, len(paths) - done

    def _batches(self, paths: Sequence[str], many: int, bytes_: int) -> Iterator[Sequence[str]]:
        """Yield *paths* in batches of at most *many* files or *bytes_* bytes."""
        batch: list[str] = []
        size = 0
        for path in paths:
            more = self.files.scan_one(path).size
            if batch and (len(batch) == many or size + more > bytes_):
                yield batch
                batch, size = [], 0
            batch.append(path)
            size += more
        if batch:
            yield batch

    def _take_in(self, paths: Sequence[str], read: Sequence[_ReadFile], names: Names, state: _State) -> _State:
        """Index the files at *paths* as *read*; return the state, open if a name was added, removed or changed."""
        steps: list[Put | Fault | Gone] = []
        documents: list[Unlinked] = []
        for path, file in zip(paths, read, strict=True):
            if isinstance(file, Unlinked):
                documents.append(file)
                if names.at(path) != file.named:
                    state = self._opened(state)
                    names.add(file.named)
            else:
                steps.append(file)
                if names.at(path):
                    state = self._opened(state)
                    names.remove(path)
        self.index.apply([*steps, *(document.linked(names.target) for document in documents)])
        return state

    def _opened(self, state: _State) -> _State:
        """Record in the index that names are changing: after an interruption, links are resolved again."""
        if state.links == OPEN and state.names == self._names_of and state.names:
            return state
        opened = _State(state.records, os.urandom(8).hex(), OPEN)
        self.index.set_metadata(REMARK, str(opened))
        self._names_of = opened.names
        return opened

    def _current_names(self, state: _State) -> Names:
        """The names in the index, cached until one changes."""
        if not state.names or state.names != self._names_of or self._names_key != self._records_key:
            self._names, self._names_key = Names((*self.index.named(DOCUMENT), *self._record_names)), self._records_key
        return self._names

    def _relink(self, names: Names) -> None:
        """Index again the documents whose links lead elsewhere because names changed."""
        stale = set()
        sources = self.index.named(DOCUMENT)
        paths = {named.id: named.path for named in sources}
        for edge in self.index.edges(kind=DOCUMENT):
            path = paths.get(edge.source)
            if path is None or path in stale or not edge.description:
                continue
            mentions = [mention_of(edge.type, text) for text in edge.description.split("\n")]
            if any(names.target(mention, path) != edge.target for mention in mentions):
                stale.add(path)
        some = sorted(stale)
        with self._reading(some, self.graph.pool) as read:
            for _ in range(0, len(some), BATCH):
                batch = [file for file in islice(read, BATCH) if isinstance(file, Unlinked)]
                self.index.apply([file.linked(names.target) for file in batch])

    @contextmanager
    def _reading(self, paths: Sequence[str], pool: Pool) -> Iterator[Iterator[_ReadFile]]:
        """Yield the files at *paths* as they are read, in order; worker processes help if there are many."""
        batches = self._batches(paths, JOB, JOB_BYTES)
        ready = self.ready if len(paths) >= MANY else self.whole
        if pool is ALONE:  # for what is to end soon, most of the many files are not even looked at
            yield self._read_files(paths, map(ready, batches))
            return
        with pool.results(DOCUMENT, list(batches), ready) as results:
            yield self._read_files(paths, results)

    def _read_files(self, paths: Sequence[str], results: Iterable[Sequence[_ReadFile]]) -> Iterator[_ReadFile]:
        # Unreadable files are handled here: the walk knows reasons that another process does not.
        read = zip(paths, chain.from_iterable(results), strict=True)
        return (file if isinstance(file, Unlinked) else self._read(path) for path, file in read)

    def ready(self, job: Sequence[str]) -> list[_ReadFile]:
        """Return the files at the paths of *job*, preprocessed for the index without vectors."""
        prepare = self.index.prepare
        return [
            replace(file, put=prepare(file.put, vectors=False)) if isinstance(file, Unlinked) else file
            for file in self.whole(job)
        ]

    def whole(self, job: Sequence[str]) -> list[_ReadFile]:
        """Return the files at the paths of *job*."""
        return list(map(self._read, job))

    def _read(self, path: str) -> _ReadFile:
        def project(path: str, at: Stamp, page: DocumentFile) -> Unlinked:
            return read_document(path, page.text, at, self.files.scan_one(path))

        return self.projected(path, project)

    # ---- writing -----------------------------------------------------------------------------------

    def change(self, act: Callable[[Draft[DocumentFile]], T], refresh: bool = True) -> T:
        """Let *act* collect changes, then commit all or none, as :meth:`transact` does; return the result of *act*."""

        return self.transact(lambda: Draft(self), act, self.catch_up if refresh else None)

    def commit(self, draft: Draft[DocumentFile]) -> None:
        """Make all changes of *draft*, or none; the lock must be held. Raises ConflictError, StorageError.

        Where documents are only rewritten, the next refresh indexes them and need not walk all others.
        """
        if not (changes := draft.pending):
            return
        rewrites = all(change.before is not None and change.after is not None for change in changes)
        walked = self.freshness.walked and self.files.folders() == self.freshness.folders
        self.writer.commit(changes)
        if rewrites and walked:
            self.files.recognise(change.path for change in changes)
            if not self.files.is_watched():
                self.freshness.folders = self.files.folders()
            self.edits.expect(change.path for change in changes)
        if not rewrites:
            with self.noted():
                self.refresh(walk=True)

    # ---- reading ---------------------------------------------------------------------------------

    def stored(self, source: Source) -> Stored[DocumentFile]:
        """Return the file of a document or node, read from disk. Raises DocumentMissingError, StorageError."""
        try:
            return self.page(source.path, source.kind != DOCUMENT)
        except FileNotFoundError:
            self.refresh(walk=True)
            step = "It was removed a moment ago; search again."
            raise DocumentMissingError(source.path, step) from None

    def page(self, path: str, is_node: bool = False) -> Stored[DocumentFile]:
        """Return the file at *path*, read from disk. Raises FileNotFoundError, StorageError."""
        data, _ = (self.writer if is_node else self.files).read(path)
        try:
            return Stored(self.codec.parse(data, path), path, data)
        except UnreadableNodeError as error:
            raise StorageError(path, error.reason, STEP) from None

    def names(self) -> Names:
        """Return the names of all documents."""
        return Names(self.index.named(DOCUMENT))

    def relative(self, path: str) -> str:
        """Return *path* relative to the project's root."""
        plain = path.strip().replace("\\", "/")
        root = self.files.root.replace("\\", "/").rstrip("/") + "/"
        return plain.removeprefix(root).removeprefix("./")


def _urgency(path: str, at: Stamp) -> tuple[bool, int, str]:
    """Return a key that sorts documents in the root and its docs before others, and those before by their age."""
    near = "/" not in path or path.partition("/")[0].lower() in NEAR
    return not near, -at.mtime_ns, path


STEP = Sentence("It is left as it is; ", do(Action.DOCTOR), " lists such files.")
