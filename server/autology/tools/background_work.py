"""The server's work between calls: notes ahead, past sessions, drift, file checks, indexing, embedding, the hub."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from time import monotonic

import anyio
from anyio import to_thread
from anyio.abc import TaskGroup

from autology import log
from autology.model.errors import AutologyError
from autology.tools.project import ServedProject

EMBEDDING_SECONDS = 1.0
"""Seconds of embedding at a time, and of the pause after it: at most half of one CPU."""
STARTUP_DELAY = 2.0
"""Seconds left for the session's first requests before past sessions are read and memories purged."""
DRIFT_INTERVAL = 10.0
"""Seconds between two checks for new commits: reads one file's state, about 20 microseconds."""
TIDYING_DELAY, TIDYING_LATEST = 1.0, 30.0
"""Seconds from the last call, and at most from a change, until the projection of the relations is written and the
index's log truncated: once for a burst of changes. 30,000 relations take 0.1 s of another processor."""


class BackgroundWork:
    """The work on *project* that *tasks* run beside the calls, in at most as many *threads* as the limiter allows."""

    def __init__(self, project: ServedProject, tasks: TaskGroup, threads: anyio.CapacityLimiter) -> None:
        self.project = project
        self._tasks = tasks
        self._threads = threads
        self._tidying = self._filling = self._embedding = self._reads_ahead = False

    def begin(self) -> None:
        """Begin what a server does by itself, once its client is connected."""
        project = self.project
        self._tasks.start_soon(self._do, "past sessions", project.read_past)
        self._tasks.start_soon(self._do, "purge of memories", project.purge_memories)
        self._tasks.start_soon(self._do, "drift", project.detect_drift, DRIFT_INTERVAL)  # hooks cannot do it themselves
        self._tasks.start_soon(self._do, "dates of records", project.date_records, DRIFT_INTERVAL)
        self._tasks.start_soon(self._check)
        self._tasks.start_soon(self._share, STARTUP_DELAY)  # what an earlier session could not send

    def share_soon(self) -> None:
        """Send changes to the team's hub, if one is configured: no call waits for it."""
        self._tasks.start_soon(self._share)

    def catch_up(self) -> None:
        """Begin what no call need wait for, as far as it is due."""
        self._fill_later()
        self._tidy_later()
        self._embed_later()
        self._read_ahead_later()

    def _fill_later(self) -> None:
        if self.project.is_behind and not self._filling:
            self._filling = True
            self._tasks.start_soon(self._fill)

    async def _fill(self) -> None:
        """Index what calls did not wait for."""
        try:
            await to_thread.run_sync(self.project.fill_up, abandon_on_cancel=True, limiter=self._threads)
        except AutologyError as error:
            sys.stderr.write(f"autology: not everything is indexed: {error}\n")  # calls try again
        finally:
            self._filling = False
            self._tidy_later()
            self._embed_later()

    async def _check(self) -> None:
        """Look for changes that the system does not report."""
        pause = STARTUP_DELAY
        try:
            while True:
                await anyio.sleep(pause)
                pause = await to_thread.run_sync(
                    self.project.check_files, abandon_on_cancel=True, limiter=self._threads
                )
        except Exception as error:  # noqa: BLE001 - queries then look for themselves
            log.write("check of files", error)

    def _embed_later(self) -> None:
        if self.project.embedding_due and not self._embedding:
            self._embedding = True
            self._tasks.start_soon(self._embed)

    async def _embed(self) -> None:
        """Embed passages that wait for the built-in encoder or the user's model, until none is left."""
        try:
            with suppress(Exception):  # searches meet the same error, and report it
                while await to_thread.run_sync(self.project.embed, EMBEDDING_SECONDS, abandon_on_cancel=True):
                    await anyio.sleep(EMBEDDING_SECONDS)
        finally:
            self._embedding = False

    def _read_ahead_later(self) -> None:
        if self.project.opened and not self._reads_ahead:
            self._reads_ahead = True  # once: later notes are parsed when they are met
            self._tasks.start_soon(self._do, "notes", self.project.read_ahead)

    def _tidy_later(self) -> None:
        if self.project.tidying_due and not self._tidying:
            self._tidying = True
            self._tasks.start_soon(self._tidy)

    async def _tidy(self) -> None:
        try:
            until = monotonic() + TIDYING_LATEST
            await anyio.sleep(TIDYING_DELAY)
            while monotonic() < min(until, self.project.called + TIDYING_DELAY):
                await anyio.sleep(TIDYING_DELAY)
            await to_thread.run_sync(self.project.tidy, limiter=self._threads)
        except AutologyError as error:
            sys.stderr.write(f"autology: the projection of the relations is behind: {error}\n")
        finally:
            self._tidying = False

    async def _do(self, name: str, job: Callable[[], object], pause: float | None = None) -> None:
        """Do *job* soon in a thread, repeatedly if there is a *pause*.

        The thread is abandoned when the process ends: finished steps are complete, and nothing is lost.
        """
        await anyio.sleep(STARTUP_DELAY)
        try:
            await to_thread.run_sync(job, abandon_on_cancel=True, limiter=self._threads)
            while pause is not None:
                await anyio.sleep(pause)
                await to_thread.run_sync(job, abandon_on_cancel=True, limiter=self._threads)
        except Exception as error:  # noqa: BLE001 - the server must survive any error; it is logged
            log.write(name, error)

    async def _share(self, wait: float = 0.0) -> None:
        """Send changes to the team hub, if one is configured, in the background: no call waits for it."""
        await anyio.sleep(wait)
        await to_thread.run_sync(self.project.team.send_soon, limiter=self._threads)
