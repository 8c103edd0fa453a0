"""Dates of the adopted records that state none: those of their first and last commit, read beside queries."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from autology.core.adoption.record_facts import Adopted
from autology.core.index.changes import IndexedFiles
from autology.core.nodes.version_control import History

if TYPE_CHECKING:
    from autology.core.adoption.records import Records

REMARK = "dates of records"
"""The index's remark of what version control said."""


class Committed(NamedTuple):
    """When the records without a date were first and last committed, by path, as of the commit *head*.

    One that was never committed has two empty texts.
    """

    head: str = ""
    by_path: Mapping[str, tuple[str, str]] = {}


class CommitDates:
    """What version control said of the records without a date, kept in *index*."""

    def __init__(self, index: IndexedFiles) -> None:
        self._index = index
        self._text = ""
        self.committed = Committed()

    def reload(self) -> bool:
        """Take what another process read; return whether that is something else."""
        text = self._index.metadata(REMARK) or ""
        if text == self._text:
            return False
        self._text, self.committed = text, _read(text)
        return True

    def of(self, one: Adopted) -> tuple[str, str]:
        """Return when *one* was created and modified: by its own date, else by version control; "" if unknown."""
        if one.date:
            day = f"{one.date}T00:00:00Z"
            return day, day
        return self.committed.by_path.get(one.path, ("", ""))

    def keep(self, committed: Committed) -> None:
        """Keep what version control said."""
        value = {"head": committed.head, "dates": {path: list(pair) for path, pair in committed.by_path.items()}}
        self._index.set_metadata(REMARK, json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def undated(records: Records) -> list[str]:
    """Return the paths of the records that state no date."""
    return [one.path for one in records.snapshot.records.values() if not one.date]


def read(records: Records, history: History) -> bool:
    """Ask *history* for the dates that records do not state, if a commit or a record is new; return whether it was.

    Nothing is known of a shallow history: its oldest commit holds files that are older.
    """
    paths = undated(records)
    head = history.head() if paths else None
    if head is None:
        return False
    records.dates.reload()
    committed = records.dates.committed
    if committed.head == head and all(path in committed.by_path for path in paths):
        return False
    by_path = history.dates(paths)
    records.dates.keep(Committed(head, {path: by_path.get(path, ("", "")) for path in paths}))
    return True


def _read(text: str) -> Committed:
    try:
        value = json.loads(text)
        return Committed(str(value["head"]), {str(k): (str(a), str(b)) for k, (a, b) in value["dates"].items()})
    except (ValueError, KeyError, TypeError, AttributeError):
        return Committed()
