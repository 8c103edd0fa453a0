"""Which notes drifted as of the project's current commit: shown wherever a note is read, written into no file.

In the files it would be a change in every clone, at every commit, of untouched notes. It is derived from git and the
note, so each clone finds the same; the index caches it until the next commit.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress

from autology.core.content.files import Stamp
from autology.core.nodes.drift_cache import CHECKED, DRIFTED, STAMPED, cached, keep
from autology.core.nodes.graph import Graph
from autology.core.nodes.pins import mark
from autology.core.nodes.version_control import History
from autology.model.errors import AutologyError
from autology.model.node import Node
from autology.model.query import Filter
from autology.text.notes.frontmatter import texts
from autology.text.redaction import redact

Why = Mapping[str, tuple[str, ...]]


class Watch:
    """Says which notes of *graph* drifted, by *history*."""

    def __init__(self, graph: Graph, history: History) -> None:
        self._graph = graph
        self._history = history
        self._checking = threading.Lock()
        self._head = self._kept_up = ""
        self._pins: dict[str, str] = {}
        self._reasons: dict[str, tuple[str, ...]] = {}

    def of(self, nodes: Iterable[Node]) -> Why:
        """Return why those of *nodes* that drifted need review: what became of what, and the commits."""
        from autology.core.nodes.drift import drifts, may_drift  # callers that only write need not load it

        candidates = [node for node in nodes if may_drift(node)]
        head = self._history.head() if candidates else None
        if head is None:
            return {}
        with self._checking:
            self._at(head)
            unknown = [node for node in candidates if self._pins.get(node.id) != mark(node)]
            if unknown:
                drifted = drifts(unknown, self._history)
                lines = {id: tuple(redact(d.summary)[0] for d in lost if d.matters) for id, lost in drifted.items()}
                self._learn(unknown, lines)
            return {node.id: self._reasons[node.id] for node in candidates if node.id in self._reasons}

    def all(self) -> Why:
        """Return why every drifted node needs review."""
        from autology.core.nodes.drift import may_drift

        head = self._history.head()
        if head is None:
            return {}
        sources, stamps = self._graph.index.listed(Filter(), -1, ""), self._graph.stamps()
        with self._checking:
            self._at(head)
            known = cached(self._graph.index, STAMPED)
            by_stamp = dict(known.by_id) if known.head == head else {}
            result, unknown = {}, []
            for source in sources:
                entry, stamp = by_stamp.get(source.id), _written(stamps.get(source.path))
                if source.id in self._pins and entry == f"{stamp} {self._pins[source.id]}":
                    if source.id in self._reasons:
                        result[source.id] = self._reasons[source.id]
                elif not stamp or entry != stamp:
                    unknown.append(source)
        if unknown:
            # Only these are read: to read 5,000 notes takes half a second.
            read = self._graph.readable(unknown)
            with self._checking:
                for node, _ in read:  # edited by hand, it may have the pin that it had
                    self._pins.pop(node.id, None)
            result |= self.of([node for node, _ in read])
            for node, source in read:
                stamp = _written(stamps.get(source.path))
                by_stamp[node.id] = f"{stamp} {mark(node)}" if may_drift(node) else stamp
            listed = {source.id for source in sources}
            with suppress(AutologyError):  # they are read again
                keep(self._graph.index, STAMPED, head, {id: at for id, at in by_stamp.items() if id in listed})
        return result

    def keep_up(self) -> None:
        """Check every node, if there is a new commit since the last check."""
        head = self._history.head()
        if head is not None and head != self._kept_up:
            self.all()
            self._kept_up = head

    def _learn(self, nodes: Sequence[Node], why: Why) -> None:
        before = dict(self._reasons)
        for node in nodes:
            self._pins[node.id] = mark(node)
            self._reasons.pop(node.id, None)
            if why.get(node.id):
                self._reasons[node.id] = why[node.id]
        with suppress(AutologyError):  # it is found again
            if self._reasons != before or cached(self._graph.index, DRIFTED).head != self._head:
                keep(self._graph.index, DRIFTED, self._head, self._reasons)
            keep(self._graph.index, CHECKED, self._head, self._pins)

    def _at(self, head: str) -> None:
        """Drop the results for another commit; start from what other processes found at this one."""
        if head == self._head:
            return
        checked, drifted = cached(self._graph.index, CHECKED), cached(self._graph.index, DRIFTED)
        same = checked.head == drifted.head == head
        self._head = head
        self._pins = {id: str(pin) for id, pin in checked.by_id.items()} if same else {}
        self._reasons = {id: tuple(texts(why)) for id, why in drifted.by_id.items()} if same else {}


def _written(stamp: Stamp | None) -> str:
    return f"{stamp.size} {stamp.mtime_ns}" if stamp else ""
