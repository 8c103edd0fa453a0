"""Drafts: changes to entries, collected by a use case and committed all at once or not at all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Generic, Protocol

from autology.core.content.codec import Codec, E, Stored, Trashed
from autology.core.content.files import Change
from autology.core.content.trash import Trash


class Changeable(Protocol[E]):
    """What a draft needs from its collection."""

    codec: Codec[E]
    trash: Trash
    prefix: str

    def inner(self, path: str) -> str:
        """Return a path of the index relative to the root."""


class Draft(Generic[E]):
    """The *changes*, by path relative to the root, and the *entries* written, by path in the index.

    Each change has the file's content as read; it is committed only if the file still has that content.
    """

    def __init__(self, collection: Changeable[E], codec: Codec[E] | None = None) -> None:
        self.collection = collection
        self.codec = codec or collection.codec
        self.changes: dict[str, Change] = {}
        self.entries: dict[str, E] = {}

    @property
    def pending(self) -> list[Change]:
        """The changes that alter a file."""
        return [change for change in self.changes.values() if change.before != change.after]

    def staged(self, path: str) -> Stored[E] | None:
        """Return the entry at *path* after this draft; None if there is none."""
        entry, inner = self.entries.get(path), self.collection.inner(path)
        after = self.changes[inner].after if inner in self.changes else None
        return None if entry is None or after is None else Stored(entry, path, after)

    def create(self, entry: E) -> E:
        """Add a new entry, and return it as it will be stored."""
        self.stage(entry.path, None, self.codec.serialise(entry), entry)
        return entry

    def replace(self, stored: Stored[E], entry: E) -> E:
        """Change a stored entry, and return it as it will be stored; its file is moved if its path changed."""
        former = self.collection.inner(stored.path)
        entry, data = self.codec.edit(stored, entry)
        path = former if entry.path == stored.entry.path else entry.path
        if path != former:
            self.stage(former, stored.data, None)
        self.stage(path, stored.data if path == former else None, data, entry)
        return entry

    def remove(self, stored: Stored[E]) -> None:
        """Delete an entry's file."""
        self.stage(self.collection.inner(stored.path), stored.data, None)

    def discard(self, stored: Stored[E], name: str, record: Mapping[str, object]) -> None:
        """Move an entry to the trash, under *name* and with its *record*."""
        self.collection.trash.put(self, name, stored.data, record)
        self.remove(stored)

    def restore(self, item: Trashed, data: bytes, entry: E | None = None) -> None:
        """Move *item* from the trash back to its path, with *data*, which contains *entry*."""
        self.stage(item.path, None, data, entry)
        self.collection.trash.remove(self, item)

    def stage(self, path: str, before: bytes | None, after: bytes | None, entry: E | None = None) -> None:
        """Stage the change of the file at *path* from *before* to *after*, which contains *entry*; None for no file.

        If a file is staged twice, its first *before* counts.
        """
        known = self.changes.pop(path, None)
        self.changes[path] = Change(path, known.before if known else before, after)
        self.entries.pop(self.collection.prefix + path, None)
        if entry is not None:
            self.entries[self.collection.prefix + path] = entry
