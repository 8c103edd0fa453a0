"""Collections: the entries of one kind; files are the source of truth, and an index is kept up to date with them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from itertools import chain, islice
from threading import RLock
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from autology.core.content import indexing_wait
from autology.core.content.codec import Codec, E, Stored
from autology.core.content.degraded import Degraded
from autology.core.content.draft import Draft
from autology.core.content.files import ABSENT, Change, RootFiles, Stamp, Watched
from autology.core.content.freshness import LATE, SHORTEST, Freshness
from autology.core.content.plan import ALONE, IndexPlan, plan
from autology.core.content.recent_edits import RecentEdits
from autology.core.content.trash import Trash
from autology.core.index.changes import Fault, Gone, Put
from autology.core.index.second_pass import MANY
from autology.core.long_work import Pool, Progress, unhurried, without_garbage_collection
from autology.model.errors import (
    ConflictError,
    IndexBehindError,
    NotFoundError,
    StorageError,
    UnreadableNodeError,
)
from autology.model.hit import Source
from autology.model.next_step import Action, Sentence, do
from autology.model.query import Filter

if TYPE_CHECKING:
    from autology.core.index.index import Index

JOB = 50
"""Files per job of a worker process: 0.15 s of work."""
LAST = 500
"""Files per transaction at the end, when no other process has anything left to read while they are written: what all
transactions had before they were larger, not measured in between."""
TRIES = 3
"""Maximum attempts of a query whose index breaks, or of a change whose file is edited meanwhile."""
PARSED = 2_000
PARSED_BYTES = 20_000
"""Maximum number and size of cached parsed entries: parsing is 60 of the 130 microseconds that a candidate costs."""
AHEAD_BYTES = 4_000_000
"""Bytes of files that are parsed ahead: 2,000 notes of 300 words, for 8 MB of memory."""
STEP = Sentence("Fix the file by hand; ", do(Action.DOCTOR), " says how, and lists every file that cannot be read.")


class Lock(AbstractContextManager[bool], Protocol):
    """A lock of threads."""

    def acquire(self, blocking: bool = ..., timeout: float = ...) -> bool:
        """Take it; return false if it was not free in time."""

    def release(self) -> None:
        """Give it back."""


T = TypeVar("T")
D = TypeVar("D", bound=Draft[Any])


class Collection(Generic[E]):
    """The entries of one kind below one root; its *codec* and a subclass contain what is specific to the kind.

    A query refreshes the index first, at a bounded cost. *files* are read and watched; *writer* locks, commits and
    manages the trash. In the index, paths begin with *prefix*. Collections of one index share *degraded*. With a
    *lock*, only one thread at a time commits; *updating* is held by the one that updates the index.
    """

    def __init__(
        self,
        files: Watched,
        writer: RootFiles,
        index: Index,
        codec: Codec[E],
        prefix: str = "",
        pool: Pool = ALONE,
        degraded: Degraded | None = None,
        lock: AbstractContextManager[object] | None = None,
        updating: Lock | None = None,
    ) -> None:
        self.files = files
        self.writer = writer
        self.index = index
        self.codec = codec
        self.prefix = prefix
        self.pool = pool
        self.trash = Trash(writer, codec, prefix)
        self.degraded = degraded or Degraded([])
        self.lock = lock or nullcontext()
        self.updating = updating or RLock()
        self.filling = False
        self.left = 0  # files that were not indexed in time
        self._rests_until = 0.0
        self.freshness = Freshness()
        self.edits = RecentEdits(files.scan_one, files.edited)
        self.written: Callable[[Sequence[Change]], None] | None = None
        """Called with every committed change, for undo."""
        self._parsed: dict[str, tuple[Stamp, E]] = {}

    # ---- freshness ---------------------------------------------------------------------------------

    def refresh(self, walk: bool = False, progress: Progress | None = None) -> int:
        """Update the index from the files, however long that takes; return how many had changed.

        Without *walk*, all files are checked only if there are signs that the index is out of date.
        """
        with self.updating:
            return self._refresh(walk, progress)

    def refresh_soon(self, walk: bool = False) -> int:
        """Do the same for a moment, or not at all while another thread does, or just after a call that did not finish.

        Raises:
            IndexBusyError: files are left over; the next call goes on.
        """
        rests = self.left and time.monotonic() < self._rests_until
        if self.filling or rests or not self.updating.acquire(timeout=indexing_wait.BESIDE_ANOTHER):
            raise IndexBehindError(self.files.root, self.left)
        try:
            return self._refresh(walk, None, self.degraded.until())
        finally:
            self._rests_until = time.monotonic() + indexing_wait.REST
            self.updating.release()

    def fill(self, progress: Progress | None = None) -> None:
        """Finish what :meth:`refresh_soon` left over; queries are answered without waiting meanwhile."""
        if not self.left:
            return
        with self.updating:
            self.filling = True
            try:
                self._refresh(False, progress)
            finally:
                self.filling = False

    def _refresh(self, walk: bool, progress: Progress | None, until: float | None = None) -> int:
        generation, folders = self.index.generation(), self.files.folders()
        begun = time.monotonic()
        matches = self.freshness.matches(generation, folders)
        is_watched = self.files.is_watched()
        if matches and not walk and (is_watched or not self.freshness.is_over(begun)):
            edited = self.edits.edited(is_watched)
            if not edited or not self._depends(edited):
                return self._index_edits(edited, until)
        if not matches:
            self._forget()  # another process may have written and indexed what changed
        self.writer.recover()
        stamps = self._scan()
        if stamps is None:
            return 0
        plan = self._plan(stamps)
        self.edits.watch(stamps)
        self.freshness.cost = time.monotonic() - begun
        self.left = self.apply(plan, progress, until)
        self._report_left()
        # As they were when the walk began: an index that broke meanwhile, or a file that came, is seen by the next one.
        self.freshness.folders = self.files.scanned()
        self.freshness.generation, self.freshness.walked = generation, time.monotonic()
        return len(plan)

    def check(self, scan: Callable[[], Mapping[str, Stamp] | None]) -> float:
        """Compare all files with the index, beside queries, which then index what differs; return the seconds until the
        next comparison.

        *scan* lists the files without touching what :attr:`files` remembers.
        """
        begun = time.monotonic()
        if not self.freshness.walked or self.left or (stamps := scan()) is None:
            return SHORTEST
        indexed = self.stamps()
        differing = plan({self.prefix + path: at for path, at in stamps.items()}, indexed)
        if differing.gone or any(path not in indexed for path in differing.changed):
            self.freshness.forget()
        else:
            self.edits.expect(map(self.inner, differing.changed))
        self.freshness.cost = time.monotonic() - begun
        interval = self.freshness.interval(self.files.is_watched())
        self.freshness.covered = time.monotonic() + LATE * interval
        return interval

    def changes(self) -> IndexPlan:
        """Return which files changed and which are gone since the index last saw them."""
        stamps = self._scan()
        return IndexPlan() if stamps is None else self._plan(stamps)

    def stamps(self) -> Mapping[str, Stamp]:
        """Return the stamp of every file of this collection, as indexed."""
        return self.index.stamps(self.codec.kind)

    def _report_left(self) -> None:
        if self.left:
            raise IndexBehindError(self.files.root, self.left)

    def apply(self, plan: IndexPlan, progress: Progress | None = None, until: float | None = None) -> int:
        """Carry out *plan*; an interruption keeps the completed part. Return how many files are left at *until*."""
        if plan:
            self._forget()
        # Looked for again: what was not there may have been written, and indexed, since the plan was made.
        if gone := [Gone(path) for path in plan.gone if self.stamp_of(path) == ABSENT]:
            self.index.apply(gone)
            for change in gone:
                self._parsed.pop(change.path, None)
        total = len(plan.changed)
        jobs = [plan.changed[at : at + JOB] for at in range(0, total, JOB)]
        # Helpers take a fifth of a second to start: not for what is to end soon.
        batch, pool = (self.codec.batch, self.pool) if until is None else (JOB, ALONE)
        steps_of = self.steps if total >= MANY else self.whole_steps
        pausing = without_garbage_collection() if total >= MANY else nullcontext()
        with pausing, pool.results(self.codec.kind, jobs, steps_of) as batches:
            steps = chain.from_iterable(batches)
            done = 0
            while done < total:
                if until is not None and done and time.monotonic() >= until:  # each call gets on
                    return total - done
                size = batch if total - done > batch else min(total - done, LAST)
                self.index.apply(islice(steps, size))
                done += size
                if progress:
                    progress(done, total)
        return 0

    def steps(self, paths: Sequence[str]) -> Sequence[Put | Fault | Gone]:
        """Return the files at *paths* preprocessed for the index, without vectors: these come in the second pass."""
        steps = map(self.step, paths)
        return [self.index.prepare(step, vectors=False) if isinstance(step, Put) else step for step in steps]

    def whole_steps(self, paths: Sequence[str]) -> Sequence[Put | Fault | Gone]:
        """Return the files at *paths* for the index, which makes their vectors as well."""
        return [self.step(path) for path in paths]

    def put(self, path: str) -> Put | None:
        """Return the index entry of the file at *path*, or None if it cannot be read."""
        step = self.step(path)
        return step if isinstance(step, Put) else None

    def step(self, path: str) -> Put | Fault | Gone:
        """Return the change of the index for the file at *path*."""
        return self.projected(path, self.codec.project)

    def projected(self, path: str, project: Callable[[str, Stamp, E], T]) -> T | Fault | Gone:
        """Return the result of *project* for the entry at *path*; if it cannot be read, a fault for the index."""
        try:
            data, at = self.codec.read(self.files, self.inner(path))
        except FileNotFoundError:
            return Gone(path)
        except StorageError as error:
            return Fault(path, self.stamp_of(path), error.reason, self.codec.kind)
        try:
            return project(path, at, self.codec.parse(data, path))
        except UnreadableNodeError as error:
            return Fault(path, at, error.reason, self.codec.kind)

    def inner(self, path: str) -> str:
        """Return a path of the index relative to the root."""
        return path.removeprefix(self.prefix)

    def stamp_of(self, path: str) -> Stamp:
        """Return the current stamp of the file at the index's *path*; ABSENT if there is none."""
        return self.files.scan_one(self.inner(path))

    def _scan(self) -> Mapping[str, Stamp] | None:
        """Return the stamp of every file, by path relative to the root; None if unknown."""
        return self.writer.scan()

    def _plan(self, stamps: Mapping[str, Stamp]) -> IndexPlan:
        """Return the plan that updates the index to files with these *stamps*."""
        known = {self.prefix + path: at for path, at in stamps.items()} if self.prefix else stamps
        return plan(known, self.stamps())

    def _forget(self) -> None:
        """Drop what a subclass caches besides the index: some entries changed."""

    def _depends(self, edited: Mapping[str, Stamp | None]) -> bool:
        """Whether other files may have to be read again: one of the same id as an edited one, which may be free now."""
        return bool(edited) and bool(self.index.faults(self.codec.kind))

    def _index_edits(self, edited: Mapping[str, Stamp], until: float | None) -> int:
        """Index the files that were *edited*."""
        if not edited:
            return 0
        gone = tuple(sorted(self.prefix + path for path, at in edited.items() if at == ABSENT))
        changed = tuple(sorted(self.prefix + path for path, at in edited.items() if at != ABSENT))
        self.left = self.apply(IndexPlan(changed, gone), None, until)
        done = (*gone, *changed[: len(changed) - self.left])
        self.edits.indexed({path: edited[path] for path in map(self.inner, done)})
        self._report_left()
        return len(edited)

    # ---- questions ---------------------------------------------------------------------------------

    @property
    def notes(self) -> list[str]:
        """Notes on degraded results."""
        return self.degraded.notes

    def is_unchanged_index(self) -> bool:
        """Whether the index is still the one that was last refreshed."""
        return self.index.generation() == self.freshness.generation

    def catch_up(self) -> bool:
        """Update the index for a query; return whether it is up to date.

        While another process fills it, the query is answered from what it has so far, and :attr:`notes` say so.
        """
        return self.degraded.catch_up(self.refresh_soon)

    def check_all(self) -> int:
        """Check every file, for about a second; return how many had changed and were indexed."""
        changed: list[int] = []
        self.degraded.catch_up(lambda: changed.append(self.refresh_soon(walk=True)))
        return sum(changed)

    def read_current(self, read: Callable[[], T]) -> T:
        """Return the result of *read*, after updating the index, or from what another process has filled in so far.

        An index that breaks meanwhile is rebuilt and read again, because its silence would look like an empty result.
        One that breaks every time is reported as out of date.
        """
        with self.index.keep_open():
            for _ in range(TRIES):
                if not self.catch_up():
                    return read()
                try:
                    answer = read()
                except NotFoundError:
                    if self.is_unchanged_index():
                        raise
                    continue
                if self.is_unchanged_index():
                    return answer
            self.degraded.behind = "the index broke each time that it was asked"
            return read()

    # ---- reading -----------------------------------------------------------------------------------

    def stored(self, source: Source) -> Stored[E]:
        """Return the entry of an indexed source, read from disk.

        Raises:
            FileNotFoundError: it is gone.
            StorageError: its file cannot be read.
        """
        path = source.path
        data, at = self.codec.read(self.files, self.inner(path))
        try:
            # Kept for reading; a change is made to what the data says, whatever its stamp.
            entry = self.codec.parse(data, path)
        except UnreadableNodeError as error:
            raise StorageError(path, error.reason, STEP) from None
        self._remember(path, at, entry)
        if entry.id != source.id:  # edited by hand a moment ago
            raise FileNotFoundError(path)
        return Stored(entry, path, data)

    def _remember(self, path: str, at: Stamp, entry: E) -> None:
        """Keep the *entry* in the file at *path*, for reading only."""
        if len(self._parsed) >= PARSED:
            with suppress(RuntimeError, StopIteration):  # another thread adds to it or empties it
                self._parsed.pop(next(iter(self._parsed)), None)  # the one kept first
        if at.size <= PARSED_BYTES:
            self._parsed[path] = (at, entry)

    def readable(self, sources: Sequence[Source]) -> list[tuple[E, Source]]:
        """Return the entries of *sources*, except those that were removed, damaged or given another id meanwhile."""
        entries = []
        for source in sources:
            known = self._parsed.get(source.path)
            if known is not None and known[0] == self.stamp_of(source.path) and known[1].id == source.id:
                entries.append((known[1], source))
                continue
            try:
                entries.append((self.stored(source).entry, source))
            except (FileNotFoundError, NotFoundError, StorageError):
                continue
        return entries

    def read_ahead(self) -> None:
        """Parse the entries that a search may show, current ones first, as many as are kept; with pauses.

        Raises:
            StorageError: the index cannot be used.
        """
        left = AHEAD_BYTES
        for source in chain.from_iterable(unhurried(self.index.listed(Filter(kind=self.codec.kind), PARSED, ""))):
            if source.path not in self._parsed:
                with suppress(FileNotFoundError, StorageError):  # a search meets the same, and reports it
                    left -= len(Collection.stored(self, source).data)
            if left < 0 or len(self._parsed) >= PARSED:
                return

    # ---- writing -----------------------------------------------------------------------------------

    def transact(self, draft: Callable[[], D], act: Callable[[D], T], refresh: Callable[[], object] | None) -> T:
        """Let *act* collect changes in a new *draft*, then commit all or none; return the result of *act*.

        The root's lock is held meanwhile. *refresh* is called first; None for changes that do not query the index.

        Raises:
            ConflictError: an editor kept saving the file at the same moment.
            StorageError: the disk refused; nothing was changed.
        """
        for attempt in range(TRIES):
            with self.writer.locked(), self.index.keep_open():
                if refresh is not None:
                    refresh()
                gathered = draft()
                try:
                    result = act(gathered)
                    if refresh is None or attempt == TRIES - 1 or self.is_unchanged_index():
                        self.commit(gathered)
                        return result
                except ConflictError:
                    if attempt == TRIES - 1:
                        raise
                except NotFoundError:
                    if attempt == TRIES - 1 or self.is_unchanged_index():
                        raise
        raise AssertionError("unreachable")

    def commit(self, draft: Draft[E]) -> None:
        """Make all changes of *draft*, or none, and index them; the root's lock must be held.

        Raises:
            ConflictError: a file is not what it was when it was read; nothing was written.
            StorageError: the disk refused; nothing was written.
        """
        changes = [change for pending in draft.pending for change in self.codec.changes(pending)]
        if not changes:
            return
        with self.lock:
            unchanged = self.files.folders() == self.freshness.folders
            stamps = self.writer.commit(changes)
            if self.written is not None:
                self.written(changes)
            self.files.recognise(stamps)
            self.edits.indexed(stamps)
            steps: list[Put | Gone] = []
            for path, at in ((self.prefix + inner, at) for inner, at in stamps.items()):
                if at is None:
                    steps.append(Gone(path))
                    self._parsed.pop(path, None)
                elif path in draft.entries:
                    steps.append(self.codec.project(path, at, draft.entries[path]))
                    self._remember(path, at, draft.entries[path])
            with self.noted():
                if any(isinstance(step, Gone) for step in steps) and self._depends(stamps):
                    unchanged = False
                    self.freshness.forget()
                self.index.apply(steps)
                if unchanged and not self.files.is_watched():
                    self.freshness.folders = self.files.folders()
                self._committed(draft)

    def _committed(self, draft: Draft[E]) -> None:
        """Called after a *draft* was committed and indexed."""

    @contextmanager
    def noted(self) -> Iterator[None]:
        """Log failures after files were written: the files are durable, and the next refresh repairs the index."""
        try:
            yield
        except StorageError as error:
            repairs = Sentence(do(Action.SYNC), " repairs it")
            self.degraded.note(Sentence(f"saved, but not indexed yet: {error.reason}; ", repairs))
