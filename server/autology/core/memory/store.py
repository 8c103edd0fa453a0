"""Storing, changing and deleting memories: many in one call, independently; a memory reported as stored is on disk.

A batch is parsed, its roots are locked, each item is applied to a draft, and the drafts are committed, one per root.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace

from autology.core.content.collection import TRIES
from autology.core.memory.batch import Batch, problem
from autology.core.memory.batch_draft import BatchDraft
from autology.core.memory.duplicates import Duplicates
from autology.core.memory.item_changes import BrokenRuleError, DuplicateKeyError, ItemChanges
from autology.core.memory.memories import Memories, Root
from autology.core.memory.store_result import BLOCKED, Outcome, StoreResult, written
from autology.model.errors import ConflictError, StorageError, ValidationError

_ItemError = ValidationError | DuplicateKeyError | BrokenRuleError | StorageError


def store(memories: Memories, items: object, dedupe: str = "skip") -> StoreResult:
    """Store *items*, as in a client's JSON; *dedupe* is the default for each.

    An invalid item does not stop the others. All items of one root are written in one commit.

    Raises:
        InputError: the call as a whole is unusable.
    """
    batch = Batch.read(memories, items, dedupe)
    attempt = _stored(batch)
    outcomes = tuple(attempt.outcomes[index] for index in sorted(attempt.outcomes))
    return StoreResult(
        outcomes,
        tuple(sorted(attempt.problems, key=lambda problem: problem.index)),
        len(batch.items),
        attempt.duplicates.stats,
        memories.chunks.report(written(outcomes)),
        tuple(memories.graph.notes),
    )


def _stored(batch: Batch) -> _Attempt:
    """Carry out *batch*, again if an editor saved one of its files at the same time."""
    for number in range(1, TRIES + 1):
        try:
            return _attempt(batch)
        except ConflictError as error:
            if number == TRIES:
                failed = _Attempt(batch, {})
                failed.problems += [
                    problem(index, batch.items[index], "STORAGE_ERROR", error) for index in batch.inputs
                ]
                return failed
    raise AssertionError("unreachable")


def _attempt(batch: Batch) -> _Attempt:
    """Carry out *batch* while its roots are locked. Raises ConflictError if nothing was written."""
    if not batch.inputs:
        return _Attempt(batch, {})
    memories = batch.memories
    draft = BatchDraft(memories)
    draft.look_up(batch.ids)
    roots = _in_order(memories, batch.roots(draft))
    while True:
        with _locked(roots) as refused, memories.index.keep_open():
            try:
                memories.catch_up()
            except StorageError as error:
                memories.graph.degraded.note(f"the index cannot be used: {error.reason}")
            attempt = _Attempt(batch, refused)
            # An item's root is certain only under the lock: others may have stored it meanwhile.
            needed = _in_order(memories, [*roots, *attempt.roots()])
            if needed == roots:
                attempt.apply()
                attempt.commit(root for root in roots if root.prefix not in refused)
                return attempt
        roots = needed


def _in_order(memories: Memories, roots: Iterable[Root]) -> list[Root]:
    """Return *roots* without duplicates, in the order in which every process locks them."""
    prefixes = {root.prefix for root in roots}
    return [root for root in memories.roots if root.prefix in prefixes]


@contextmanager
def _locked(roots: Iterable[Root]) -> Iterator[Mapping[str, StorageError]]:
    """Lock *roots*; yield those that cannot be locked, by prefix, with the reason."""
    refused: dict[str, StorageError] = {}
    with ExitStack() as locks:
        for root in roots:
            try:
                locks.enter_context(root.files.locked())
            except StorageError as error:
                refused[root.prefix] = error
        yield refused


class _Attempt:
    """One attempt at a batch: the outcome of each item, and the draft."""

    def __init__(self, batch: Batch, refused: Mapping[str, StorageError]) -> None:
        self.outcomes: dict[int, Outcome] = {}
        self.problems = list(batch.unreadable)
        self._batch = batch
        self._draft = BatchDraft(batch.memories)
        self.duplicates = Duplicates(batch.memories, batch.now, self._draft.by_id)
        self._changes = ItemChanges(batch, self._draft, self.duplicates, refused)

    def roots(self) -> list[Root]:
        """Look up in one query where the items may already be stored; return those roots."""
        with suppress(StorageError):  # each item checks again and gets the error
            self._draft.look_up(self._batch.ids)
            same = self.duplicates.look_up(self._batch.names())
            return [*self._batch.roots(self._draft), *map(self._batch.memories.root_of, same)]
        return []

    def apply(self) -> None:
        """Apply each item to the draft."""
        for index, item in self._batch.inputs.items():
            try:
                outcome = self._changes.apply(item)
            except (ValidationError, DuplicateKeyError, BrokenRuleError, StorageError) as error:
                self._fail(index, error)
                if isinstance(error, BrokenRuleError):
                    self.outcomes[index] = Outcome(BLOCKED, error.memory, str(error.broken), input_index=index)
            else:
                self.outcomes[index] = replace(outcome, input_index=index, redacted=item.redacted)

    def commit(self, roots: Iterable[Root]) -> None:
        """Commit the drafts of *roots*, each as a whole or not at all.

        Raises:
            ConflictError: a file was edited meanwhile; nothing is written.
        """
        is_written = False
        for root in roots:
            try:
                root.commit(self._draft.of(root))
            except StorageError as error:
                # Another root is already written and not repeated: this one is given up.
                if isinstance(error, ConflictError) and not is_written:
                    raise
                self._undo(root, error)
            else:
                is_written = is_written or bool(self._draft.of(root).pending)

    def _undo(self, root: Root, error: StorageError) -> None:
        """Report the writes in *root* as failed, and the items skipped because of them."""
        lost = self._draft.ids(root)
        for index, outcome in list(self.outcomes.items()):
            if outcome.id in lost or outcome.existing_id in lost:
                del self.outcomes[index]
                self._fail(index, error)

    def _fail(self, index: int, error: _ItemError) -> None:
        self.problems.append(problem(index, self._batch.items[index], _error_code(error), error))


def _error_code(error: _ItemError) -> str:
    if isinstance(error, ValidationError):
        return "VALIDATION_ERROR"
    return "STORAGE_ERROR" if isinstance(error, StorageError) else error.error_code
