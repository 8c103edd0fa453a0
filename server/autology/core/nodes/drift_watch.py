"""Which notes drifted as of the project's current commit: shown wherever a note is read, written into no file.

In the files it would be a change in every clone, at every commit, of untouched notes. It is derived from git and the
note, so each clone finds the same; the index caches it until the next commit.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from autology.core.nodes import sealing
from autology.core.nodes.pins import mark
from autology.model.errors import AutologyError
from autology.model.node import NodeStatus
from autology.model.query import Filter
from autology.text.fence import clean_line
from autology.text.notes.values import texts
from autology.text.redaction import redact

if TYPE_CHECKING:
    from autology.core.index.changes import IndexedFiles
    from autology.core.nodes.graph import Graph
    from autology.core.nodes.history import History
    from autology.model.node import Node

TOLD, LOOKED = "drifted", "drift looked for"
"""The index's remarks: why which notes need review, for the hooks' glance; which were checked, with their pins."""

Why = Mapping[str, tuple[str, ...]]


class Watch:
    """Says which notes of *graph* drifted, by *history*."""

    def __init__(self, graph: Graph, history: History) -> None:
        self._graph = graph
        self._history = history
        self._looking = threading.Lock()
        self._head = self._kept_up = ""
        self._pins: dict[str, str] = {}
        self._told: dict[str, tuple[str, ...]] = {}

    def of(self, nodes: Iterable[Node]) -> Why:
        """Return why those of *nodes* that drifted need review: what became of what, and the commits."""
        from autology.core.nodes.drift import drifts, may_drift  # callers that only write need not load it

        candidates = [node for node in nodes if may_drift(node)]
        head = self._history.head() if candidates else None
        if head is None:
            return {}
        with self._looking:
            self._at(head)
            unknown = [node for node in candidates if self._pins.get(node.id) != mark(node)]
            if unknown:
                drifted = drifts(unknown, self._history)
                lines = {id: tuple(redact(d.summary)[0] for d in lost if d.matters) for id, lost in drifted.items()}
                self._learn(unknown, lines)
            return {node.id: self._told[node.id] for node in candidates if node.id in self._told}

    def all(self) -> Why:
        """Return why every drifted node needs review."""
        return self.of([node for node, _ in self._graph.readable(self._graph.index.listed(Filter(), -1, ""))])

    def keep_up(self) -> None:
        """Check every node, if there is a new commit since the last check."""
        head = self._history.head()
        if head is not None and head != self._kept_up:
            self.all()
            self._kept_up = head

    def _learn(self, nodes: Sequence[Node], why: Why) -> None:
        before = dict(self._told)
        for node in nodes:
            self._pins[node.id] = mark(node)
            self._told.pop(node.id, None)
            if why.get(node.id):
                self._told[node.id] = why[node.id]
        with suppress(AutologyError):  # it is found again
            if self._told != before or _remark(self._graph.index, TOLD).head != self._head:
                _keep(self._graph.index, TOLD, self._head, self._told)
            _keep(self._graph.index, LOOKED, self._head, self._pins)

    def _at(self, head: str) -> None:
        """Drop the results for another commit; start from what other processes found at this one."""
        if head == self._head:
            return
        looked, drifted = _remark(self._graph.index, LOOKED), _remark(self._graph.index, TOLD)
        same = looked.head == drifted.head == head
        self._head = head
        self._pins = {id: str(pin) for id, pin in looked.by_id.items()} if same else {}
        self._told = {id: tuple(texts(why)) for id, why in drifted.by_id.items()} if same else {}


def forget(index: IndexedFiles, ids: Iterable[str]) -> None:
    """Drop the drift of nodes that were just written, until the next check."""
    drifted = _remark(index, TOLD)
    written = set(ids)
    if written & drifted.by_id.keys():
        _keep(index, TOLD, drifted.head, {id: why for id, why in drifted.by_id.items() if id not in written})


DRIFTS = 3
"""Drifted references shown of a node; `autology review` shows all."""


def changes(node: Node) -> list[str]:
    """Return, in a line, how a sealed decision differs from the accepted one; "" if it does not."""
    changed = sealing.changed(node)
    return [f"changed since it was accepted: {', '.join(changed)}"] if changed else []


def standing(node: Node, drifted: Sequence[str]) -> dict[str, object]:
    """Return a node's status for display; a drifted node, or one changed after it was accepted, needs review.

    With what changed, and how to settle it.
    """
    if sealing.changed(node):
        keep = f'`autology review {node.id[:8]} --keep --reason "…"` if this holds'
        settled = f"{keep}, else restore the accepted text: `git log -p -- {node.path}`"
        entry: dict[str, object] = {
            "status": NodeStatus.NEEDS_REVIEW.value,
            "changed": changes(node),
            "settle": settled,
        }
        return {**entry, "drifted": [clean_line(line, 400) for line in drifted[:DRIFTS]]} if drifted else entry
    if not drifted:
        return {"status": node.status.value}
    settled = f"`autology review {node.id[:8]} --keep` if it still holds, else autology_update it or capture what does"
    why = [clean_line(line, 400) for line in drifted[:DRIFTS]]
    return {"status": NodeStatus.NEEDS_REVIEW.value, "drifted": why, "settle": settled}


@dataclass(frozen=True, slots=True)
class _Cached:
    """The index's cached drift by node id, and its commit."""

    head: str = ""
    by_id: Mapping[str, object] = field(default_factory=dict)


def _keep(index: IndexedFiles, name: str, head: str, by_id: Mapping[str, object]) -> None:
    index.set_metadata(name, json.dumps({"head": head, "nodes": by_id}, ensure_ascii=False))


def _remark(index: IndexedFiles, name: str) -> _Cached:
    try:
        value = json.loads(index.metadata(name) or "{}")
        return _Cached(str(value["head"]), dict(value["nodes"]))
    except (ValueError, KeyError, TypeError):
        return _Cached()
