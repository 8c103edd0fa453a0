"""Applying one item of a batch: as a new memory, a change, a deletion, or not at all."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from autology.core.content.codec import Stored, text_of
from autology.core.memory import expiry, kinds, rules
from autology.core.memory.batch import Batch
from autology.core.memory.batch_draft import BatchDraft
from autology.core.memory.duplicates import Duplicates, SimilarMemory
from autology.core.memory.item_input import ItemInput
from autology.core.memory.memories import Root
from autology.core.memory.merging import merged
from autology.core.memory.store_result import DELETED, SKIPPED, STORED, UPDATED, Outcome
from autology.model.entry import MEMORY
from autology.model.errors import AutologyError, StorageError, ValidationError
from autology.model.memory import Kind, Memory, check_id, content_hash
from autology.ranking.same_statement import THRESHOLD
from autology.text.notes.fields import in_line_ends_of

_DESTROYS = re.compile(r"\b(?:drop|truncate)\b|\bdelete\s+from\b", re.IGNORECASE)


class BrokenRuleError(AutologyError):
    """A rule that an item breaks; *memory* is the stored item that forbids it, else the item itself."""

    def __init__(self, broken: rules.Broken, memory: Memory) -> None:
        self.broken = broken
        self.memory = memory
        self.error_code = broken.error_code
        super().__init__(str(broken))


class DuplicateKeyError(AutologyError):
    """An idempotency key that was used for another item."""

    error_code = "DUPLICATE_ITEM"

    def __init__(self, id: str) -> None:
        super().__init__(f"idempotency_key: was used for another item ({id}). Give this one a key of its own.")


class ItemChanges:
    """Applies the items of *batch* to *draft*; *refused* are the unwritable roots, by prefix."""

    def __init__(
        self, batch: Batch, draft: BatchDraft, duplicates: Duplicates, refused: Mapping[str, StorageError]
    ) -> None:
        self._batch = batch
        self._memories = batch.memories
        self._draft = draft
        self._duplicates = duplicates
        self._refused = refused

    def apply(self, item: ItemInput) -> Outcome:
        """Apply *item* to the draft.

        Raises:
            ValidationError: a field does not fit.
            DuplicateKeyError, BrokenRuleError: the item may not be stored.
            StorageError: a file cannot be read, or its root not be written.
        """
        stored = self._stored(item)
        if item.delete:
            return self._delete(item, stored)
        return self._create(item) if stored is None else self._update(item, stored)

    def _stored(self, item: ItemInput) -> Stored[Memory] | None:
        """Return the stored item of that id, if any; it must be one that *item* may change."""
        if item.id is None:
            return None
        stored = self._draft.stored(item.id)
        if stored is None:
            other = self._draft.source(item.id)
            if other is not None and other.kind != MEMORY:  # no search could return a memory with that id
                fits = "Give another one, or leave it out."
                raise ValidationError("id", f"'{item.id}' is the id of {other.path}", fits)
            return None
        self._require(self._memories.root_of(stored.path))
        if item.scope is not None and not item.scope.covers(stored.entry.scope):
            fits = "An item stays in its scope: leave the scope out, or store a new item."
            raise ValidationError("id", f"'{item.id}' is an item of another scope", fits)
        if item.kind is not None and item.kind is not stored.entry.kind:
            problem = f"'{item.id}' is {_a(stored.entry.kind)}, which {_a(item.kind)} cannot replace"
            raise ValidationError("kind", problem, "Store the new item under an id of its own.")
        return stored

    def _require(self, root: Root) -> None:
        if (error := self._refused.get(root.prefix)) is not None:
            raise error

    def _delete(self, item: ItemInput, stored: Stored[Memory] | None) -> Outcome:
        if stored is None:
            raise ValidationError("id", "names no stored item" if item.id else "is missing", "Give the item's id.")
        self._draft.discard(stored, self._batch.now)
        return Outcome(DELETED, stored.entry)

    def _update(self, item: ItemInput, stored: Stored[Memory]) -> Outcome:
        now, before = self._batch.now, stored.entry
        after = before
        if item.merge != "skip":
            after = in_line_ends_of(text_of(stored.data), before, self._finished(merged(before, item, now)))
        if after == before:
            why = "Kept as it was (merge: skip)" if item.merge == "skip" else "The stored item says this already"
            return Outcome(SKIPPED, before, why, before.id)
        if item.data is not None:
            kinds.check(after.kind, after.data)
        self._refuse_broken(after, before)
        after = replace(after, updated_at=max(now, before.updated_at))  # the clock may have been set back
        self._draft.replace(stored, after)
        self._duplicates.add(after)
        return Outcome(UPDATED, after, _joined(_redacted(item), _respelled(item), _destroys(after)))

    def _create(self, item: ItemInput) -> Outcome:
        memory = self._new(item)
        root = self._memories.root_for(memory.scope, self._batch.here)
        self._require(root)
        if (same_key := self._duplicates.by_key(memory)) is not None:
            if same_key.kind is not memory.kind or same_key.content_hash != memory.content_hash:
                raise DuplicateKeyError(same_key.id)
            return Outcome(SKIPPED, same_key, "This idempotency_key was used for it before", same_key.id)
        dedupe = item.dedupe or self._batch.dedupe
        near: tuple[SimilarMemory, ...] = ()
        if dedupe != "off":
            same = self._duplicates.same(memory)
            near = (same,) if same else self._duplicates.near(memory)
            if dedupe == "skip" and near and near[0].differ is None:
                return Outcome(SKIPPED, near[0].memory, near[0].reason, near[0].memory.id)
            if dedupe == "skip" and (revived := self._revived(item, memory)) is not None:
                return revived
        self._refuse_broken(memory, None)
        linked = tuple(other.memory.id for other in near if other.differ is not None)
        memory = replace(memory, near_duplicate_of=linked)
        self._draft.create(root, memory)
        self._duplicates.add(memory)
        likeness = _likeness(near[0]) if near else None
        reason = _joined(_redacted(item), _respelled(item), likeness, _destroys(memory))
        return Outcome(STORED, memory, reason, near[0].memory.id if near else None)

    def _revived(self, item: ItemInput, memory: Memory) -> Outcome | None:
        """Revive the expired item with the same text: others refer to its id."""
        expired = self._duplicates.expired(memory)
        stored = self._draft.stored(expired.id) if expired is not None else None
        if stored is None:
            return None
        self._require(self._memories.root_of(stored.path))
        merge = "prefer_existing" if item.merge == "skip" else item.merge
        try:
            outcome = self._update(replace(item, content=None, merge=merge), stored)
        except BrokenRuleError:
            return None  # it may not change: this one is stored as a new item
        reason = _joined("Its time was over: it lives again", outcome.reason)
        return replace(outcome, reason=reason, existing_id=outcome.id)

    def _new(self, item: ItemInput) -> Memory:
        """Return *item* as a new memory, with defaults for what it leaves out."""
        if item.kind is None:
            raise ValidationError("kind", "is missing", f"Use one of: {', '.join(Kind)}.")
        if item.content is None:
            raise ValidationError("content", "is missing", "Give a non-empty string.")
        now, data = self._batch.now, item.data or {}
        kinds.check(item.kind, data)
        memory = Memory(
            id=item.id or check_id(self._memories.new_id()),
            kind=item.kind,
            content=item.content,
            scope=self._batch.scope_of(item),
            created_at=now,
            updated_at=now,
            expires_at=expiry.expires_at(item.kind, item.ttl_policy, now, data),
            content_hash=content_hash(item.content),
            data=MappingProxyType(dict(data)),
            metadata=MappingProxyType(dict(item.metadata or {})),
            tags=item.tags or (),
            ttl_policy=item.ttl_policy,
            idempotency_key=item.idempotency_key,
        )
        return self._finished(memory)

    def _finished(self, memory: Memory) -> Memory:
        """Return *memory*, with its completion time if it is a finished todo."""
        if memory.kind is not Kind.TODO or memory.data.get("status") != "done" or memory.data.get("completed_at"):
            return memory
        return replace(memory, data=MappingProxyType({**memory.data, "completed_at": self._batch.now}))

    def _refuse_broken(self, after: Memory, before: Memory | None) -> None:
        if (broken := rules.broken(after, before, self._draft)) is not None:
            raise BrokenRuleError(broken, before or after)


def _likeness(other: SimilarMemory) -> str:
    if other.differ is None:
        return other.reason
    likeness = f"Near-duplicate of {other.memory.id} ({other.similarity:.1%} >= {THRESHOLD:.1%})"
    return f"{likeness}: kept, because {other.differ} differ, and linked"


def _redacted(item: ItemInput) -> str | None:
    return f"Redacted before storing: {', '.join(item.redacted)}" if item.redacted else None


def _respelled(item: ItemInput) -> str | None:
    if not item.respelled:
        return None
    return "Tags written as: " + ", ".join(f"{tag} → {written}" for tag, written in item.respelled.items())


def _destroys(memory: Memory) -> str | None:
    if memory.kind is not Kind.DDL or memory.data.get("rollback_sql"):
        return None
    sql = str(memory.data.get("sql") or memory.content)
    return "It destroys data and has no data.rollback_sql" if _DESTROYS.search(sql) else None


def _joined(*remarks: str | None) -> str | None:
    return "; ".join(remark for remark in remarks if remark) or None


def _a(kind: Kind) -> str:
    return f"{'an' if kind.value[0] in 'aeiou' else 'a'} {kind.value}"
