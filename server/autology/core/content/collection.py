"""Collections: the entries of one kind, in files that are the truth, seen through an index that is kept up to them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from autology.core.content.codec import Codec, E, Stored
from autology.core.content.degraded import Degraded
from autology.core.content.draft import Draft
from autology.core.content.files import ABSENT, Change, RootFiles, Stamp, Watched
from autology.core.content.freshness import Freshness, RecentEdits
from autology.core.content.plan import ALONE, IndexPlan, plan
from autology.core.content.trash import Trash
from autology.core.index.changes import Fault, Gone, Put
from autology.core.long_work import Pool, Progress
from autology.model.errors import ConflictError, NotFoundError, StorageError, UnreadableNodeError
from autology.model.hit import Source
from autology.model.next_step import Action, Sentence, do

if TYPE_CHECKING:
    from autology.core.index.index import Index

JOB = 50
"""Files that a process reads at once where several do: 0.15 s of work."""
TRIES = 3
"""How often a question is asked again of an index that broke, or a change made again of a file that was edited."""
PARSED = 2_000
PARSED_BYTES = 20_000
"""Entries kept parsed, and how long they may be: 60 of the 130 microseconds that a candidate costs."""
STEP = Sentence("Fix the file by hand; ", do(Action.DOCTOR), " says how, and lists every file that cannot be read.")

T = TypeVar("T")
D = TypeVar("D", bound=Draft[Any])


class Collection(Generic[E]):
    """The entries of one kind below one root; what is special about a kind is in its *codec* and in a subclass.

    A question refreshes the index first, at a bounded cost. *files* are read and watched, *writer* locks, commits and
    keeps the trash. The index knows the paths with *prefix* before them. Collections of one index share *degraded*.
    With a *lock* one thread at a time refreshes and commits.
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
        self.freshness = Freshness()
        self.edits = RecentEdits(files.scan_one, files.edited)
        self.written: Callable[[Sequence[Change]], None] | None = None
        """Called with every change that is made, so that it can be undone."""
        self._parsed: dict[str, tuple[Stamp, E]] = {}

    # ---- freshness ---------------------------------------------------------------------------------

    def refresh(self, walk: bool = False, progress: Progress | None = None) -> int:
        """Bring the index up to the files; return how many had changed.

        Without *walk* all files are looked at only where something shows that the index may be behind.
        """
        with self.lock:
            return self._refresh(walk, progress)

    def _refresh(self, walk: bool, progress: Progress | None) -> int:
        generation, folders = self.index.generation(), self.files.folders()
        begun = time.monotonic()
        matches = self.freshness.matches(generation, folders)
        if matches and not walk and not self.freshness.is_over(begun):
            return self._index_edits()
        if not matches:
            self._forget()  # another process may have written and indexed what changed
        self.writer.recover()
        stamps = self._scan()
        if stamps is None:
            return 0
        plan = self._plan(stamps)
        self.edits.watch(stamps)
        self.freshness.cost = time.monotonic() - begun
        self.apply(plan, progress)
        # As they were before: an index that broke meanwhile, or a file that came, is seen by the next refresh. Where
        # the walk found other folders to watch, the state of the former ones says nothing.
        now = self.files.folders()
        self.freshness.folders = folders if len(folders) == len(now) else now
        self.freshness.generation, self.freshness.walked = generation, time.monotonic()
        return len(plan)

    def changes(self) -> IndexPlan:
        """Return which files changed and which are gone since the index last saw them."""
        stamps = self._scan()
        return IndexPlan() if stamps is None else self._plan(stamps)

    def stamps(self) -> Mapping[str, Stamp]:
        """Return what the index believes of every file of this collection."""
        return self.index.stamps(self.codec.kind)

    def apply(self, plan: IndexPlan, progress: Progress | None = None) -> None:
        """Carry out *plan*; what is done stays done if this is interrupted."""
        if plan:
            self._forget()
        # Looked for again: what was not there may have been written, and indexed, since the plan was made.
        if gone := [Gone(path) for path in plan.gone if self.stamp_of(path) == ABSENT]:
            self.index.apply(gone)
            for change in gone:
                self._parsed.pop(change.path, None)
        jobs = [plan.changed[at : at + JOB] for at in range(0, len(plan.changed), JOB)]
        with self.pool.made(self.codec.kind, jobs, self.steps) as made:
            steps = chain.from_iterable(made)
            for at in range(0, len(plan.changed), self.codec.batch):
                self.index.apply(islice(steps, self.codec.batch))
                if progress:
                    progress(min(at + self.codec.batch, len(plan.changed)), len(plan.changed))

    def steps(self, paths: Sequence[str]) -> Sequence[Put | Fault | Gone]:
        """Return the files at *paths* as the index takes them in soonest."""
        steps = map(self.step, paths)
        return [self.index.prepare(step) if isinstance(step, Put) else step for step in steps]

    def put(self, path: str) -> Put | None:
        """Return the file at *path* as the index takes it, or None where it cannot be read."""
        step = self.step(path)
        return step if isinstance(step, Put) else None

    def step(self, path: str) -> Put | Fault | Gone:
        """Return the file at *path* as the index takes it."""
        return self.projected(path, self.codec.project)

    def projected(self, path: str, project: Callable[[str, Stamp, E], T]) -> T | Fault | Gone:
        """Return what *project* makes of the entry at *path*, or what the index takes where it cannot be read."""
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
        """Return the path within the root of one that the index knows."""
        return path.removeprefix(self.prefix)

    def stamp_of(self, path: str) -> Stamp:
        """Return the present stamp of the file at *path*, as the index knows it; ABSENT where there is none."""
        return self.files.scan_one(self.inner(path))

    def _scan(self) -> Mapping[str, Stamp] | None:
        """Return every file with its stamp, by path within the root; None where that cannot be told."""
        return self.writer.scan()

    def _plan(self, stamps: Mapping[str, Stamp]) -> IndexPlan:
        """Return what brings the index up to the files, which have these *stamps*."""
        known = {self.prefix + path: at for path, at in stamps.items()} if self.prefix else stamps
        return plan(known, self.stamps())

    def _forget(self) -> None:
        """Forget what a subclass keeps of the entries beside the index: some are others now."""

    def _index_edits(self) -> int:
        """Index the files that were edited in place."""
        edited = self.edits.edited()
        if edited:
            self.apply(IndexPlan(tuple(self.prefix + path for path in sorted(edited))))
            self.edits.indexed(edited)
        return len(edited)

    # ---- questions ---------------------------------------------------------------------------------

    @property
    def notes(self) -> list[str]:
        """What is degraded, for the answers that it affects."""
        return self.degraded.notes

    def is_whole(self) -> bool:
        """Whether the index is still the one that was last brought up to the files."""
        return self.index.generation() == self.freshness.generation

    def catch_up(self) -> bool:
        """Bring the index up to the files for a question; return whether it is.

        While another process fills it, what it holds answers, and :attr:`notes` say so.
        """
        return self.degraded.catch_up(self.refresh)

    def read_current(self, read: Callable[[], T]) -> T:
        """Return what *read* finds once the index is up to the files, or as far as another process has filled it.

        An index that breaks meanwhile is rebuilt, and asked again: its silence would look like an answer. One that
        breaks every time is said to be behind.
        """
        with self.index.keep_open():
            for _ in range(TRIES):
                if not self.catch_up():
                    return read()
                try:
                    answer = read()
                except NotFoundError:
                    if self.is_whole():
                        raise
                    continue
                if self.is_whole():
                    return answer
            self.degraded.behind = "the index broke each time that it was asked"
            return read()

    # ---- reading -----------------------------------------------------------------------------------

    def stored(self, source: Source) -> Stored[E]:
        """Return the entry of an indexed source, from disk as it is now.

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
        if len(self._parsed) >= PARSED:
            self._parsed.pop(next(iter(self._parsed)), None)  # the one kept first
        if len(data) <= PARSED_BYTES:
            self._parsed[path] = (at, entry)
        if entry.id != source.id:  # edited by hand a moment ago
            raise FileNotFoundError(path)
        return Stored(entry, path, data)

    def readable(self, sources: Sequence[Source]) -> list[tuple[E, Source]]:
        """Return the entries of *sources*, leaving out what has gone, broken or got another id since."""
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

    # ---- writing -----------------------------------------------------------------------------------

    def transact(self, draft: Callable[[], D], act: Callable[[D], T], refresh: Callable[[], object] | None) -> T:
        """Let *act* gather changes in a new *draft*, then commit them all or none; return what *act* returned.

        The root's lock is held meanwhile. *refresh* is called first; None is for changes that do not ask the index.

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
                    if refresh is None or attempt == TRIES - 1 or self.is_whole():
                        self.commit(gathered)
                        return result
                except ConflictError:
                    if attempt == TRIES - 1:
                        raise
                except NotFoundError:
                    if attempt == TRIES - 1 or self.is_whole():
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
            self.edits.indexed(stamps)
            steps: list[Put | Gone] = []
            for path, at in ((self.prefix + inner, at) for inner, at in stamps.items()):
                if at is None:
                    steps.append(Gone(path))
                    self._parsed.pop(path, None)
                elif path in draft.entries:
                    steps.append(self.codec.project(path, at, draft.entries[path]))
            with self.noted():
                self.index.apply(steps)
                if unchanged:
                    self.freshness.folders = self.files.folders()
                self._committed(draft)

    def _committed(self, draft: Draft[E]) -> None:
        """Do what follows from a *draft* that is committed and indexed."""

    @contextmanager
    def noted(self) -> Iterator[None]:
        """Note what fails after files were written: they are durable, and the next refresh makes up for the index."""
        try:
            yield
        except StorageError as error:
            repairs = Sentence(do(Action.SYNC), " repairs it")
            self.degraded.note(Sentence(f"saved, but not indexed yet: {error.reason}; ", repairs))
