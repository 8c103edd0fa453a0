"""The trash: deleted entries, each with its unchanged file and a record, until they are restored."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from autology.core.content.codec import Codec, Trashed
from autology.core.content.files import ABSENT, Change, RootFiles
from autology.model.errors import AutologyError, ConflictError, StorageError

TRASH = ".autology/trash"
SAME_SECOND = 100
BEGINNING = 8
"""Minimum characters of an abbreviated id."""


class Staging(Protocol):
    """The changes of a draft, by path relative to the root."""

    changes: dict[str, Change]

    def stage(self, path: str, before: bytes | None, after: bytes | None) -> None:
        """Stage the change of the file at *path* from *before* to *after*; None for no file."""


class Trash:
    """The deleted entries of one kind below one root: ``.autology/trash/{folder}/{name}.md`` and ``.json``."""

    def __init__(self, files: RootFiles, codec: Codec[Any], prefix: str = "") -> None:
        self._files = files
        self._codec = codec
        self._prefix = prefix
        self.place = f"{TRASH}/{codec.trash}".rstrip("/")

    def put(self, draft: Staging, name: str, data: bytes, record: Mapping[str, object]) -> None:
        """Let *draft* store *data* and its *record* under *name*, replacing what has that name."""
        described = json.dumps(record, ensure_ascii=False, indent=1).encode()
        for ending, after in ((".md", data), (".json", described)):
            path = f"{self.place}/{name}{ending}"
            try:
                before: bytes | None = self._files.read(path)[0]
            except FileNotFoundError:
                before = None
            draft.stage(path, before, after)

    def free(self, draft: Staging, deleted: str, suffix: str) -> str:
        """Return an unused name for what is *deleted* at that time; *suffix* distinguishes it.

        Raises ConflictError.
        """
        name = f"{deleted.replace(':', '').replace('-', '')[:15]}-{suffix}"
        for number in range(1, SAME_SECOND):
            candidate = name if number == 1 else f"{name}-{number}"
            paths = [f"{self.place}/{candidate}{ending}" for ending in (".md", ".json")]
            if paths[0] not in draft.changes and all(self._files.scan_one(path) == ABSENT for path in paths):
                return candidate
        raise ConflictError(f"{self.place}/{name}.md")

    def items(self) -> list[Trashed]:
        """Return the items that can be restored, most recently deleted first."""
        items = []
        for name in self._files.trashed(self._codec.trash):
            try:
                item = self.item(name)
            except AutologyError:
                continue
            if self._files.scan_one(f"{self.place}/{name}.md") != ABSENT:
                items.append(item)
        return sorted(items, key=lambda item: item.deleted, reverse=True)

    def item(self, name: str) -> Trashed:
        """Return the item of that *name*. Raises StorageError if its record cannot be read."""
        file = f"{self.place}/{name}.json"
        try:
            record = json.loads(self._files.read(file)[0])
            type = record.get("type", record.get("kind", self._codec.kind))
            id, title, path, deleted = record.get("id", name), record["title"], record["path"], record["deleted"]
            if not all(isinstance(value, str) for value in (id, type, title, path, deleted)):
                raise ValueError
            item = Trashed(name, id, type, title, path, deleted, self._prefix, record)
            self._codec.check_trashed(item)
        except (FileNotFoundError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            step = f"The {self._codec.noun} itself is safe in {self.place}/{name}.md."
            raise StorageError(file, "cannot be read", step) from None
        return item

    def named(self, items: Sequence[Trashed], reference: str) -> Trashed | None:
        """Return the first of *items* whose id, name in the trash or former path is *reference*."""
        path = reference.strip().replace("\\", "/").removeprefix("./")
        wanted = path.removeprefix(f"{self.place}/").removesuffix(".md")
        return next((item for item in items if wanted in (item.id, item.name) or path == item.path), None)

    def data(self, item: Trashed) -> bytes:
        """Return the data of *item* at its deletion. Raises FileNotFoundError, StorageError."""
        return self._files.read(f"{self.place}/{item.name}.md")[0]

    def remove(self, draft: Staging, item: Trashed) -> None:
        """Let *draft* remove *item*."""
        for ending in (".md", ".json"):
            path = f"{self.place}/{item.name}{ending}"
            draft.stage(path, self._files.read(path)[0], None)
