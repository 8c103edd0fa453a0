"""Storing, changing and deleting memories: many in one call, each by itself; what is reported stored is written.

A batch is read, the roots that it concerns are locked, each item is applied to a draft, and the drafts are committed,
one for each root.
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
    """Store *items*, as a client's JSON has them; by *dedupe* those that do not say themselves.

    One that does not fit stops no other. All that belong to one root are written as one.

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
    """Carry out *batch*, again where an editor saved one of its files at the same moment."""
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
    """Carry out *batch* under the locks of the roots that it concerns. Raises ConflictError if nothing is written."""
    if not batch.inputs:
        return _Attempt(batch, {})
    memories = batch.memories
    draft = BatchDraft(memories)
    draft.look_up(batch.ids)
    roots = _in_order(memories, batch.roots(draft))
    while True:
        with _locked(roots) as refused, memories.index.keep_open():
            try:
                memories.refresh()
            except StorageError as error:
                memories.graph.degraded.note(f"the index cannot be used: {error.reason}")
            attempt = _Attempt(batch, refused)
            # Only under the lock it is certain where an item is: others may have stored it meanwhile.
            needed = _in_order(memories, [*roots, *attempt.roots()])
            if needed == roots:
                attempt.apply()
                attempt.commit(root for root in roots if root.prefix not in refused)
                return attempt
        roots = needed


def _in_order(memories: Memories, roots: Iterable[Root]) -> list[Root]:
    """Return *roots*, each once, in the order in which every process locks them."""
    prefixes = {root.prefix for root in roots}
    return [root for root in memories.roots if root.prefix in prefixes]


@contextmanager
def _locked(roots: Iterable[Root]) -> Iterator[Mapping[str, StorageError]]:
    """Lock *roots*; give those that refuse, by their prefix, with the reason."""
    refused: dict[str, StorageError] = {}
    with ExitStack() as locks:
        for root in roots:
            try:
                locks.enter_context(root.files.locked())
            except StorageError as error:
                refused[root.prefix] = error
        yield refused


class _Attempt:
    """One attempt at a batch: what became of each item, and what is to be written for that."""

    def __init__(self, batch: Batch, refused: Mapping[str, StorageError]) -> None:
        self.outcomes: dict[int, Outcome] = {}
        self.problems = list(batch.unreadable)
        self._batch = batch
        self._draft = BatchDraft(batch.memories)
        self.duplicates = Duplicates(batch.memories, batch.now, self._draft.by_id)
        self._changes = ItemChanges(batch, self._draft, self.duplicates, refused)

    def roots(self) -> list[Root]:
        """Ask the index once for all that the items may be stored as already; return the roots of that."""
        with suppress(StorageError):  # each item asks again, and is told
            self._draft.look_up(self._batch.ids)
            same = self.duplicates.look_up(self._batch.names())
            return [*self._batch.roots(self._draft), *map(self._batch.memories.root_of, same)]
        return []

    def apply(self) -> None:
        """Put what becomes of each item into the draft."""
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
        """Write what is to be written in each of *roots*, all of it or nothing.

        Raises:
            ConflictError: a file was edited meanwhile; nothing is written.
        """
        is_written = False
        for root in roots:
            try:
                root.commit(self._draft.of(root))
            except StorageError as error:
                # Another root's part is written: it is not begun again, and this one's is given up.
                if isinstance(error, ConflictError) and not is_written:
                    raise
                self._undo(root, error)
            else:
                is_written = is_written or bool(self._draft.of(root).pending)

    def _undo(self, root: Root, error: StorageError) -> None:
        """Report as failed what was to be written in *root*, and what was left out because of it."""
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
