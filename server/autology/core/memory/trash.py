"""Memories in the trash: put there by whoever deletes or purges, listed, and brought back."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from autology.core.memory.lifetimes import expires_at
from autology.core.memory.memories import Memories, Root, Stored, decode
from autology.core.memory.projecting import title_of
from autology.core.ports import Change, Stamp
from autology.core.sync import clean, text_of
from autology.core.trash import free
from autology.model.errors import AutologyError, MemoryNotFoundError, StorageError, UnreadableNodeError
from autology.model.memory import Memory, check_id, kind
from autology.text.memoryfile import edit_memory

FOLDER = "memory"
TRASH = f".autology/trash/{FOLDER}"
BEGINNING = 8
"""Characters that an id may be shortened to."""


@dataclass(frozen=True, slots=True)
class Trashed:
    """A deleted memory: the *name* it has in the trash of its *root*, what it was, where it lay and when it went."""

    name: str
    root: Root
    id: str
    kind: str
    title: str
    path: str
    deleted: str


def discarding(root: Root, stored: Stored, now: str, taken: Collection[str] = ()) -> list[Change]:
    """Return the changes that move *stored* to the trash of its *root*, whose lock is held; *taken* paths are not free.

    The last of them is the removal of its file.
    """
    inner = root.inner(stored.path)
    place = free(root.files, f"{TRASH}/{now.replace(':', '').replace('-', '')[:15]}-{stored.memory.id}", taken)
    record = {
        "path": inner,
        "id": stored.memory.id,
        "kind": stored.memory.kind.value,
        "title": clean(title_of(stored.memory)),
        "deleted": now,
    }
    return [
        Change(f"{place}.md", None, stored.data),
        Change(f"{place}.json", None, json.dumps(record, ensure_ascii=False, indent=1).encode()),
        Change(inner, stored.data, None),
    ]


def trash(memories: Memories) -> list[Trashed]:
    """Return the memories in the trash, of both roots, deleted last first."""
    found = [item for root in memories.roots for item in _listed(root)]
    return sorted(found, key=lambda item: item.deleted, reverse=True)


def restore(memories: Memories, asked: str) -> Memory:
    """Bring a deleted memory back as it was; *asked* is its id or its name in the trash, the last of several comes.

    One whose time is over lives once more as long as its kind or its policy says, from now.

    Raises:
        MemoryNotFoundError: the trash holds no such memory.
        StorageError: its place is taken, or nothing could be written.
    """
    item = _meant(memories, asked)
    root = item.root
    with root.files.locked(), memories.index.held():
        memories.refresh()
        held = root.files.read(f"{TRASH}/{item.name}.md")[0]
        record = root.files.read(f"{TRASH}/{item.name}.json")[0]
        try:
            memory, data = _alive(memories, decode(held, item.path), held)
        except UnreadableNodeError as error:
            where = f"{TRASH}/{item.name}.md"
            raise StorageError(where, error.reason, "Mend it there by hand, then restore it.") from None
        if memories.index.by_ids([memory.id]) or root.files.scan_one(item.path) != Stamp(0, 0):
            raise StorageError(item.path, "an item with this id exists", "Delete that one first, or keep it.")
        changes = [
            Change(item.path, None, data),
            Change(f"{TRASH}/{item.name}.md", held, None),
            Change(f"{TRASH}/{item.name}.json", record, None),
        ]
        memories.commit(root, changes, {root.prefix + item.path: memory})
    return memory


def _meant(memories: Memories, asked: str) -> Trashed:
    path = asked.strip().replace("\\", "/").removeprefix("./")
    wanted = path.removeprefix(f"{TRASH}/").removesuffix(".md")
    there = trash(memories)
    for item in there:
        if wanted in (item.id, item.name) or path == item.path:
            return item
    begun = {item.id: item for item in reversed(there) if len(wanted) >= BEGINNING and item.id.startswith(wanted)}
    if len(begun) == 1:
        return next(iter(begun.values()))
    near = [(item.title, item.kind, item.id) for item in there[:3]]
    raise MemoryNotFoundError(asked, near, "`autology restore` lists what is in the trash.")


def _alive(memories: Memories, memory: Memory, data: bytes) -> tuple[Memory, bytes]:
    if not memory.expired(memories.stamp()):
        return memory, data
    anew = replace(memory, expires_at=expires_at(memory.kind, memory.ttl_policy, memories.stamp(), {}))
    return anew, edit_memory(text_of(data), anew).encode()


def _listed(root: Root) -> Iterator[Trashed]:
    try:
        names: Sequence[str] = root.files.trashed(FOLDER)
    except AutologyError:
        return
    for name in names:
        try:
            yield _record(root, name)
        except (AutologyError, FileNotFoundError):
            continue


def _record(root: Root, name: str) -> Trashed:
    place = f"{TRASH}/{name}.json"
    try:
        told = json.loads(root.files.read(place)[0])
        id, kind_, title, path, deleted = (str(told[key]) for key in ("id", "kind", "title", "path", "deleted"))
        check_id(id)
        folder, _, file = path.rpartition("/")
        # A repository may bring its own trash along: a path must be one that a memory can have.
        if (
            folder != f".autology/memory/{kind(kind_).value}"
            or not file.endswith(".md")
            or file.startswith(".")
            or "\\" in file
        ):
            raise ValueError
    except (ValueError, KeyError, TypeError, RecursionError):
        raise StorageError(place, "cannot be read", f"The memory itself is safe in {TRASH}/{name}.md.") from None
    return Trashed(name, root, id, kind_, title, path, deleted)
