"""Memories in the trash: moved there, listed, and restored."""

from __future__ import annotations

from dataclasses import replace

from autology.core.content.codec import Stored, Trashed, clean
from autology.core.content.draft import Draft
from autology.core.content.files import ABSENT
from autology.core.content.trash import BEGINNING
from autology.core.memory.expiry import expires_at
from autology.core.memory.index_entry import title_of
from autology.core.memory.memories import Memories
from autology.model.errors import MemoryNotFoundError, StorageError, UnreadableNodeError
from autology.model.memory import Memory
from autology.model.next_step import Action, Sentence, do


def discard(draft: Draft[Memory], stored: Stored[Memory], now: str) -> None:
    """Let *draft* move *stored* to its root's trash."""
    memory, trash = stored.entry, draft.collection.trash
    record = {
        "path": draft.collection.inner(stored.path),
        "id": memory.id,
        "kind": memory.kind.value,
        "title": clean(title_of(memory)),
        "deleted": now,
    }
    draft.discard(stored, trash.free(draft, now, memory.id), record)


def trash(memories: Memories) -> list[Trashed]:
    """Return the memories in the trash of both roots, most recently deleted first."""
    trashed = [item for root in memories.roots for item in root.trash.items()]
    return sorted(trashed, key=lambda item: item.deleted, reverse=True)


def restore(memories: Memories, name: str) -> Memory:
    """Restore a deleted memory; *name* is its id or its name in the trash; of several, the last is restored.

    An expired one gets a new lifetime from now.

    Raises:
        MemoryNotFoundError: the trash holds no such memory.
        StorageError: its place is taken, or nothing could be written.
    """
    item = _find(memories, name)
    root = memories.root_of(item.prefix)

    def act(draft: Draft[Memory]) -> Memory:
        data = root.trash.data(item)
        try:
            memory = root.codec.parse(data, item.path)
        except UnreadableNodeError as error:
            where = f"{root.trash.place}/{item.name}.md"
            raise StorageError(where, error.reason, "Fix it there by hand, then restore it.") from None
        if memories.index.by_ids([memory.id]) or root.files.scan_one(item.path) != ABSENT:
            raise StorageError(item.path, "an item with this id exists", "Delete that one first, or keep it.")
        if memory.expired(now := memories.stamp()):
            until = expires_at(memory.kind, memory.ttl_policy, now, {})
            memory, data = root.codec.edit(Stored(memory, item.path, data), replace(memory, expires_at=until))
        draft.restore(item, data, memory)
        return memory

    return root.transact(lambda: Draft(root), act, memories.refresh)


def _find(memories: Memories, name: str) -> Trashed:
    deleted = trash(memories)
    if (item := memories.roots[0].trash.named(deleted, name)) is not None:
        return item
    wanted = name.strip()
    begun = {item.id: item for item in reversed(deleted) if len(wanted) >= BEGINNING and item.id.startswith(wanted)}
    if len(begun) == 1:
        return next(iter(begun.values()))
    near = [(item.title, item.type, item.id) for item in deleted[:3]]
    raise MemoryNotFoundError(name, near, Sentence(do(Action.RESTORE), " lists what is in the trash."))
