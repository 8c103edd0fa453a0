"""Storing, changing and deleting memories: many at once, each by itself, what is reported stored has been written."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from autology.core.content.codec import Stored, clean, text_of
from autology.core.content.collection import TRIES
from autology.core.memory import kinds, lifetimes, rules
from autology.core.memory.chunks import Chunked
from autology.core.memory.draft import BatchDraft
from autology.core.memory.duplicates import Duplicates, Known, Stats
from autology.core.memory.items import Item, item, named
from autology.core.memory.memories import Memories, Root
from autology.core.memory.merging import merged
from autology.core.memory.projecting import same_content, same_key
from autology.model.entry import MEMORY
from autology.model.errors import AutologyError, ConflictError, InputError, StorageError, ValidationError
from autology.model.memory import Kind, Memory, Scope, check_id, content_hash
from autology.ranking.same_statement import THRESHOLD
from autology.text.notes.memory_file import in_line_ends_of

MOST = 100
"""Items of one call."""

STORED, UPDATED, DELETED = "stored", "updated", "deleted"
SKIPPED, BLOCKED = "skipped_dedupe", "business_rule_blocked"
WRITTEN = (STORED, UPDATED, DELETED)

_DESTROYS = re.compile(r"\b(?:drop|truncate)\b|\bdelete\s+from\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of an item, and why; *memory* is the item as it is stored now, or was."""

    input_index: int
    status: str
    kind: str
    id: str
    created_at: str
    reason: str | None = None
    existing_id: str | None = None
    memory: Memory | None = None
    redacted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Problem:
    """Why an item was not stored."""

    index: int
    error_code: str
    message: str
    item_kind: str | None = None
    item_id: str | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """What became of all items, in their order; how duplicates were looked for; how long items were cut."""

    outcomes: tuple[Outcome, ...]
    problems: tuple[Problem, ...]
    total: int
    stats: Stats = field(default_factory=Stats)
    chunked: Chunked = field(default_factory=Chunked)
    notes: tuple[str, ...] = ()
    seconds: float = 0.0

    def count(self, *statuses: str) -> int:
        """Return how many items have one of these statuses."""
        return sum(outcome.status in statuses for outcome in self.outcomes)


class _ElsewhereError(Exception):
    """An item turned out to be kept in a root that is not locked."""

    def __init__(self, root: Root) -> None:
        self.root = root


def store(memories: Memories, items: object, dedupe: str = "skip") -> Result:
    """Store *items*, as a client's JSON has them; by *dedupe* those that do not say themselves.

    One that does not fit stops no other. All that belong to one root are written as one.

    Raises:
        InputError: the call as a whole is unusable.
    """
    begun = time.perf_counter()
    batch = _Batch(memories, _checked(items), dedupe)
    batch.read()
    for attempt in range(TRIES):
        try:
            batch.run()
            break
        except ConflictError as error:
            if attempt == TRIES - 1:
                batch.fail(error)
    outcomes = tuple(batch.outcomes[at] for at in sorted(batch.outcomes))
    return Result(
        outcomes,
        tuple(sorted(batch.problems, key=lambda problem: problem.index)),
        len(batch.items),
        batch.duplicates.stats,
        memories.chunks.report(written(outcomes)),
        tuple(memories.graph.notes),
        time.perf_counter() - begun,
    )


def _checked(items: object) -> Sequence[object]:
    if not isinstance(items, list | tuple):
        raise InputError("items must be an array")
    if not 1 <= len(items) <= MOST:
        raise InputError(f"items holds {len(items):,}; give 1 to {MOST}")
    if not any(isinstance(each, Mapping) for each in items):
        raise InputError("items[0] must be an object: {kind, content}")
    return items


class _Batch:
    """One call's items and what becomes of them."""

    def __init__(self, memories: Memories, items: Sequence[object], dedupe: str) -> None:
        self.memories = memories
        self.items = items
        self.dedupe = dedupe
        self.outcomes: dict[int, Outcome] = {}
        self.problems: list[Problem] = []
        self.now = memories.stamp()
        self.draft = BatchDraft(memories)
        self.duplicates = Duplicates(memories, self.now, self.draft.by_id)
        self.read_items: dict[int, Item] = {}
        self._unread: list[Problem] = []
        self._here: Scope | ValidationError = Scope()
        self._locked: list[Root] = []
        self._refused: dict[str, StorageError] = {}

    def read(self) -> None:
        """Check every item by itself."""
        try:
            self._here = self.memories.default_scope()
        except ValidationError as error:
            self._here = error
        for at, given in enumerate(self.items):
            try:
                self.read_items[at] = item(given)
            except ValidationError as error:
                self._unread.append(self._problem(at, "VALIDATION_ERROR", error))

    def run(self) -> None:
        """Carry out what can be, under the locks of the roots that it concerns."""
        needed = self._concerned() if self.read_items else []
        while True:
            self._begin()
            if not self.read_items:
                return
            try:
                self._run(needed)
                return
            except _ElsewhereError as error:
                needed = [root for root in self.memories.roots if root in needed or root is error.root]

    def fail(self, error: StorageError) -> None:
        """Give up on all that can be carried out: nothing of it is written."""
        self._begin()
        for at in self.read_items:
            self.problems.append(self._problem(at, "STORAGE_ERROR", error))

    def _begin(self) -> None:
        self.outcomes, self.problems = {}, list(self._unread)
        self.draft = BatchDraft(self.memories)
        self.duplicates = Duplicates(self.memories, self.now, self.draft.by_id)
        self._refused = {}

    def _look(self) -> None:
        try:
            self.memories.refresh()
        except StorageError as error:
            self.memories.graph.degraded.note(f"the index cannot be used: {error.reason}")

    def _concerned(self) -> list[Root]:
        """Return the roots in which items are kept or are to be, as far as the index knows before they are locked."""
        found = []
        draft = BatchDraft(self.memories)
        draft.look_up(self._given_ids())
        for given in self.read_items.values():
            source = draft.source(given.id) if given.id else None
            if source is not None and source.kind == MEMORY:
                found.append(self.memories.root_of(source.path))
            elif not given.delete and not isinstance(self._here, ValidationError):
                found.append(self.memories.root_for(self._scope(given), self._here))
            elif not given.delete and given.scope is not None:
                found.append(self.memories.roots[1])
        return [root for root in self.memories.roots if any(root is each for each in found)]

    def _run(self, needed: Sequence[Root]) -> None:
        with ExitStack() as locks:
            self._locked = []
            for root in needed:
                try:
                    locks.enter_context(root.files.locked())
                    self._locked.append(root)
                except StorageError as error:
                    self._refused[root.prefix] = error
            locks.enter_context(self.memories.index.keep_open())
            self._look()
            self._look_up()
            for at, given in self.read_items.items():
                self._settle(at, given)
            for root in self._locked:
                self._commit(root)

    def _look_up(self) -> None:
        """Ask the index once for what all items may be stored as already."""
        names: list[str] = []
        for given in self.read_items.values():
            if given.kind is None or given.content is None:
                continue
            with suppress(ValidationError):
                scope = self._scope(given)
                names.append(same_content(given.kind, scope, content_hash(given.content)))
                names += [same_key(scope, given.idempotency_key)] if given.idempotency_key else []
        with suppress(StorageError):  # each item asks again, and is told
            self.draft.look_up(self._given_ids())
            self.duplicates.look_up(names)

    def _given_ids(self) -> list[str]:
        return [given.id for given in self.read_items.values() if given.id]

    def _settle(self, at: int, given: Item) -> None:
        try:
            outcome = self._done(at, given)
            self.outcomes[at] = replace(outcome, redacted=given.redacted)
        except ValidationError as error:
            self.problems.append(self._problem(at, "VALIDATION_ERROR", error))
        except _DuplicateError as error:
            self.problems.append(self._problem(at, "DUPLICATE_ITEM", error))
        except StorageError as error:
            self.problems.append(self._problem(at, "STORAGE_ERROR", error))
        except _BrokenError as error:
            self.outcomes[at] = Outcome(
                at, BLOCKED, error.memory.kind.value, error.memory.id, error.memory.created_at, str(error.broken)
            )
            self.problems.append(self._problem(at, error.broken.error_code, error))

    def _done(self, at: int, given: Item) -> Outcome:
        stored = self._stored(given)
        if given.delete:
            return self._delete(at, given, stored)
        return self._create(at, given) if stored is None else self._update(at, given, stored)

    def _stored(self, given: Item) -> Stored[Memory] | None:
        """Return the item of the given id, in a root that is locked."""
        if given.id is None:
            return None
        stored = self.draft.stored(given.id)
        if stored is None:
            self._refuse_taken(given.id)
            return None
        self._require(self.memories.root_of(stored.path))
        if given.scope is not None and not given.scope.covers(stored.entry.scope):
            fits = "An item stays in its scope: leave the scope out, or store a new item."
            raise ValidationError("id", f"'{given.id}' is an item of another scope", fits)
        if given.kind is not None and given.kind is not stored.entry.kind:
            problem = f"'{given.id}' is {_a(stored.entry.kind)}, which {_a(given.kind)} cannot replace"
            raise ValidationError("kind", problem, "Store the new item under an id of its own.")
        return stored

    def _refuse_taken(self, id: str) -> None:
        """Raise ValidationError if *id* is a node's or document's: a memory of that id could not be found."""
        other = self.draft.source(id)
        if other is not None and other.kind != MEMORY:
            raise ValidationError("id", f"'{id}' is the id of {other.path}", "Give another one, or leave it out.")

    def _require(self, root: Root) -> None:
        if (refused := self._refused.get(root.prefix)) is not None:
            raise refused
        if not any(root is each for each in self._locked):
            raise _ElsewhereError(root)

    # ---- deleting, changing, adding ----------------------------------------------------------------

    def _delete(self, at: int, given: Item, stored: Stored[Memory] | None) -> Outcome:
        if stored is None:
            raise ValidationError("id", "names no stored item" if given.id else "is missing", "Give the item's id.")
        self.draft.discard(stored, self.now)
        memory = stored.entry
        return Outcome(at, DELETED, memory.kind.value, memory.id, memory.created_at, memory=memory)

    def _update(self, at: int, given: Item, stored: Stored[Memory]) -> Outcome:
        before = stored.entry
        after = before
        if given.merge != "skip":
            after = in_line_ends_of(text_of(stored.data), before, self._finished(merged(before, given, self.now)))
        if after == before:
            why = "Kept as it was (merge: skip)" if given.merge == "skip" else "The stored item says this already"
            return Outcome(at, SKIPPED, before.kind.value, before.id, before.created_at, why, before.id, before)
        if given.data is not None:
            kinds.check(after.kind, after.data)
        self._refuse_broken(after, before)
        after = replace(after, updated_at=max(self.now, before.updated_at))  # the clock may have been set back
        self.draft.replace(stored, after)
        self.duplicates.add(after)
        reason = _remarks(_redacted(given), _respelled(given), _destroys(after))
        return Outcome(at, UPDATED, after.kind.value, after.id, after.created_at, reason, memory=after)

    def _create(self, at: int, given: Item) -> Outcome:
        memory = self._new(given)
        root = self.memories.root_for(memory.scope, self._here if isinstance(self._here, Scope) else Scope())
        self._require(root)
        if (known := self.duplicates.by_key(memory)) is not None:
            return self._repeated(at, memory, known)
        dedupe = given.dedupe or self.dedupe
        near: tuple[Known, ...] = ()
        if dedupe != "off":
            same = self.duplicates.same(memory)
            near = (same,) if same else self.duplicates.near(memory)
            if dedupe == "skip" and near and near[0].differ is None:
                return _skipped(at, near[0])
            if dedupe == "skip" and (revived := self._revived(at, given, memory)) is not None:
                return revived
        self._refuse_broken(memory, None)
        apart = tuple(known for known in near if known.differ is not None)
        memory = replace(memory, near_duplicate_of=tuple(known.memory.id for known in apart))
        self.draft.create(root, memory)
        self.duplicates.add(memory)
        said = _near(near[0]) if near else None
        reason = _remarks(_redacted(given), _respelled(given), said, _destroys(memory))
        existing = near[0].memory.id if near else None
        return Outcome(at, STORED, memory.kind.value, memory.id, memory.created_at, reason, existing, memory)

    def _revived(self, at: int, given: Item, memory: Memory) -> Outcome | None:
        """Have the item that said this until its time was over live again: under its id, others refer to it."""
        past = self.duplicates.past(memory)
        stored = self.draft.stored(past.id) if past is not None else None
        if stored is None:
            return None
        self._require(self.memories.root_of(stored.path))
        merge = "prefer_existing" if given.merge == "skip" else given.merge
        try:
            outcome = self._update(at, replace(given, content=None, merge=merge), stored)
        except _BrokenError:
            return None  # what may not change in it stays as it was: this one is an item of its own
        reason = _remarks("Its time was over: it lives again", outcome.reason)
        return replace(outcome, reason=reason, existing_id=outcome.id)

    def _new(self, given: Item) -> Memory:
        """Return what *given* is as an item of its own, with all that it did not say filled in."""
        if given.kind is None:
            raise ValidationError("kind", "is missing", f"Use one of: {', '.join(Kind)}.")
        if given.content is None:
            raise ValidationError("content", "is missing", "Give a non-empty string.")
        data = given.data or {}
        kinds.check(given.kind, data)
        memory = Memory(
            id=given.id or check_id(self.memories.new_id()),
            kind=given.kind,
            content=given.content,
            scope=self._scope(given),
            created_at=self.now,
            updated_at=self.now,
            expires_at=lifetimes.expires_at(given.kind, given.ttl_policy, self.now, data),
            content_hash=content_hash(given.content),
            data=MappingProxyType(dict(data)),
            metadata=MappingProxyType(dict(given.metadata or {})),
            tags=given.tags or (),
            ttl_policy=given.ttl_policy,
            idempotency_key=given.idempotency_key,
        )
        return self._finished(memory)

    def _finished(self, memory: Memory) -> Memory:
        """Return *memory*, with when it was completed if it is a todo that is done."""
        if memory.kind is not Kind.TODO or memory.data.get("status") != "done" or memory.data.get("completed_at"):
            return memory
        return replace(memory, data=MappingProxyType({**memory.data, "completed_at": self.now}))

    def _scope(self, given: Item) -> Scope:
        """Return the scope of a new item: what was given, of the caller's organisation, and a branch of the caller's
        project; else where the caller is.
        """
        if isinstance(self._here, ValidationError):
            if given.scope is not None and not _lacks_project(given.scope):
                return given.scope
            raise self._here
        if given.scope is None:
            return self._here
        project = self._here.project if _lacks_project(given.scope) else given.scope.project
        return replace(given.scope, org=given.scope.org or self._here.org, project=project)

    def _repeated(self, at: int, memory: Memory, known: Memory) -> Outcome:
        if known.kind is not memory.kind or known.content_hash != memory.content_hash:
            raise _DuplicateError(known.id)
        reason = "This idempotency_key was used for it before"
        return Outcome(at, SKIPPED, known.kind.value, known.id, known.created_at, reason, known.id, known)

    def _refuse_broken(self, after: Memory, before: Memory | None) -> None:
        if (broken := rules.broken(after, before, self.draft)) is not None:
            raise _BrokenError(broken, before or after)

    # ---- writing -------------------------------------------------------------------------------------

    def _commit(self, root: Root) -> None:
        changes = self.draft.of(root).pending
        if not changes:
            return
        try:
            root.commit(self.draft.of(root))
        except ConflictError:
            if self._written_elsewhere(root):
                # Another root's part is written: it is not begun again, and this one's is given up.
                self._undo(root, ConflictError(changes[0].path))
                return
            raise
        except StorageError as error:
            self._undo(root, error)
            return
        self.draft.written.add(root.prefix)

    def _written_elsewhere(self, root: Root) -> bool:
        return bool(self.draft.written - {root.prefix})

    def _undo(self, root: Root, error: StorageError) -> None:
        """Report as failed what was to be written in *root*, and what was left out because of it."""
        lost = self.draft.ids(root)
        for at, outcome in list(self.outcomes.items()):
            if outcome.id in lost or outcome.existing_id in lost:
                del self.outcomes[at]
                self.problems.append(self._problem(at, "STORAGE_ERROR", error))

    def _problem(self, at: int, code: str, error: Exception) -> Problem:
        kind, id = named(self.items[at])
        return Problem(at, code, clean(_told(error)), kind, id)


class _BrokenError(AutologyError):
    """A rule that an item breaks."""

    def __init__(self, broken: rules.Broken, memory: Memory) -> None:
        self.broken = broken
        self.memory = memory
        super().__init__(str(broken))


class _DuplicateError(AutologyError):
    """An idempotency key that was used for another item."""

    def __init__(self, id: str) -> None:
        super().__init__(f"idempotency_key: was used for another item ({id}). Give this one a key of its own.")


def _told(error: Exception) -> str:
    return str(error).removeprefix("validation error: ")


def _lacks_project(scope: Scope) -> bool:
    """Whether *scope* names a branch and not the project that it is a branch of."""
    return scope.branch is not None and scope.project is None


def _skipped(at: int, known: Known) -> Outcome:
    other = known.memory
    return Outcome(at, SKIPPED, other.kind.value, other.id, other.created_at, known.reason, other.id, other)


def _near(known: Known) -> str:
    if known.differ is None:
        return known.reason
    likeness = f"Near-duplicate of {known.memory.id} ({known.similarity:.1%} >= {THRESHOLD:.1%})"
    return f"{likeness}: kept, because {known.differ} differ, and linked"


def _redacted(given: Item) -> str | None:
    return f"Redacted before storing: {', '.join(given.redacted)}" if given.redacted else None


def _respelled(given: Item) -> str | None:
    if not given.respelled:
        return None
    return "Tags written as: " + ", ".join(f"{tag} → {written}" for tag, written in given.respelled.items())


def _destroys(memory: Memory) -> str | None:
    if memory.kind is not Kind.DDL or memory.data.get("rollback_sql"):
        return None
    sql = str(memory.data.get("sql") or memory.content)
    return "It destroys data and has no data.rollback_sql" if _DESTROYS.search(sql) else None


def _remarks(*remarks: str | None) -> str | None:
    return "; ".join(remark for remark in remarks if remark) or None


def _a(kind: Kind) -> str:
    return f"{'an' if kind.value[0] in 'aeiou' else 'a'} {kind.value}"


def written(outcomes: Sequence[Outcome]) -> Iterator[Memory]:
    """Yield the items that were stored or changed, as they are now."""
    yield from (outcome.memory for outcome in outcomes if outcome.memory and outcome.status in WRITTEN)
