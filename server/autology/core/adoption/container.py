"""The data of an adopted record: its own file, a second one beside it, and its sidecar, joined into one piece."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import NamedTuple

from autology.core.content.files import Change

MAGIC = b"autology-record 1 "


class Part(NamedTuple):
    """One of the files, and its bytes; None if it does not exist."""

    path: str
    data: bytes | None


class Container(NamedTuple):
    """The files of a record: its *main* text, the *second* one if it has one, and its *sidecar*."""

    main: Part
    second: Part | None = None
    sidecar: Part | None = None

    @property
    def parts(self) -> Iterator[Part]:
        """The files in order."""
        return (part for part in (self.main, self.second, self.sidecar) if part is not None)

    def with_data(self, main: bytes, second: bytes | None, sidecar: Part | None) -> Container:
        """Return the same files with other contents."""
        return Container(
            self.main._replace(data=main), self.second._replace(data=second) if self.second else None, sidecar
        )


def is_container(data: bytes | None) -> bool:
    """Whether *data* was made by :func:`joined`."""
    return data is not None and data.startswith(MAGIC)


def joined(container: Container) -> bytes:
    """Return the files as one piece of data; :func:`split` is its inverse."""
    sizes: list[list[object]] = []
    for name, part in (("main", container.main), ("second", container.second), ("sidecar", container.sidecar)):
        if part is not None and part.data is not None:
            sizes.append([name, part.path, len(part.data)])
        elif part is not None:
            sizes.append([name, part.path, -1])
    head = json.dumps(sizes, ensure_ascii=False).encode()
    return b"".join((MAGIC, head, b"\n", *(part.data or b"" for part in container.parts)))


def split(data: bytes) -> Container:
    """Return the files in *data*. Raises ValueError if it was not made by :func:`joined`."""
    end = data.find(b"\n")
    if not data.startswith(MAGIC) or end < 0:
        raise ValueError
    parts: dict[str, Part] = {}
    at = end + 1
    for name, path, size in json.loads(data[len(MAGIC) : end]):
        if not isinstance(name, str) or not isinstance(path, str) or not isinstance(size, int):
            raise ValueError  # noqa: TRY004 - the data is damaged
        parts[name] = Part(path, data[at : at + size] if size >= 0 else None)
        at += max(size, 0)
    if "main" not in parts or at != len(data):
        raise ValueError
    return Container(parts["main"], parts.get("second"), parts.get("sidecar"))


def changes(change: Change) -> list[Change]:
    """Return the changes of files that make up the *change* of a record's data."""
    before, after = (
        {part.path: part.data for part in split(data).parts} if data is not None else {}
        for data in (change.before, change.after)
    )
    pairs = ((path, before.get(path), after.get(path)) for path in dict.fromkeys((*before, *after)))
    return [Change(path, old, new) for path, old, new in pairs if old != new]
