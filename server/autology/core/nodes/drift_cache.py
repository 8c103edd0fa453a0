"""The index's cache of which notes drifted, until the next commit."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from autology.core.index.changes import IndexedFiles

DRIFTED, CHECKED, STAMPED = "drifted", "drift looked for", "drift looked for by stamp"
"""The index's remarks: why which notes need review, for the hooks' glance; which were checked, with their pins; and the
stamp that each note's file had then, with the pin if the note can drift."""


@dataclass(frozen=True, slots=True)
class Cached:
    """The index's cached drift by node id, and its commit."""

    head: str = ""
    by_id: Mapping[str, object] = field(default_factory=dict)


def forget(index: IndexedFiles, ids: Iterable[str]) -> None:
    """Drop the drift of nodes that were just written, until the next check."""
    drifted = cached(index, DRIFTED)
    written = set(ids)
    if written & drifted.by_id.keys():
        keep(index, DRIFTED, drifted.head, {id: why for id, why in drifted.by_id.items() if id not in written})


def keep(index: IndexedFiles, name: str, head: str, by_id: Mapping[str, object]) -> None:
    """Keep what was found at the commit *head*, by node id, under *name*."""
    index.set_metadata(name, json.dumps({"head": head, "nodes": by_id}, ensure_ascii=False))


def cached(index: IndexedFiles, name: str) -> Cached:
    """Return what is kept under *name*; nothing if that cannot be read."""
    try:
        value = json.loads(index.metadata(name) or "{}")
        return Cached(str(value["head"]), dict(value["nodes"]))
    except (ValueError, KeyError, TypeError):
        return Cached()
