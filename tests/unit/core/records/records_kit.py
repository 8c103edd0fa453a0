"""Projects of a few files for the tests of records: their texts in memory, read through the port."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from autology.core.records.collection import Correction, Discovery, Record
from autology.core.records.discovery import find_collections


class MemoryTexts:
    """The :class:`~autology.core.records.collection.Texts` of a mapping of paths to texts; counts what is read."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self.files = files
        self.heads = 0

    def head(self, path: str, size: int) -> str | None:
        self.heads += 1
        return self.files[path][:size] if path in self.files else None

    def text(self, path: str) -> str | None:
        return self.files.get(path)


def located(files: Mapping[str, str], corrections: Sequence[Correction] = ()) -> Discovery:
    """Return the collections among *files*."""
    return find_collections(files, MemoryTexts(files), corrections)


def records(files: Mapping[str, str], corrections: Sequence[Correction] = ()) -> dict[str, Record]:
    """Return the records among *files*, by path."""
    return {record.path: record for record in located(files, corrections).records}


def adr(number: int, title: str, status: str = "Accepted", more: str = "") -> str:
    """Return a record of Nygard's form."""
    return (
        f"# {number}. {title}\n\nDate: 2021-03-{number:02}\n\n## Status\n\n{status}\n\n"
        f"## Context\n\nThe mill is old.\n{more}\n"
        "## Decision\n\nWe repair it.\n\n## Consequences\n\nIt turns.\n"
    )


def adrs(folder: str = "docs/adr") -> dict[str, str]:
    """Return three records in *folder*."""
    titles = ("Grind by water", "Keep the old stones", "Sell flour on Fridays")
    return {
        f"{folder}/{number:04}-{title.lower().replace(' ', '-')}.md": adr(number, title)
        for number, title in enumerate(titles, 1)
    }
