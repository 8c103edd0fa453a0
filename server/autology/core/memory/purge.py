"""Moving expired memories to the trash, and prolonging those that searches still find."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from autology.core.content.draft import Draft
from autology.core.long_work import Progress
from autology.core.memory import trash
from autology.core.memory.kinds import expires_at
from autology.core.memory.memories import Memories, Root
from autology.core.memory.oversight import Audit, Daily
from autology.model.errors import ConflictError, StorageError
from autology.model.hit import Source
from autology.model.memory import Memory
from autology.text.language.timestamps import stamp

BATCH = 100
"""Items moved as one, under one lock: others write in between."""
AHEAD = timedelta(days=7)
"""How long before their expiry items are prolonged: expired ones are not found any more."""
ASKED_WITHIN = timedelta(days=30)
"""The period in which it counts how often an item was found."""
FOUND = "memory_find_complete"


@dataclass(frozen=True, slots=True)
class DueMemories:
    """The sources of the expired items, and of those to *prolong*, the earliest expiry first."""

    expired: tuple[Source, ...]
    prolong: tuple[Source, ...] = ()


@dataclass(frozen=True, slots=True)
class Purged:
    """The memories that were moved to the trash and those prolonged; and why others could not be, by path."""

    moved: tuple[Memory, ...] = ()
    prolonged: tuple[Memory, ...] = ()
    failed: tuple[tuple[str, str], ...] = ()

    def __add__(self, other: Purged) -> Purged:
        return Purged(self.moved + other.moved, self.prolonged + other.prolonged, self.failed + other.failed)


def due(memories: Memories, audit: Audit | None = None, extend: int = 0) -> DueMemories:
    """Return which items have expired; with *extend*, those found that often recently are to be prolonged instead."""

    def read() -> DueMemories:
        now = memories.stamp()
        popular = _found_often(audit, stamp(memories.now() - ASKED_WITHIN), extend) if audit and extend else frozenset()
        soon = stamp(memories.now() + AHEAD)
        ending = sorted(
            (source for source in memories.sources() if source.expires_at is not None and source.expires_at <= soon),
            key=lambda source: (source.expires_at or "", source.title, source.id),
        )
        over = (source for source in ending if (source.expires_at or "") <= now and source.id not in popular)
        return DueMemories(tuple(over), tuple(source for source in ending if source.id in popular))

    memories.refresh(walk=True)
    return memories.asked(read)


def purge(memories: Memories, audit: Audit | None = None, extend: int = 0, progress: Progress | None = None) -> Purged:
    """Move what is due to the trash, or prolong it; what cannot be moved stays, and is listed.

    The file itself decides: nothing goes that was prolonged since it was indexed.
    """
    pending = due(memories, audit, extend)
    steps = [(source, False) for source in pending.expired] + [(source, True) for source in pending.prolong]
    purged, count = Purged(), 0
    for root in memories.roots:
        own = [step for step in steps if memories.root_of(step[0].path) is root]
        for at in range(0, len(own), BATCH):
            batch = own[at : at + BATCH]
            purged += _step(memories, root, batch)
            count += len(batch)
            if progress:
                progress(count, len(steps))
    return purged


def purge_daily(memories: Memories, daily: Daily, audit: Audit | None, extend: int) -> Purged | None:
    """Purge unless that was done within a day or is being done; return what was done, None for nothing at all."""
    with daily.due() as is_due:
        return purge(memories, audit, extend) if is_due else None


def _step(memories: Memories, root: Root, batch: Sequence[tuple[Source, bool]]) -> Purged:
    try:
        return _moved(memories, root, batch)
    except ConflictError:
        if len(batch) > 1:  # one of them is being edited: the others go
            return sum((_step(memories, root, [one]) for one in batch), Purged())
        return Purged(failed=((batch[0][0].path, "is being edited"),))
    except StorageError as error:
        return Purged(failed=tuple((source.path, error.reason) for source, _ in batch))


def _moved(memories: Memories, root: Root, batch: Sequence[tuple[Source, bool]]) -> Purged:
    now = memories.stamp()
    moved: list[Memory] = []
    prolonged: list[Memory] = []
    failed: list[tuple[str, str]] = []
    draft = Draft(root)
    with root.files.locked():
        for source, prolong in batch:
            try:
                stored = memories.held(source)
            except StorageError as error:
                failed.append((source.path, error.reason))
                continue
            if stored is None:
                continue
            if prolong:
                living = _prolonged(stored.entry, now)
                if living is not None:
                    prolonged.append(draft.replace(stored, living))
            elif stored.entry.expired(now):
                moved.append(stored.entry)
                trash.discard(draft, stored, now)
        root.commit(draft)
    return Purged(tuple(moved), tuple(prolonged), tuple(failed))


def _prolonged(memory: Memory, now: str) -> Memory | None:
    """*memory* with another of its lifetimes from *now* on; None where it lives as long anyway."""
    until = expires_at(memory.kind, memory.ttl_policy, now, {})
    if memory.expires_at is None or (until is not None and until <= memory.expires_at):
        return None
    return replace(memory, expires_at=until)


def _found_often(audit: Audit, since: str, often: int) -> frozenset[str]:
    """The items that were found that often since a moment, as the audit tells."""
    counts = Counter(id for entry in audit.entries(since) if entry.get("event") == FOUND for id in _ids(entry))
    return frozenset(id for id, times in counts.items() if times >= often)


def _ids(entry: Mapping[str, object]) -> Iterator[str]:
    ids = entry.get("ids")
    if isinstance(ids, list):
        yield from dict.fromkeys(id for id in ids if isinstance(id, str))
