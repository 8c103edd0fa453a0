"""Tool calls of one connection: reads run in parallel threads, writes one at a time."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from time import monotonic
from typing import Any, TypeVar

import anyio
from anyio import to_thread
from anyio.abc import TaskGroup

from autology import log
from autology.model.errors import AutologyError
from autology.tools import resources
from autology.tools.arguments import Arguments
from autology.tools.project import ServedProject
from autology.tools.subscriptions import States, Subscriptions
from autology.tools.tool import Answer, Tool

T = TypeVar("T")
Report = Callable[[float, float | None, str | None], Awaitable[None]]
"""Reports progress to the client: seconds so far, the total if known, and the current activity."""

THREADS = 16
"""Maximum number of parallel calls, more than a session and its agents make; separate from the stream's threads."""
OPENING_DELAY = 0.05
"""Seconds left for the client's first requests before opening the project competes with them."""
EMBEDDING_SECONDS = 1.0
"""Seconds of embedding at a time, and of the pause after it: at most half of one CPU."""
STARTUP_DELAY = 2.0
"""Seconds left for the session's first requests before past sessions are read and memories purged."""
DRIFT_INTERVAL = 10.0
"""Seconds between two checks for new commits: reads one file's state, about 20 microseconds."""
PROGRESS_INTERVAL = 1.0
"""Seconds between two progress reports; most calls finish before the first."""
PROJECTION_DELAY, PROJECTION_LATEST = 1.0, 30.0
"""Seconds from the last call, and at most from a change, until the projection of the relations is written: a burst of
changes is written once. 30,000 relations take 0.3 s."""


class Calls:
    """Runs tools; *tasks* runs the work between calls."""

    def __init__(self, project: ServedProject, tasks: TaskGroup) -> None:
        self.project = project
        self._tasks = tasks
        self._threads = anyio.CapacityLimiter(THREADS)
        self._writing = anyio.Lock()
        self._greeted = self._called = False
        self._tidying = self._filling = self._embedding = False
        self.subscriptions = Subscriptions(self._states, tasks)

    def greeted(self) -> None:
        """Note that the client is connected: the project may be opened now."""
        if not self._greeted:
            self._greeted = True
            project = self.project
            self._tasks.start_soon(self._open_early)
            self._tasks.start_soon(self._do, "past sessions", project.read_past)
            self._tasks.start_soon(self._do, "purge of memories", project.purge_memories)
            self._tasks.start_soon(
                self._do, "drift", project.detect_drift, DRIFT_INTERVAL
            )  # hooks cannot do it themselves
            self._tasks.start_soon(self._do, "dates of records", project.date_records, DRIFT_INTERVAL)
            self._tasks.start_soon(self._check)
            self._tasks.start_soon(self._share, STARTUP_DELAY)  # what an earlier session could not send

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

    async def run(self, tool: Tool[Any], args: Arguments, report: Report | None = None) -> Answer:
        """Return the result of *tool* called with *args*; *report* receives its progress.

        A call cancelled before it writes is abandoned; one that is writing completes.
        """
        self._called = True
        self.project.called = monotonic()
        progress_scope = anyio.CancelScope() if report else None
        if report and progress_scope:
            self._tasks.start_soon(self._report, report, progress_scope)
        try:
            await self._ensure_open()
            if not tool.writes:
                return await to_thread.run_sync(
                    tool.act, self.project, args, abandon_on_cancel=True, limiter=self._threads
                )
            async with self._writing:
                answer = await to_thread.run_sync(tool.act, self.project, args, limiter=self._threads)
            self._tasks.start_soon(self._share)
            return answer
        finally:
            if progress_scope:  # cancelling describes the task, which takes as long as a small call
                progress_scope.cancel()
            self.project.called = monotonic()
            self._work_later()

    async def _report(self, report: Report, progress_scope: anyio.CancelScope) -> None:
        started = anyio.current_time()
        with progress_scope, suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
            while True:
                await anyio.sleep(PROGRESS_INTERVAL)
                await report(anyio.current_time() - started, None, self.project.reading)

    async def _states(self, uris: Sequence[str]) -> States:
        try:
            return await self.look(lambda project: {uri: resources.state(project, uri) for uri in uris})
        except AutologyError:
            return dict.fromkeys(uris)  # The project cannot be read; the tools report why.

    async def look(self, read: Callable[[ServedProject], T]) -> T:
        """Return the result of *read* on the project, run in a thread."""
        await self._ensure_open()
        return await to_thread.run_sync(read, self.project, abandon_on_cancel=True, limiter=self._threads)

    async def _ensure_open(self) -> None:
        if not self.project.opened:
            await to_thread.run_sync(lambda: self.project.graph, abandon_on_cancel=True, limiter=self._threads)

    async def _open_early(self) -> None:
        await anyio.sleep(OPENING_DELAY)
        with suppress(Exception):  # the calls meet the same error, and report it
            await self._ensure_open()
            self._work_later()
            if not self._called:
                await to_thread.run_sync(self.project.warm_up, abandon_on_cancel=True, limiter=self._threads)

    def _work_later(self) -> None:
        """Begin what no call need wait for."""
        self._fill_later()
        self._tidy_later()
        self._embed_later()

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

    def _tidy_later(self) -> None:
        if self.project.projection_due and not self._tidying:
            self._tidying = True
            self._tasks.start_soon(self._tidy)

    async def _tidy(self) -> None:
        try:
            until = monotonic() + PROJECTION_LATEST
            await anyio.sleep(PROJECTION_DELAY)
            while monotonic() < min(until, self.project.called + PROJECTION_DELAY):
                await anyio.sleep(PROJECTION_DELAY)
            await to_thread.run_sync(self.project.write_projection, limiter=self._threads)
        except AutologyError as error:
            sys.stderr.write(f"autology: the projection of the relations is behind: {error}\n")
        finally:
            self._tidying = False


@asynccontextmanager
async def calls(project: ServedProject, greeted: bool = False) -> AsyncIterator[Calls]:
    """Serve calls about *project*; unfinished work is abandoned at the end. A *greeted* client is connected already."""
    async with anyio.create_task_group() as tasks:
        tool_calls = Calls(project, tasks)
        if greeted:
            tool_calls.greeted()
        yield tool_calls
        tasks.cancel_scope.cancel()
    if project.projection_due:
        with suppress(AutologyError):  # the index notes that it is due
            project.write_projection()
    project.team.send_rest()
