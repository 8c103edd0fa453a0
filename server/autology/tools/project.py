"""The project that a server serves: opened on first use, and kept up to date between calls."""

from __future__ import annotations

import os
import sys
import time
from functools import cached_property
from typing import TYPE_CHECKING

from autology import client_session, hook_events, places
from autology.core.content.freshness import SHORTEST
from autology.core.conversations.conversations import RESTING
from autology.model.errors import AutologyError, StorageError
from autology.settings import state_of_settings
from autology.wire import user
from autology.wire.project import Project

if TYPE_CHECKING:
    from autology.core.long_work import Progress
    from autology.core.nodes.graph import Graph
    from autology.core.recall.current_session import LatestTurns
    from autology.settings import Settings

GROUPS_CACHED = 1.0
"""Seconds to cache which tool groups are enabled: every call checks, and a look at the settings takes 0.03 ms."""
CHECKED_AFTER_CALL, CHECK_IDLE = 600.0, 5.0
"""Seconds after a call for which files are checked beside calls, and then between two looks for another call."""


class ServedProject(Project):
    """The project of the folder *start*, by default the one that the client names."""

    lasting = True
    source = "mcp_tool"

    def __init__(self, start: str | None = None) -> None:
        super().__init__(start or "")
        self._groups: tuple[str, ...] | None = None
        self._groups_read_at = 0.0
        # With the state of what they come from, and whether the switches of hooks are saved.
        self._read_settings: tuple[tuple[object, ...], Settings, bool] | None = None
        self.called = time.monotonic()  # the last call
        self._checks_due: dict[int, float] = {}
        self.reading: str | None = None  # what is being read and the progress, for people

    @cached_property
    def root(self) -> str:
        """The project's folder. Raises StorageError if it no longer exists."""
        try:
            return places.project_root(self._root)
        except OSError as error:
            step = "Start the client again in a folder that exists."
            raise StorageError(self._root or "the working directory", error.strerror or str(error), step) from None

    @property
    def settings(self) -> Settings:
        """The current settings, read again when a file or a variable that they come from has changed.

        Reading takes 0.25 ms, a twentieth of a capture, and twice that after a pause.
        """
        state, read = state_of_settings(self.root), self._read_settings
        # Reading saves the switches of hooks, also where their file has been cleared away.
        if read is None or read[0] != state or (read[2] and not _has_switches()):
            current = super().settings
            read = self._read_settings = state, current, _has_switches()
        return read[1]

    @property
    def session(self) -> str | None:
        """The client's current session, if known."""
        return client_session.current()

    def _open_graph(self) -> Graph:
        from autology.core.nodes import graph_index_file

        graph = super()._open_graph()
        try:
            if graph.files.exists():  # a folder without a graph is left alone
                graph.check_all()
                graph.projection_due |= graph_index_file.is_owed(graph)
        except AutologyError:
            pass  # Every call tries again and reports the error.
        return graph

    def _progress(self, kind: str) -> Progress:
        def report(done: int, total: int) -> None:
            self.reading = f"reading {kind}, {done:,} of {total:,}" if done < total else None

        return report

    @property
    def tail(self) -> LatestTurns:
        """The latest messages and files of the client's current session; empty if unknown."""
        from autology.core.recall.current_session import LatestTurns, latest

        session = self.session
        try:
            return latest(self.conversations, session) if session else LatestTurns()
        except AutologyError:
            return LatestTurns()  # Context for a file works without it.

    def turn(self, session: str | None) -> str | None:
        """Return the id of the user's last turn in that session, if known."""
        from autology.core.recall.current_session import current_turn

        try:
            return current_turn(self.conversations, session) if session else None
        except AutologyError:
            return None  # A node is worth keeping without it.

    @property
    def groups(self) -> tuple[str, ...]:
        """The enabled groups of tools, cached for a moment."""
        if self._groups is None or time.monotonic() - self._groups_read_at > GROUPS_CACHED:
            self._groups, self._groups_read_at = self.settings.tool_groups, time.monotonic()
        return self._groups

    @property
    def opened(self) -> bool:
        """Whether the graph is already open."""
        return "graph" in vars(self)

    def warm_up(self) -> None:
        """Search once, so that the first search of the session finds the encoder, index and modules loaded."""
        from autology.core.nodes.search import NodeQuery, search
        from autology.render import nodes

        if self.graph.files.exists():
            nodes.answer(search(self.graph, NodeQuery("decision", limit=1), self.watch), "normal", 0)

    def read_ahead(self) -> None:
        """Parse notes before searches do: of 1,000 notes, a seventh of the time of the first forty searches."""
        if self.graph.files.exists() and not self.is_behind:
            self.graph.read_ahead()

    @property
    def projection_due(self) -> bool:
        """Whether the projection of the relations is out of date."""
        return self.opened and self.graph.projection_due

    @property
    def tidying_due(self) -> bool:
        """Whether :meth:`tidy` has anything to do; cheap."""
        return self.projection_due or (self.opened and self.sqlite_index.has_long_log())

    def tidy(self) -> None:
        """Write the projection of the relations and truncate the index's log, as far as due. Raises StorageError."""
        self.write_projection()
        if self.opened:
            self.sqlite_index.truncate_log()

    def write_projection(self) -> None:
        """Write the projection of the relations, if due. Raises StorageError."""
        from autology.core.nodes import graph_index_file

        graph = self.graph
        if graph.projection_due and graph.files.exists():
            graph_index_file.write(graph)

    def fill_up(self) -> None:
        """Index what calls did not wait for. Raises AutologyError."""
        self.fill(self._progress)

    def check_files(self) -> float:
        """Look for changes that the system does not report, where that is due; return the seconds until the next look.

        After a while without calls there is none: the next query looks for itself where nothing is reported.
        """
        now = time.monotonic()
        if now - self.called > CHECKED_AFTER_CALL:
            return CHECK_IDLE
        for number, check in enumerate(self.checks):
            if now >= self._checks_due.get(number, 0.0):
                self._checks_due[number] = time.monotonic() + check()
        return max(SHORTEST, min(self._checks_due.values()) - time.monotonic())

    def detect_drift(self) -> None:
        """Detect drifted notes, if there are new commits since the last time."""
        if self.graph.files.exists():
            self.watch.keep_up()

    def date_records(self) -> None:
        """Date the records that state no date, if there are new commits since the last time."""
        if self.graph.files.exists():
            super().date_records()

    def purge_memories(self) -> None:
        """Move misplaced memories to their scope and expired ones to the trash, if due and enabled.

        Raises:
            StorageError: one cannot be read or moved.
        """
        settings = self.settings
        if not self.has_memories:
            return
        self.place_memories()
        if settings.memory_purge:
            self.audited_memories_for("server").purge_daily(self.daily_purge, settings.memory_extend)

    def read_past(self) -> None:
        """Index and archive past sessions, with pauses. Raises StorageError."""
        _ = self.names  # registers the project: hooks use it to see that it was moved
        self.conversations.catch_up()
        if self.graph.files.exists():
            self.mined_queue.catch_up(RESTING)

    @property
    def embedding_due(self) -> bool:
        """Whether passages may wait for the built-in encoder or for the user's model."""
        return (self.opened and self.graph.index.may_lack_vectors) or user.chosen_model() != user.BUILT_IN

    def embed(self, seconds: float) -> bool:
        """Embed passages for about *seconds*; return whether any may be left."""
        try:
            if self.graph.encode(until=time.monotonic() + seconds):
                return True
            if user.chosen_model() == user.BUILT_IN:
                return False
            if model := user.model():
                model.encode([""])  # load it now, in half a second, so that the first query need not wait
            for collection in (self.library, self.memories):  # each registers with the graph how to read its passages
                graph = collection.graph
            has_more = graph.embed(seconds / 2)
            return self.conversations.embed(seconds / 2) or has_more
        except AutologyError as error:
            sys.stderr.write(f"autology: {error}\n")
            return False


def _has_switches() -> bool:
    return os.path.exists(hook_events.path())
