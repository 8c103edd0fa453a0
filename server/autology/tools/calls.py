"""Tool calls of one connection: reads run in parallel threads, writes one at a time."""

from __future__ import annotations

import gc
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from time import monotonic
from typing import Any, TypeVar

import anyio
from anyio import to_thread
from anyio.abc import TaskGroup

from autology.model.errors import AutologyError
from autology.tools import resources
from autology.tools.arguments import Arguments
from autology.tools.background_work import BackgroundWork
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
PROGRESS_INTERVAL = 1.0
"""Seconds between two progress reports; most calls finish before the first."""


class Calls:
    """Runs tools; *tasks* runs what no call waits for."""

    def __init__(self, project: ServedProject, tasks: TaskGroup) -> None:
        self.project = project
        self._tasks = tasks
        self._threads = anyio.CapacityLimiter(THREADS)
        self._writing = anyio.Lock()
        self._greeted = self._called = False
        self._background = BackgroundWork(project, tasks, self._threads)
        self.subscriptions = Subscriptions(self._states, tasks)

    def greeted(self) -> None:
        """Note that the client is connected: the project may be opened now."""
        if not self._greeted:
            self._greeted = True
            self._tasks.start_soon(self._open_early)
            self._background.begin()

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
            self._background.share_soon()
            return answer
        finally:
            if progress_scope:  # cancelling describes the task, which takes as long as a small call
                progress_scope.cancel()
            self.project.called = monotonic()
            self._background.catch_up()

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
            self._background.catch_up()
            if not self._called:
                await to_thread.run_sync(self.project.warm_up, abandon_on_cancel=True, limiter=self._threads)
            gc.freeze()  # to look for garbage among 10,000 files' stamps takes 35 ms of some call


@asynccontextmanager
async def calls(project: ServedProject, greeted: bool = False) -> AsyncIterator[Calls]:
    """Serve calls about *project*; unfinished work is abandoned at the end. A *greeted* client is connected already."""
    try:
        async with anyio.create_task_group() as tasks:
            tool_calls = Calls(project, tasks)
            if greeted:
                tool_calls.greeted()
            yield tool_calls
            tasks.cancel_scope.cancel()
    finally:
        gc.unfreeze()  # else nothing that was open is ever freed
    if project.projection_due:
        with suppress(AutologyError):  # the index notes that it is due
            project.write_projection()
    project.team.send_rest()
