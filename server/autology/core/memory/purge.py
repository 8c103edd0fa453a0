"""Moving expired memories to the trash, and extending the lifetime of those that searches still find."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from autology.core.content.draft import Draft
from autology.core.long_work import Progress
from autology.core.memory import expiry, trash
from autology.core.memory.memories import Memories, Root
from autology.core.memory.ports import Audit, Daily
from autology.model.errors import ConflictError, StorageError
from autology.model.hit import Source
from autology.model.memory import Memory
from autology.text.language.timestamps import stamp

BATCH = 100
"""Items moved under one lock: other writers get their turn between two batches."""


@dataclass(frozen=True, slots=True)
class DueMemories:
    """The sources of the expired items, and of those to *prolong*, earliest expiry first."""

    expired: tuple[Source, ...]
    prolong: tuple[Source, ...] = ()


@dataclass(frozen=True, slots=True)
class Purged:
    """The memories moved to the trash, those prolonged, and the failures as (path, reason)."""

    moved: tuple[Memory, ...] = ()
    prolonged: tuple[Memory, ...] = ()
    failed: tuple[tuple[str, str], ...] = ()

    def __add__(self, other: Purged) -> Purged:
        return Purged(self.moved + other.moved, self.prolonged + other.prolonged, self.failed + other.failed)


def due(memories: Memories, audit: Audit | None = None, extend: int = 0) -> DueMemories:
    """Return the expired items; with *extend*, those that recent searches found that often are to be prolonged."""

    def read() -> DueMemories:
        now = memories.stamp()
        popular = (
            expiry.often_found(audit, stamp(memories.now() - expiry.FIND_COUNT_PERIOD), extend)
            if audit and extend
            else frozenset()
        )
        soon = stamp(memories.now() + expiry.EXTENSION_LEAD)
        ending = sorted(
            (source for source in memories.sources() if source.expires_at is not None and source.expires_at <= soon),
            key=lambda source: (source.expires_at or "", source.title, source.id),
        )
        expired = (source for source in ending if (source.expires_at or "") <= now and source.id not in popular)
        return DueMemories(tuple(expired), tuple(source for source in ending if source.id in popular))

    memories.refresh(walk=True)
    return memories.read_current(read)


def purge(memories: Memories, audit: Audit | None = None, extend: int = 0, progress: Progress | None = None) -> Purged:
    """Move expired items to the trash and prolong the popular ones; what cannot be moved stays and is listed as failed.

    The file itself decides: an item that was prolonged since it was indexed stays.
    """
    pending = due(memories, audit, extend)
    steps = [(source, False) for source in pending.expired] + [(source, True) for source in pending.prolong]
    purged, count = Purged(), 0
    for root in memories.roots:
        own = [step for step in steps if memories.root_of(step[0].path) is root]
        for at in range(0, len(own), BATCH):
            batch = own[at : at + BATCH]
            purged += _purge_batch(memories, root, batch)
            count += len(batch)
            if progress:
                progress(count, len(steps))
    return purged


def purge_daily(memories: Memories, daily: Daily, audit: Audit | None, extend: int) -> Purged | None:
    """Purge, unless a purge ran within a day or is running; None if it did not run."""
    with daily.due() as is_due:
        return purge(memories, audit, extend) if is_due else None


def _purge_batch(memories: Memories, root: Root, batch: Sequence[tuple[Source, bool]]) -> Purged:
    try:
        return _moved_or_prolonged(memories, root, batch)
    except ConflictError:
        if len(batch) > 1:  # one of them is being edited: purge the others
            return sum((_purge_batch(memories, root, [one]) for one in batch), Purged())
        return Purged(failed=((batch[0][0].path, "is being edited"),))
    except StorageError as error:
        return Purged(failed=tuple((source.path, error.reason) for source, _ in batch))


def _moved_or_prolonged(memories: Memories, root: Root, batch: Sequence[tuple[Source, bool]]) -> Purged:
    now = memories.stamp()
    moved: list[Memory] = []
    prolonged: list[Memory] = []
    failed: list[tuple[str, str]] = []
    draft = Draft(root)
    with root.files.locked():
        for source, prolong in batch:
            try:
                stored = memories.read_source(source)
            except StorageError as error:
                failed.append((source.path, error.reason))
                continue
            if stored is None:
                continue
            if prolong:
                extended = expiry.prolonged(stored.entry, now)
                if extended is not None:
                    prolonged.append(draft.replace(stored, extended))
            elif stored.entry.expired(now):
                moved.append(stored.entry)
                trash.discard(draft, stored, now)
        root.commit(draft)
    return Purged(tuple(moved), tuple(prolonged), tuple(failed))
