"""The project that a server serves: found and opened on first use."""

from __future__ import annotations

import sys
import threading
import time
from functools import cached_property
from typing import TYPE_CHECKING

from autology import wire
from autology.model.errors import AutologyError, StorageError

if TYPE_CHECKING:
    from autology.codegraph.code_graph import CodeGraph
    from autology.core.atlas.atlas import Atlas
    from autology.core.conversations.conversations import Conversations
    from autology.core.documents.library import Library
    from autology.core.long_work import Progress
    from autology.core.memory.ledger import Ledger
    from autology.core.memory.memories import Memories
    from autology.core.memory.status import Overseen
    from autology.core.nodes.drift_watch import Watch
    from autology.core.nodes.graph import Graph
    from autology.core.nodes.history import History
    from autology.core.recall.conversation_search import ConversationSearch
    from autology.core.recall.current_session import LatestTurns
    from autology.core.team import TeamSearch
    from autology.hub.sync.background import BackgroundSender
    from autology.model.memory import Scope
    from autology.settings import Settings


MOMENT = 1.0
"""Seconds to cache which tool groups are enabled: every call checks, and reading the settings takes 0.2 ms,
a fifth of a small call."""


class Project:
    """One project's graph and settings; *start* is a folder in it, by default the one that the client names."""

    def __init__(self, start: str | None = None) -> None:
        self._start = start
        self._opening = threading.Lock()
        self._graph: Graph | None = None
        self._library: Library | None = None
        self._groups: tuple[str, ...] | None = None
        self._grouped = 0.0
        self._atlas: Atlas | None = None
        self._memories: Memories | None = None
        self._watch: Watch | None = None
        self._ledger: Ledger | None = None
        self.reading: str | None = None  # what is being read and the progress, for people

    @cached_property
    def root(self) -> str:
        """The project's folder. Raises StorageError if it no longer exists."""
        try:
            return wire.project_root(self._start)
        except OSError as error:
            step = "Start the client again in a folder that exists."
            raise StorageError(self._start or "the working directory", error.strerror or str(error), step) from None

    @property
    def settings(self) -> Settings:
        """The current settings."""
        return wire.settings(self.root)

    @property
    def session(self) -> str | None:
        """The client's current session, if known."""
        return wire.client_session()

    @property
    def graph(self) -> Graph:
        """The project's knowledge graph. The first access updates the index; other threads wait for it."""
        with self._opening:
            if self._graph is None:
                graph = wire.graph(self.root, lasting=True)
                _look(graph, self._progress("notes"))
                self._graph = graph
            return self._graph

    @property
    def library(self) -> Library:
        """The project's documents. Every search updates the index, the first one completely."""
        graph = self.graph
        with self._opening:
            if self._library is None:
                self._library = wire.library(graph, self.root, lasting=True)
                self._library.progress = self._progress("documents")
            return self._library

    def _progress(self, what: str) -> Progress:
        def far(done: int, total: int) -> None:
            self.reading = f"reading {what}, {done:,} of {total:,}" if done < total else None

        return far

    @property
    def atlas(self) -> Atlas:
        """The project's whole graph, cached until the index changes."""
        library = self.library
        with self._opening:
            if self._atlas is None:
                self._atlas = wire.atlas(library, self.root)
            return self._atlas

    @cached_property
    def code(self) -> CodeGraph:
        """The project's own source as a graph."""
        return wire.code(self.root)

    @cached_property
    def history(self) -> History:
        """The version control history of the project's files."""
        return wire.history(self.root)

    @property
    def watch(self) -> Watch:
        """The detector of drifted notes."""
        graph = self.graph
        with self._opening:
            if self._watch is None:
                self._watch = wire.watch(graph, self.root)
            return self._watch

    def detect_drift(self) -> None:
        """Detect drifted notes, if there are new commits since the last time."""
        if self.graph.files.exists():
            self.watch.keep_up()

    @property
    def memories(self) -> Memories:
        """The memories of the project and its user. Every search updates the index."""
        graph = self.graph
        with self._opening:
            if self._memories is None:
                self._memories = wire.memories(graph, self.root, lasting=True)
            return self._memories

    @property
    def ledger(self) -> Ledger:
        """Access to the memories: rate-limited and audited."""
        memories = self.memories
        with self._opening:
            if self._ledger is None:
                self._ledger = wire.ledger(memories, self.root, "mcp_tool", lambda: self.team)
            return self._ledger

    def share_soon(self) -> None:
        """Send changes to the team hub in the background, if one is configured."""
        if wire.has_hub(self.root):
            self._sender.wake()

    def share_on(self) -> None:
        """Have a process that goes on send what this one did not come to."""
        sender = vars(self).get("_sender")
        if sender is not None and sender.pending:
            wire.send_on(self.root)

    @cached_property
    def _sender(self) -> BackgroundSender:
        return wire.background_sender(self.root)

    @cached_property
    def team(self) -> TeamSearch | None:
        """The team's servers, to be asked for what is shared there; None where none is set up."""
        return wire.team_search(self.root)

    def asks_team(self, scope: Scope) -> bool:
        """Whether a team hub is configured and may have memories for *scope*."""
        return wire.asks_team(self.root, scope)

    @property
    def overseen(self) -> Overseen:
        """The data for reports on the memory system."""
        return wire.overseen(self.ledger, self.root)

    def purge_memories(self) -> None:
        """Move misplaced memories to their scope and expired ones to the trash, if due and enabled.

        Raises:
            StorageError: one cannot be read or moved.
        """
        settings = self.settings
        if wire.has_memories(self.root):
            wire.place_memories(self.memories, self.root)
        if settings.memory_purge and wire.has_memories(self.root):
            unasked = wire.ledger(self.memories, self.root, "server")
            unasked.purge_daily(wire.daily_purge(self.root), settings.memory_extend)

    @property
    def memory_org(self) -> str | None:
        """The default organisation of memory searches."""
        return wire.memory_org()

    @cached_property
    def memory(self) -> ConversationSearch:
        """Search over conversations, in this project and all others."""
        return wire.memory(self.conversations, lambda: self.session)

    @cached_property
    def conversations(self) -> Conversations:
        """The conversations themselves."""
        return wire.conversations(self.root)

    def read_past(self) -> None:
        """Index and archive past sessions, with pauses. Raises StorageError."""
        wire.project_names(self.root)  # hooks use it to see that the project was moved
        self.conversations.catch_up()

    def turn(self, session: str | None) -> str | None:
        """Return the id of the user's last turn in that session, if known."""
        from autology.core.recall.current_session import current_turn

        try:
            return current_turn(self.conversations, session) if session else None
        except AutologyError:
            return None  # A node is worth keeping without it.

    @property
    def tail(self) -> LatestTurns:
        """The latest messages and files of the client's current session; empty if unknown."""
        from autology.core.recall.current_session import LatestTurns, latest

        session = self.session
        try:
            return latest(self.conversations, session) if session else LatestTurns()
        except AutologyError:
            return LatestTurns()  # Context for a file works without it.

    @property
    def index_state(self) -> str:
        """A value that changes whenever the index does."""
        return wire.index_state(self.root)

    @property
    def groups(self) -> tuple[str, ...]:
        """The enabled groups of tools, cached for a moment."""
        if self._groups is None or time.monotonic() - self._grouped > MOMENT:
            self._groups, self._grouped = self._enabled_groups(), time.monotonic()
        return self._groups

    def _enabled_groups(self) -> tuple[str, ...]:
        settings = self.settings
        groups = {
            "knowledge": settings.tools_knowledge,
            "documents": settings.tools_documents,
            "conversations": settings.tools_conversations,
            "memory": settings.tools_memory,
        }
        return tuple(name for name, on in groups.items() if on)

    @property
    def index_size(self) -> int:
        """The size of the index in bytes."""
        return wire.index_size(self.root)

    @property
    def opened(self) -> bool:
        """Whether the graph is already open."""
        return self._graph is not None

    @property
    def projection_due(self) -> bool:
        """Whether the projection of the relations is out of date."""
        return self._graph is not None and self._graph.projection_due

    @property
    def has_model(self) -> bool:
        """Whether the user selected a model for semantic search."""
        return wire.chosen_model() != wire.BUILT_IN

    def embed(self, seconds: float) -> bool:
        """Embed passages with the user's model for about *seconds*; return whether any may be left."""
        try:
            if model := wire.model():
                model.encode([""])  # load it now, in half a second, so that the first query need not wait
            for reads in (self.library, self.memories):  # each one registers with the graph how its passages are read
                graph = reads.graph
            left = graph.embed(seconds / 2)
            return self.conversations.embed(seconds / 2) or left
        except AutologyError as error:
            sys.stderr.write(f"autology: {error}\n")
            return False

    def write_projection(self) -> None:
        """Write the projection of the relations. Raises StorageError."""
        from autology.core.nodes import projection

        graph = self.graph
        if graph.projection_due and graph.files.exists():
            projection.write(graph)


def _look(graph: Graph, progress: Progress) -> None:
    """Index the project; a folder without a graph is left alone."""
    try:
        if graph.files.exists():
            graph.refresh(walk=True, progress=progress)
    except AutologyError:
        return  # Every call tries again and reports the error.
