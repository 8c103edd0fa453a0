"""The project that the page shows."""

from __future__ import annotations

import threading
import time

from autology.core.atlas import display, similar
from autology.core.atlas.atlas import Chart
from autology.core.atlas.display import DisplayGraph
from autology.core.nodes.undo import Undo
from autology.web.change_watch import Feed
from autology.wire.part import part
from autology.wire.project import Project

DOCUMENTS_INTERVAL = 5.0
"""Seconds within which a view of a note does not look for changed documents: at 5,000 notes, that takes 30 ms."""


class PageProject(Project):
    """The project at *root*, with the parts that only the page needs."""

    def __init__(self, root: str) -> None:
        super().__init__(root)
        self._graph_lock = threading.Lock()
        self._graph_shown: DisplayGraph | None = None
        self._chart: Chart | None = None
        self._similar_lock = threading.Lock()
        self._similar: DisplayGraph | None = None
        self._compared: DisplayGraph | None = None
        self._vectors = 0
        self._documents_read = -DOCUMENTS_INTERVAL

    @part
    def undo(self) -> Undo:
        """The undo history of the page."""
        return Undo(self.graph)

    @part
    def feed(self) -> Feed:
        """What changes while the page is open."""
        return Feed(self)

    def catch_up(self) -> None:
        """Update the index with the notes for a view of one of them, and every few seconds with the documents."""
        self.graph.catch_up()
        if time.monotonic() - self._documents_read >= DOCUMENTS_INTERVAL:
            self.library.catch_up()
            self._documents_read = time.monotonic()

    @property
    def whole(self) -> DisplayGraph:
        """The graph for its picture, cached until it changes: ten thousand nodes take a second or two."""
        with self._graph_lock:
            chart = self.atlas.read_current(lambda chart: chart)
            if self._graph_shown is None or self._chart is not chart:
                self._graph_shown, self._chart = display.graph_of(self.atlas, chart), chart
            return self._graph_shown

    def with_similar(self, whole: DisplayGraph) -> DisplayGraph:
        """Return the graph *whole* with its similar pairs, cached until it changes or more texts can be compared."""
        with self._similar_lock:
            count = self.graph.index.vector_count()
            if self._similar is None or self._compared is not whole or self._vectors != count:
                self._similar = similar.with_similar(self.graph.index, whole)
                self._compared, self._vectors = whole, count
            return self._similar
