"""What tells notes of one title apart: the record's number, the date, or the file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from autology.model.hit import Source
from autology.model.node import NODES

_NUMBER = re.compile(r"[a-z]{0,12}[-_]?(\d{1,6})[-_.]", re.IGNORECASE)
"""The number at the beginning of a record's file name: ``0007-``, ``adr-7-``."""


def namesakes(sources: Iterable[Source]) -> Mapping[str, str]:
    """Return what tells each of *sources* apart from those of the same title, by id; nothing for a title of its own."""
    titled: dict[str, list[Source]] = {}
    for source in sources:
        titled.setdefault(source.title.casefold().strip(), []).append(source)
    marks: dict[str, str] = {}
    for same in titled.values():
        if len(same) > 1:
            marks.update(_marks(same))
    return marks


def marked(title: str, mark: str | None) -> str:
    """Return a title with what tells it apart, if anything is needed."""
    return f"{title} ({mark})" if mark else title


def _marks(same: list[Source]) -> Mapping[str, str]:
    ways: tuple[Callable[[Source], str], ...] = (_number, _date, _file)
    for way in ways:
        marks = {source.id: way(source) for source in same}
        if all(marks.values()) and len(set(marks.values())) == len(same):
            return marks
    return marks


def _number(source: Source) -> str:
    match = _NUMBER.match(source.path.rpartition("/")[2])
    return match[1] if match and not source.path.startswith(NODES) else ""


def _date(source: Source) -> str:
    return source.created[:10]


def _file(source: Source) -> str:
    """Return the file's path; of a note of our own, which is named by its id, the beginning of that."""
    return source.id[:8] if source.path.startswith(NODES) else source.path
