"""The trash: deleted entries, each with its file as it was and a record of it, until it is restored."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from autology.core.content.files import ABSENT, RootFiles
from autology.model.errors import AutologyError, ConflictError, StorageError

if TYPE_CHECKING:
    from autology.core.content.codec import Codec
    from autology.core.content.draft import Draft

TRASH = ".autology/trash"
SAME_SECOND = 100
BEGINNING = 8
"""Characters that an id may be shortened to."""


@dataclass(frozen=True, slots=True)
class Trashed:
    """A deleted entry: its *name* in the trash of the root with that *prefix*, what it was, and when it was deleted."""

    name: str
    id: str
    type: str
    title: str
    path: str
    deleted: str
    prefix: str = ""
    record: Mapping[str, Any] = field(default_factory=dict, compare=False)


class Trash:
    """The deleted entries of one kind below one root: ``.autology/trash/{folder}/{name}.md`` and ``.json``."""

    def __init__(self, files: RootFiles, codec: Codec[Any], prefix: str = "") -> None:
        self._files = files
        self._codec = codec
        self._prefix = prefix
        self.place = f"{TRASH}/{codec.trash}".rstrip("/")

    def put(self, draft: Draft[Any], name: str, data: bytes, record: Mapping[str, object]) -> None:
        """Have *draft* put *data* and its *record* here, in place of what has that *name*."""
        described = json.dumps(record, ensure_ascii=False, indent=1).encode()
        for ending, after in ((".md", data), (".json", described)):
            path = f"{self.place}/{name}{ending}"
            try:
                before: bytes | None = self._files.read(path)[0]
            except FileNotFoundError:
                before = None
            draft.stage(path, before, after)

    def free(self, draft: Draft[Any], deleted: str, what: str) -> str:
        """Return a name for what was *deleted* then, beside what was put here in the same second. Raises ConflictError.

        *what* tells it from others.
        """
        name = f"{deleted.replace(':', '').replace('-', '')[:15]}-{what}"
        for number in range(1, SAME_SECOND):
            found = name if number == 1 else f"{name}-{number}"
            paths = [f"{self.place}/{found}{ending}" for ending in (".md", ".json")]
            if paths[0] not in draft.changes and all(self._files.scan_one(path) == ABSENT for path in paths):
                return found
        raise ConflictError(f"{self.place}/{name}.md")

    def items(self) -> list[Trashed]:
        """Return what lies here and can be restored, deleted last first."""
        found = []
        for name in self._files.trashed(self._codec.trash):
            try:
                item = self.item(name)
            except AutologyError:
                continue
            if self._files.scan_one(f"{self.place}/{name}.md") != ABSENT:
                found.append(item)
        return sorted(found, key=lambda item: item.deleted, reverse=True)

    def item(self, name: str) -> Trashed:
        """Return what has that *name*. Raises StorageError where its record cannot be read."""
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

    def named(self, items: Sequence[Trashed], asked: str) -> Trashed | None:
        """Return the first of *items* that *asked* names, by its id, its name here, or the path that it had."""
        path = asked.strip().replace("\\", "/").removeprefix("./")
        wanted = path.removeprefix(f"{self.place}/").removesuffix(".md")
        return next((item for item in items if wanted in (item.id, item.name) or path == item.path), None)

    def data(self, item: Trashed) -> bytes:
        """Return the data of *item* as it was deleted. Raises FileNotFoundError, StorageError."""
        return self._files.read(f"{self.place}/{item.name}.md")[0]

    def remove(self, draft: Draft[Any], item: Trashed) -> None:
        """Have *draft* take *item* out."""
        for ending in (".md", ".json"):
            path = f"{self.place}/{item.name}{ending}"
            draft.stage(path, self._files.read(path)[0], None)
