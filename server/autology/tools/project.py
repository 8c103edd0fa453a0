"""The project that a server serves: found and opened when it is first needed."""

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
    from autology.core.graph import Graph
    from autology.core.memory.ledger import Ledger
    from autology.core.memory.memories import Memories
    from autology.core.memory.status import Overseen
    from autology.core.ports import History, Progress
    from autology.core.recall.memory import Memory
    from autology.core.recall.tail import Tail
    from autology.core.team import TeamSearch
    from autology.core.watch import Watch
    from autology.hub.sync.background import BackgroundSender
    from autology.model.memory import Scope
    from autology.settings import Settings


MOMENT = 1.0
"""Seconds for which the settings' word on tools is remembered: every call asks for it, and reading them takes 0.2 ms,
a fifth of a small call."""


class Project:
    """One project's graph and settings; *start* is a folder in it, by default what the client says."""

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
        self.reading: str | None = None  # what is being read at the moment and how far that is, in words

    @cached_property
    def root(self) -> str:
        """The project's folder. Raises StorageError where there is none any more."""
        try:
            return wire.project_root(self._start)
        except OSError as error:
            step = "Start the client again in a folder that exists."
            raise StorageError(self._start or "the working directory", error.strerror or str(error), step) from None

    @property
    def settings(self) -> Settings:
        """The settings as they are now."""
        return wire.settings(self.root)

    @property
    def session(self) -> str | None:
        """The client's present session, if it is known."""
        return wire.client_session()

    @property
    def graph(self) -> Graph:
        """The project's knowledge. The first call brings the index up to the files; others wait for it."""
        with self._opening:
            if self._graph is None:
                graph = wire.graph(self.root, lasting=True)
                _look(graph, self._progress("notes"))
                self._graph = graph
            return self._graph

    @property
    def library(self) -> Library:
        """The project's documents. Every question brings the index up to them, the first one wholly."""
        graph = self.graph
        with self._opening:
            if self._library is None:
                self._library = wire.library(graph, self.root, lasting=True)
                self._library.reported = self._progress("documents")
            return self._library

    def _progress(self, what: str) -> Progress:
        def far(done: int, total: int) -> None:
            self.reading = f"reading {what}, {done:,} of {total:,}" if done < total else None

        return far

    @property
    def atlas(self) -> Atlas:
        """The project's whole graph, put together for as long as the index stays as it is."""
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
        """What version control knows of the project's files."""
        return wire.history(self.root)

    @property
    def watch(self) -> Watch:
        """What tells which notes drifted."""
        graph = self.graph
        with self._opening:
            if self._watch is None:
                self._watch = wire.watch(graph, self.root)
            return self._watch

    def look_for_drift(self) -> None:
        """Find out which notes drifted, if the project has moved on since that was done last."""
        if self.graph.files.exists():
            self.watch.keep_up()

    @property
    def memories(self) -> Memories:
        """The memories of the project and its user. Every question brings the index up to them."""
        graph = self.graph
        with self._opening:
            if self._memories is None:
                self._memories = wire.memories(graph, self.root, lasting=True)
            return self._memories

    @property
    def ledger(self) -> Ledger:
        """The way in to those memories: limited, and written down."""
        memories = self.memories
        with self._opening:
            if self._ledger is None:
                self._ledger = wire.ledger(memories, self.root, "mcp_tool", lambda: self.team)
            return self._ledger

    def share_soon(self) -> None:
        """Have what was written sent to the team's hub in the background, where one is set up."""
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
        """Whether what is for *scope* may lie with the team's hub, which is set up."""
        return wire.asks_team(self.root, scope)

    @property
    def overseen(self) -> Overseen:
        """What is looked at when somebody asks how memories are."""
        return wire.overseen(self.ledger, self.root)

    def purge_memories(self) -> None:
        """Put memories where they belong, and those whose time is over into the trash, if it is due and wanted.

        Raises:
            StorageError: one cannot be read or moved.
        """
        told = self.settings
        if wire.has_memories(self.root):
            wire.place_memories(self.memories, self.root)
        if told.memory_purge and wire.has_memories(self.root):
            unasked = wire.ledger(self.memories, self.root, "server")
            unasked.purge_daily(wire.daily_purge(self.root), told.memory_extend)

    @property
    def memory_org(self) -> str | None:
        """The organisation whose memories alone are found when none is named."""
        return wire.memory_org()

    @cached_property
    def memory(self) -> Memory:
        """What was said in conversations, in this project and all others."""
        return wire.memory(self.conversations, lambda: self.session)

    @cached_property
    def conversations(self) -> Conversations:
        """The conversations themselves."""
        return wire.conversations(self.root)

    def read_past(self) -> None:
        """Read and keep what was said in past sessions, resting as long as it works. Raises StorageError."""
        wire.project_names(self.root)  # hooks know by it that the project was moved
        self.conversations.catch_up()

    def turn(self, session: str | None) -> str | None:
        """Return what the user said last in that session, by its id, if it is known."""
        from autology.core.recall import turn

        try:
            return turn.present(self.conversations, session) if session else None
        except AutologyError:
            return None  # A node is worth keeping without it.

    @property
    def tail(self) -> Tail:
        """What was said and worked on last in the client's present session; nothing where that is not known."""
        from autology.core.recall.tail import Tail, tail

        session = self.session
        try:
            return tail(self.conversations, session) if session else Tail()
        except AutologyError:
            return Tail()  # What matters to a file can be told without it.

    @property
    def index_state(self) -> str:
        """What changes whenever the index does."""
        return wire.index_state(self.root)

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups of tools that the settings let a client have, as they were a moment ago."""
        if self._groups is None or time.monotonic() - self._grouped > MOMENT:
            self._groups, self._grouped = self._told_groups(), time.monotonic()
        return self._groups

    def _told_groups(self) -> tuple[str, ...]:
        told = self.settings
        there = {
            "knowledge": told.tools_knowledge,
            "documents": told.tools_documents,
            "conversations": told.tools_conversations,
            "memory": told.tools_memory,
        }
        return tuple(name for name, on in there.items() if on)

    @property
    def index_size(self) -> int:
        """How many bytes the index has."""
        return wire.index_size(self.root)

    @property
    def opened(self) -> bool:
        """Whether the graph can be had without waiting."""
        return self._graph is not None

    @property
    def projection_due(self) -> bool:
        """Whether the projection of the relations is behind."""
        return self._graph is not None and self._graph.projection_due

    @property
    def has_model(self) -> bool:
        """Whether the user chose a model for search by meaning."""
        return wire.chosen_model() != wire.BUILT_IN

    def embed(self, seconds: float) -> bool:
        """Bring passages to the model that the user chose, for about *seconds*; return whether any may be left."""
        try:
            if model := wire.model():
                model.encode([""])  # loaded now, in half a second, the first question need not wait for it
            for reads in (self.library, self.memories):  # each tells the graph how its passages are read
                graph = reads.graph
            left = graph.embed(seconds / 2)
            return self.conversations.embed(seconds / 2) or left
        except AutologyError as error:
            sys.stderr.write(f"autology: {error}\n")
            return False

    def write_projection(self) -> None:
        """Write the projection of the relations. Raises StorageError."""
        from autology.core import projection

        graph = self.graph
        if graph.projection_due and graph.files.exists():
            projection.write(graph)


def _look(graph: Graph, progress: Progress) -> None:
    """Index what there is; a project without a graph is left alone."""
    try:
        if graph.files.exists():
            graph.refresh(walk=True, progress=progress)
    except AutologyError:
        return  # Every call looks again, and its answer says what is wrong.
