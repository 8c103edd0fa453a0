"""One project's documents: its files, seen through the index that they share with the knowledge."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import TypeVar

from autology.core.content.codec import Stored
from autology.core.content.collection import Collection
from autology.core.content.draft import Draft
from autology.core.content.files import ABSENT, Stamp
from autology.core.content.plan import Plan
from autology.core.documents import identity
from autology.core.documents.codec import DocumentCodec, Page
from autology.core.documents.document import Unlinked, document, unlinked
from autology.core.documents.names import Names, Reference, asked_names
from autology.core.documents.sources import Documents, Scan
from autology.core.index.catalogue import Named
from autology.core.index.changes import Fault, Gone, Put
from autology.core.long_work import Progress
from autology.core.nodes.graph import Graph
from autology.model.entry import DOCUMENT
from autology.model.errors import (
    AmbiguousNameError,
    DocumentMissingError,
    DocumentNotFoundError,
    IndexBusyError,
    StorageError,
    UnreadableNodeError,
)
from autology.model.hit import Source
from autology.model.node import is_id_prefix, is_uuid4
from autology.model.query import Filter, Terms
from autology.text.markdown.links import mention_of
from autology.text.slug import key, without_ending
from autology.text.tokens import query_terms, share_a_word

BATCH = 200
"""Documents a transaction: an interrupted first indexing repeats at most these."""
BATCH_BYTES = 2_000_000
"""Bytes a transaction, or one document: 3 seconds of indexing, 0.2 of them the writing for which others wait."""
JOB, JOB_BYTES = 50, 200_000
"""Documents that a process reads at once where several do, and their bytes: 0.3 seconds of work."""
PATIENCE = 5.0
"""Seconds that a question waits for another thread that brings the index up to the documents."""
FILLED = 20.0
"""Seconds after which whoever said that it fills the index has died: it says so with every BATCH, of 3 seconds."""
REMARK, FILLING = "documents", "filling"
SETTLED, OPEN = "settled", "open"
OFFERED = 3

T = TypeVar("T")
_Read = Unlinked | Fault | Gone


@dataclass(frozen=True, slots=True)
class _State:
    """What the index says of its documents as a whole: whose names it holds, and whether every link is up to them."""

    sources: str = ""
    names: str = ""
    links: str = OPEN

    def __str__(self) -> str:
        return "\n".join((self.sources, self.names, self.links))

    @classmethod
    def of(cls, text: str) -> _State:
        parts = text.split("\n")
        return cls(*parts) if len(parts) == 3 else cls()


class Library(Collection[Page]):
    """The documents of one project and what they link to; nodes' links to them, and writes, go through *graph*."""

    files: Documents

    def __init__(self, graph: Graph, files: Documents) -> None:
        self.graph, self._refreshing = graph, threading.RLock()
        shared, codec = graph.degraded, DocumentCodec()
        super().__init__(files, graph.files, graph.index, codec, "", graph.pool, shared, self._refreshing)
        self.kept: dict[int, tuple[Scan, object]] = {}  # what was made of the last walk, by those who made it
        self.reported: Progress | None = None  # hears how far the reading is that a question waits for
        self._joins = True
        self._name = os.urandom(8).hex()
        self._layout = Scan({})
        self._ids: Mapping[str, str] = {}
        self._ids_of = ""
        self._names = Names()
        self._names_of = ""
        graph.readers[DOCUMENT] = self.put

    # ---- freshness ---------------------------------------------------------------------------------

    def is_whole(self) -> bool:
        """Whether the index is still the one that was last brought up to the nodes, which come first."""
        return self.graph.is_whole()

    def catch_up(self) -> bool:
        """Bring the index up to nodes and documents for a question; return whether it is."""
        return self.graph.catch_up() and self.degraded.catch_up(self._refresh_soon)

    def _refresh_soon(self) -> None:
        """Bring the index up to the documents, unless another thread or process is busy with that for long."""
        if not self._refreshing.acquire(timeout=PATIENCE):
            raise IndexBusyError(self.files.root)
        try:
            self._joins = False
            self.refresh(progress=self.reported)
        finally:
            self._joins = True
            self._refreshing.release()

    def _refuse_while_filled(self, plan: Plan) -> None:
        """Raise IndexBusyError if *plan* is long and somebody else is carrying it out."""
        if len(plan.changed) <= BATCH:
            return
        who, _, when = self.index.metadata(FILLING).partition(" ")
        if who not in ("", self._name) and abs(time.time() - float(when)) < FILLED:
            raise IndexBusyError(self.files.root)

    def layout(self) -> Scan:
        """Return the sources' folders and files as they were last walked, after a look whether that still holds."""
        if not self.freshness.walked or self.files.folders() != self.freshness.folders:
            self.degraded.catch_up(self._refresh_soon)
        return self._layout

    def apply(self, plan: Plan, progress: Progress | None = None) -> None:
        """Carry out *plan*; links are resolved once all names are known that they may lead to."""
        with self.index.keep_open():
            if not self._joins:
                self._refuse_while_filled(plan)
            self._apply(plan, progress)

    def _scan(self) -> Mapping[str, Stamp]:
        self._layout = self.files.scan()
        return self._layout.files

    def _plan(self, found: Mapping[str, Stamp]) -> Plan:
        plan = super()._plan(found)
        state = _State.of(self.index.metadata(REMARK))
        if plan or state.sources != self._told_sources():
            self._identify()
            moved = {n.path for n in self.index.named(DOCUMENT) if self._ids.get(n.path, n.id) != n.id}
            return Plan(tuple(sorted({*plan.changed, *(moved & found.keys())})), plan.gone)
        return plan

    def _identify(self) -> None:
        """Know every document's id: 30 microseconds each, so only where some are to be read."""
        sources, files = self._told_sources(), self._layout.files
        if self._ids.keys() != files.keys() or self._ids_of != sources:
            self._ids, self._ids_of = identity.ids(files, self.files.source_of), sources

    def _told_sources(self) -> str:
        return ",".join(self.files.sources)

    def _apply(self, plan: Plan, progress: Progress | None) -> None:
        index = self.index
        state = _State.of(index.metadata(REMARK))
        if not plan and state.links == SETTLED and state.sources == self._told_sources():
            return
        self._identify()
        names = self._current_names(state)
        gone = list(plan.gone)
        # What gets another id leaves first: its old one may be another's now.
        moved = [path for path in plan.changed if (n := names.at(path)) and n.id != self._ids.get(path)]
        if gone or moved:
            state = self._opened(state)
            for path in (*gone, *moved):
                names.remove(path)
            index.apply([Gone(path) for path in (*gone, *moved)])
        # Every file can be linked to by its name before it is read.
        if coming := [path for path in plan.changed if names.at(path) is None]:
            state = self._opened(state)
            for path in coming:
                names.add(Named(self._ids[path], path))
        state = self._take_in_all(plan.changed, names, state, progress)
        if state.links == OPEN or state.sources != self._told_sources():
            state = state if state.names else self._opened(state)
            self._relink(names)
            index.set_metadata(REMARK, str(_State(self._told_sources(), state.names, SETTLED)))
        self._names_of = state.names

    def _take_in_all(self, paths: Sequence[str], names: Names, state: _State, progress: Progress | None) -> _State:
        """Index the files at *paths* by batches; others are told of it if they are many."""
        index = self.index
        done = 0
        with self._reading(paths) as read:
            for batch in self._batches(paths, BATCH, BATCH_BYTES):
                if len(paths) > BATCH:
                    index.set_metadata(FILLING, f"{self._name} {time.time()}")
                state = self._take_in(batch, list(islice(read, len(batch))), names, state)
                done += len(batch)
                if progress:
                    progress(done, len(paths))
        if len(paths) > BATCH:
            index.set_metadata(FILLING, "")
        return state

    def _batches(self, paths: Sequence[str], many: int, bytes_: int) -> Iterator[Sequence[str]]:
        """Yield *paths* by as *many*, or as many *bytes_*, as are taken in together."""
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

    def _take_in(self, paths: Sequence[str], read: Sequence[_Read], names: Names, state: _State) -> _State:
        """Index the files at *paths* as *read*; return the state, open if a name came, went or changed with them."""
        steps: list[Put | Fault | Gone] = []
        documents: list[Unlinked] = []
        for path, found in zip(paths, read, strict=True):
            if isinstance(found, Unlinked):
                documents.append(found)
                if names.at(path) != found.named:
                    state = self._opened(state)
                    names.add(found.named)
            else:
                steps.append(found)
                if names.at(path):
                    state = self._opened(state)
                    names.remove(path)
        self.index.apply([*steps, *(found.linked(names.target) for found in documents)])
        return state

    def _opened(self, state: _State) -> _State:
        """Note in the index that names are changing: whoever is interrupted, links are looked at again."""
        if state.links == OPEN and state.names == self._names_of and state.names:
            return state
        opened = _State(state.sources, os.urandom(8).hex(), OPEN)
        self.index.set_metadata(REMARK, str(opened))
        self._names_of = opened.names
        return opened

    def _current_names(self, state: _State) -> Names:
        """The names that the index holds, kept from the last time if nobody changed any since."""
        if not state.names or state.names != self._names_of:
            self._names = Names(self.index.named(DOCUMENT))
        return self._names

    def _relink(self, names: Names) -> None:
        """Read the documents again whose links lead elsewhere now that other names are there."""
        stale = set()
        sources = self.index.named(DOCUMENT)
        paths = {named.id: named.path for named in sources}
        for edge in self.index.edges(kind=DOCUMENT):
            path = paths.get(edge.source)
            if path is None or path in stale or not edge.description:
                continue
            ways = edge.description.split("\n")
            if any(names.target(mention_of(edge.type, way), path) != edge.target for way in ways):
                stale.add(path)
        some = sorted(stale)
        with self._reading(some) as read:
            for _ in range(0, len(some), BATCH):
                batch = [found for found in islice(read, BATCH) if isinstance(found, Unlinked)]
                self.index.apply([found.linked(names.target) for found in batch])

    @contextmanager
    def _reading(self, paths: Sequence[str]) -> Iterator[Iterator[_Read]]:
        """Give the files at *paths* as they are read, in order; other processes help where they are many."""
        jobs = [[(path, self._ids[path]) for path in some] for some in self._batches(paths, JOB, JOB_BYTES)]
        with self.graph.pool.made(DOCUMENT, jobs, self.ready) as made:
            # What cannot be read is looked at here: a walk knows reasons that another process does not.
            read = zip(paths, chain.from_iterable(made), strict=True)
            yield (found if isinstance(found, Unlinked) else self._read(path, self._ids[path]) for path, found in read)

    def ready(self, job: Sequence[tuple[str, str]]) -> list[_Read]:
        """Return the files at the paths of *job*, each with its id, as the index takes them in soonest."""
        read = (self._read(path, id) for path, id in job)
        ready = self.index.prepare
        return [replace(found, put=ready(found.put)) if isinstance(found, Unlinked) else found for found in read]

    def _read(self, path: str, id: str) -> _Read:
        def project(path: str, at: Stamp, page: Page) -> Unlinked:
            return unlinked(document(id, path, page.text), at, self.files.scan_one(path))

        return self.projected(path, project)

    # ---- writing -----------------------------------------------------------------------------------

    def change(self, act: Callable[[Draft[Page]], T], refresh: bool = True) -> T:
        """Let *act* gather changes, then make them all or none, as :meth:`transact` does; return what it returned."""

        def both() -> None:
            self.graph.refresh()
            self.refresh()

        return self.transact(lambda: Draft(self), act, both if refresh else None)

    def commit(self, draft: Draft[Page]) -> None:
        """Make all changes of *draft*, or none; the lock must be held. Raises ConflictError, StorageError.

        Where documents are only rewritten, the next refresh indexes them: that they were renamed into place is no
        reason for it to walk over all others.
        """
        if not (changes := draft.pending):
            return
        rewrites = all(change.before is not None and change.after is not None for change in changes)
        with self._refreshing:
            walked = self.freshness.walked and self.files.folders() == self.freshness.folders
            self.writer.commit(changes)
            if rewrites and walked:
                self.freshness.folders = self.files.folders()
                self.files.recognise()
                self.edits.expect(change.path for change in changes)
        if not rewrites:
            with self.noted():
                self.refresh(walk=True)

    # ---- reading ---------------------------------------------------------------------------------

    def find(self, asked: str, alone: bool = False) -> Source:
        """Return the document or node that *asked* names: by id, path, title, alias, or the last part of an id.

        A path to a file means that file or nothing. With *alone*, for a caller that is going to write, a
        part of a path is no name of it, and a bare name is one only where no other document bears it.

        Raises:
            DocumentNotFoundError: none does.
            AmbiguousNameError: several do.
            StorageError: the document of that name cannot be read.
        """
        index = self.index
        name = asked.strip()
        if not name or len(name) > 1_000:
            raise DocumentNotFoundError(asked)
        exact = index.by_ids([name, name.lower()])
        if found := exact.get(name) or exact.get(name.lower()):
            return found
        reference = Reference.read(name, self.files.root)
        names = Names(index.by_name(asked_names(reference.text, reference.path), DOCUMENT))
        meant = self._refuse_outside(reference, names, names.meant(reference, alone))
        sources = list(index.by_ids([named.id for named in meant]).values())
        if not sources:
            sources = self._nodes(reference)
        if len(sources) > 1:
            raise AmbiguousNameError(name, sorted((source.id, source.path) for source in sources))
        if not sources:
            self._refuse_unread(reference)
            if self.degraded.behind:
                return self._unindexed(reference, alone)
            step = _OUTSIDE if self._is_there(reference) else ""
            raise DocumentNotFoundError(asked, self.near(name) or self._near_nodes(name), step)
        return sources[0]

    def _refuse_outside(self, asked: Reference, names: Names, meant: Sequence[Named]) -> Sequence[Named]:
        """Return those of *meant* that lie where *asked* says, if it is the path of a file that is there."""
        if not asked.is_file or names.exact(asked) or not self._is_there(asked):
            return meant
        # One file under two names that differ in case: a file system that makes no difference says so.
        there = self.files.scan_one(asked.path)
        return [named for named in meant if self.files.scan_one(named.path) == there and _same(named.path, asked.path)]

    def _is_there(self, asked: Reference) -> bool:
        return asked.is_file and bool(asked.path) and self.files.scan_one(asked.path) != ABSENT

    def _unindexed(self, asked: Reference, alone: bool) -> Source:
        """Return the one document that *asked* means by its id or its path, from its file, or the node of that id.

        Raises:
            AmbiguousNameError: it means several.
            IndexBusyError: it may be one's title or alias, which the index does not know yet.
        """
        known = self.files.scan().files
        every = identity.ids(known, self.files.source_of)
        names = Names(Named(id, path) for path, id in every.items())
        meant = self._refuse_outside(asked, names, names.meant(asked, alone))
        if len(meant) > 1:
            raise AmbiguousNameError(asked.text, sorted((named.id, named.path) for named in meant))
        if not meant and is_id_prefix(asked.text.lower()):
            return self.graph.source(asked.text)
        found = self.put(meant[0].path) if meant else None
        if found is None:
            raise IndexBusyError(self.files.root)
        entry = found.entry
        when = (entry.created, entry.modified)
        return Source(meant[0].id, DOCUMENT, entry.title, entry.status, entry.confidence, *when, found.path)

    def _refuse_unread(self, asked: Reference) -> None:
        """Raise StorageError if a document of that name is there and cannot be read: it is not missing."""
        name = without_ending(asked.path).lower()
        for path, reason in self.index.faults(DOCUMENT):
            whole = without_ending(path).lower()
            if name == whole or (not asked.has_folder and name == whole.rpartition("/")[2]):
                raise StorageError(path, reason, _LEFT)

    def stored(self, source: Source) -> Stored[Page]:
        """Return the file of a document or node as it is on disk. Raises DocumentMissingError, StorageError."""
        try:
            return self.page(source.path, source.type != DOCUMENT)
        except FileNotFoundError:
            self.refresh(walk=True)
            step = "It was removed a moment ago; search again."
            raise DocumentMissingError(source.path, step) from None

    def page(self, path: str, is_node: bool = False) -> Stored[Page]:
        """Return the file at *path* as it is on disk. Raises FileNotFoundError, StorageError."""
        data, _ = (self.writer if is_node else self.files).read(path)
        try:
            return Stored(self.codec.parse(data, path), path, data)
        except UnreadableNodeError as error:
            raise StorageError(path, error.reason, _LEFT) from None

    def names(self) -> Names:
        """Return the names of all documents."""
        return Names(self.index.named(DOCUMENT))

    def near(self, asked: str) -> list[str]:
        """Up to three ids that somebody who wrote *asked* may have meant."""
        terms = Terms(query_terms(asked[:200])[:8])
        found = self.index.lexical_candidates(terms, Filter(kind=DOCUMENT), False, OFFERED) if terms else []
        sources = dict.fromkeys(candidate.source for candidate in found)
        return [source.id for source in sources if share_a_word(asked, f"{source.id} {source.title}")][:OFFERED]

    def _near_nodes(self, asked: str) -> list[str]:
        return [f"{title} ({type}, {id[:8]})" for title, type, id in self.graph.near(asked)]

    def relative(self, path: str) -> str:
        """Return *path*, as somebody wrote it, from the project's root."""
        plain = path.strip().replace("\\", "/")
        root = self.files.root.replace("\\", "/").rstrip("/") + "/"
        return plain.removeprefix(root).removeprefix("./")

    def _nodes(self, asked: Reference) -> list[Source]:
        index, name = self.index, asked.text
        found: Iterable[Source] = index.by_title([name])
        if is_id_prefix(name.lower()):
            found = [*found, *index.by_prefix(name.lower(), 6)]
        stem = without_ending(asked.path).rpartition("/")[2].lower()
        if asked.is_file and is_uuid4(stem):
            named = index.by_ids([stem]).values()
            found = [*found, *(each for each in named if not asked.has_folder or each.path == asked.path)]
        sources = list({source.id: source for source in found}.values())
        if len(sources) > 1:
            raise AmbiguousNameError(name, sorted((source.id, source.type) for source in sources), "nodes")
        return sources


def _same(one: str, other: str) -> bool:
    return key(one) == key(other)


_OUTSIDE = "That file is not among the documents: `documents_sources` and `documents_excludes` decide which are."
_LEFT = "It is left as it is; `autology doctor` lists such files."
