"""The calls of one connection: side by side in threads, writes one after another."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeVar

import anyio
from anyio import to_thread
from anyio.abc import TaskGroup

from autology import log
from autology.model.errors import AutologyError
from autology.tools import resources
from autology.tools.arguments import Arguments
from autology.tools.followed import Followed, States
from autology.tools.project import Project
from autology.tools.tool import Answer, Tool

T = TypeVar("T")
Report = Callable[[float, float | None, str | None], Awaitable[None]]
"""Tells the client how far a call is: seconds so far, of how many if that is known, and what is being done."""

THREADS = 16
"""Calls at once, more than a session and its agents make; apart from the threads that read and write the stream."""
GREETED = 0.05
"""Seconds for the rest of the client's first questions before opening the project competes with them."""
EMBEDDED = 1.0
"""Seconds of embedding at a time, and of the pause after it: at most half of one processor."""
BEGUN = 2.0
"""Seconds for the session's first questions before past ones are read, and memories purged, beside them."""
WATCHED = 10.0
"""Seconds between two looks whether the project has moved on: the state of one file, some 20 microseconds."""
WAITED = 1.0
"""Seconds between two words on how far a call is; most calls are over before the first."""
IDLE = 1.0
"""Seconds from a change until the projection of the relations is written, so that a burst of changes is one writing."""


class Calls:
    """Runs tools; *tasks* is where what goes on between calls lives."""

    def __init__(self, project: Project, tasks: TaskGroup) -> None:
        self.project = project
        self._tasks = tasks
        self._threads = anyio.CapacityLimiter(THREADS)
        self._writing = anyio.Lock()
        self._greeted = False
        self._tidying = False
        self._embedding = False
        self.followed = Followed(self._states, tasks)

    def greeted(self) -> None:
        """Note that the client is connected: the project may be opened now."""
        if not self._greeted:
            self._greeted = True
            self._tasks.start_soon(self._open_early)
            self._tasks.start_soon(self._read_past)
            self._tasks.start_soon(self._purge)
            self._tasks.start_soon(self._look_for_drift)
            self._tasks.start_soon(self._share_left)

    async def _purge(self) -> None:
        """Move memories whose time is over to the trash, once a day; killed in the midst, none is lost."""
        await anyio.sleep(BEGUN)
        try:
            await to_thread.run_sync(self.project.purge_memories, abandon_on_cancel=True, limiter=self._threads)
        except Exception as error:  # noqa: BLE001 - whatever a file holds, the server lives and its log says so
            log.write("purge of memories", error)

    async def _look_for_drift(self) -> None:
        """Find out which notes drifted whenever the project has moved on: hooks cannot look themselves."""
        await anyio.sleep(BEGUN)
        try:
            while True:
                await to_thread.run_sync(self.project.look_for_drift, abandon_on_cancel=True, limiter=self._threads)
                await anyio.sleep(WATCHED)
        except Exception as error:  # noqa: BLE001 - whatever a repository holds, the server lives and its log says so
            log.write("drift", error)

    async def _read_past(self) -> None:
        """Read and keep past sessions while the client is connected, as long as there is something new, resting often.

        In a thread that is given up with the process: what is done is done whole.
        """
        await anyio.sleep(BEGUN)
        try:
            await to_thread.run_sync(self.project.read_past, abandon_on_cancel=True, limiter=self._threads)
        except Exception as error:  # noqa: BLE001 - whatever a transcript holds, the server lives and its log says so
            log.write("past sessions", error)

    async def _share_left(self) -> None:
        """Send the team's hub, where there is one, what an earlier session could not."""
        await anyio.sleep(BEGUN)
        await self._share()

    async def _share(self) -> None:
        """Have what was written sent to the hub in the background: no call waits for that, nor fails by it."""
        try:
            await to_thread.run_sync(self.project.share_soon, limiter=self._threads)
        except Exception as error:  # noqa: BLE001 - what was written is safe, and its log says so
            log.write("hub", error)

    async def run(self, tool: Tool[Any], given: Arguments, report: Report | None = None) -> Answer:
        """Return what *tool* does with what was *given*; *report* hears how far it is while it lasts.

        A call that is cancelled before it writes is given up; one that writes completes.
        """
        lasting = anyio.CancelScope()
        if report:
            self._tasks.start_soon(self._report, report, lasting)
        try:
            await self._opened()
            if not tool.writes:
                return await to_thread.run_sync(
                    tool.act, self.project, given, abandon_on_cancel=True, limiter=self._threads
                )
            async with self._writing:
                answer = await to_thread.run_sync(tool.act, self.project, given, limiter=self._threads)
            self._tasks.start_soon(self._share)
            return answer
        finally:
            lasting.cancel()
            self._tidy_later()
            self._embed_later()

    async def _report(self, report: Report, lasting: anyio.CancelScope) -> None:
        begun = anyio.current_time()
        with lasting, suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
            while True:
                await anyio.sleep(WAITED)
                await report(anyio.current_time() - begun, None, self.project.reading)

    async def _states(self, uris: Sequence[str]) -> States:
        try:
            return await self.look(lambda project: {uri: resources.state(project, uri) for uri in uris})
        except AutologyError:
            return dict.fromkeys(uris)  # Where the project cannot be read there is nothing; the tools say why.

    async def look(self, read: Callable[[Project], T]) -> T:
        """Return what *read* finds in the project, in a thread of its own."""
        await self._opened()
        return await to_thread.run_sync(read, self.project, abandon_on_cancel=True, limiter=self._threads)

    async def _opened(self) -> None:
        if not self.project.opened:
            await to_thread.run_sync(lambda: self.project.graph, abandon_on_cancel=True, limiter=self._threads)

    async def _open_early(self) -> None:
        await anyio.sleep(GREETED)
        with suppress(Exception):  # whatever it meets, the calls meet too, and say it
            await self._opened()
            self._tidy_later()
            self._embed_later()

    def _embed_later(self) -> None:
        if self.project.has_model and not self._embedding:
            self._embedding = True
            self._tasks.start_soon(self._embed)

    async def _embed(self) -> None:
        """Bring passages to the model that the user chose, if one is, until none waits."""
        try:
            with suppress(Exception):  # whatever it meets, searches meet too, and say it
                while await to_thread.run_sync(self.project.embed, EMBEDDED, abandon_on_cancel=True):
                    await anyio.sleep(EMBEDDED)
        finally:
            self._embedding = False

    def _tidy_later(self) -> None:
        if self.project.projection_due and not self._tidying:
            self._tidying = True
            self._tasks.start_soon(self._tidy)

    async def _tidy(self) -> None:
        await anyio.sleep(IDLE)
        try:
            async with self._writing:
                await to_thread.run_sync(self.project.write_projection, limiter=self._threads)
        except AutologyError as error:
            sys.stderr.write(f"autology: the projection of the relations is behind: {error}\n")
        finally:
            self._tidying = False


@asynccontextmanager
async def calls(project: Project) -> AsyncIterator[Calls]:
    """Serve calls about *project*; what still waits at the end is given up."""
    async with anyio.create_task_group() as tasks:
        yield Calls(project, tasks)
        tasks.cancel_scope.cancel()
    project.share_on()
