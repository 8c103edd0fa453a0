"""The project that the page shows; its parts are opened on first use."""

from __future__ import annotations

import threading
from functools import cached_property
from typing import TYPE_CHECKING

from autology import log, wire
from autology.core.atlas import display
from autology.core.atlas.atlas import Atlas, Chart
from autology.core.atlas.display import DisplayGraph
from autology.core.nodes.undo import Undo

if TYPE_CHECKING:  # each is loaded by the view that needs it first
    from autology.codegraph.code_graph import CodeGraph
    from autology.core.conversations.conversations import Conversations
    from autology.core.documents.library import Library
    from autology.core.memory.memories import Memories
    from autology.core.nodes.drift_watch import Watch
    from autology.core.nodes.graph import Graph
    from autology.core.nodes.history import History
    from autology.core.recall.conversation_search import ConversationSearch
    from autology.hub.sync.background import BackgroundSender


class Project:
    """The project at *root*; thread-safe: each part is created once."""

    def __init__(self, root: str) -> None:
        self.root = root
        self._opening = threading.RLock()
        self._drawing = threading.Lock()
        self._whole: DisplayGraph | None = None
        self._chart: Chart | None = None

    @property
    def graph(self) -> Graph:
        """The nodes."""
        with self._opening:
            return self._graph

    @property
    def undo(self) -> Undo:
        """The undo history of the page."""
        with self._opening:
            return self._undo

    @property
    def library(self) -> Library:
        """The documents."""
        with self._opening:
            return self._library

    @property
    def atlas(self) -> Atlas:
        """The graph of nodes, documents and tags."""
        with self._opening:
            return self._atlas

    @property
    def whole(self) -> DisplayGraph:
        """The graph for its picture, cached until it changes: ten thousand nodes take a second or two."""
        with self._drawing:
            chart = self.atlas.asked(lambda chart: chart)
            if self._whole is None or self._chart is not chart:
                self._whole, self._chart = display.graph_of(self.atlas, chart), chart
            return self._whole

    @property
    def memories(self) -> Memories:
        """The memories of the project and its user."""
        with self._opening:
            return self._memories

    @property
    def conversations(self) -> Conversations:
        """The past conversations."""
        with self._opening:
            return self._conversations

    @property
    def memory(self) -> ConversationSearch:
        """Search over the conversations."""
        with self._opening:
            return self._memory

    @property
    def code(self) -> CodeGraph:
        """The project's source as a graph."""
        return wire.code(self.root)

    @property
    def history(self) -> History:
        """The project's version control history."""
        return wire.history(self.root)

    @property
    def watch(self) -> Watch:
        """Drift detection."""
        return wire.watch(self.graph, self.root)

    def share_soon(self) -> None:
        """Send changes to the team's hub in the background, if one is configured."""
        try:
            if wire.has_hub(self.root):
                with self._opening:
                    self._sender.wake()
        except Exception as error:  # noqa: BLE001 - what was changed is safe, and its log says so
            log.write("hub", error)

    def share_on(self) -> None:
        """Have a process that goes on send what this one did not come to."""
        sender = vars(self).get("_sender")
        if sender is not None and sender.pending:
            wire.send_on(self.root)

    @property
    def index_state(self) -> str:
        """A value that changes whenever the index does."""
        return wire.index_state(self.root)

    @property
    def names(self) -> tuple[str, ...]:
        """The project's current identity, shared by all worktrees of a repository, and its former ones."""
        return wire.project_names(self.root)

    @cached_property
    def _graph(self) -> Graph:
        return wire.graph(self.root)

    @cached_property
    def _sender(self) -> BackgroundSender:
        return wire.background_sender(self.root)

    @cached_property
    def _undo(self) -> Undo:
        return Undo(self._graph)

    @cached_property
    def _library(self) -> Library:
        return wire.library(self._graph, self.root)

    @cached_property
    def _atlas(self) -> Atlas:
        return wire.atlas(self._library, self.root)

    @cached_property
    def _memories(self) -> Memories:
        return wire.memories(self._graph, self.root)

    @cached_property
    def _conversations(self) -> Conversations:
        return wire.conversations(self.root)

    @cached_property
    def _memory(self) -> ConversationSearch:
        return wire.memory(self._conversations)
