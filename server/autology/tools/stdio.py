"""The server on standard input and output: what ends it, and what it answers to lines that are no messages."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, NoReturn, TypeAlias

import anyio
import mcp_types as types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.server.lowlevel import Server
from mcp.shared.message import SessionMessage

from autology import signals
from autology.tools.lines import Unreadable, Wire, claimed, received

Answers: TypeAlias = MemoryObjectSendStream[SessionMessage]
LAST = 0.09
"""Seconds from the end of the input to the end of the process with nothing asked: nothing acknowledged is lost."""
PATIENCE = 4.0
"""Seconds for what was asked before the input ended to be answered: the first call opens the project, which takes
one second at 10,000 notes; longer than that waits only who waits for another writer."""
OPEN = 256
"""Requests read and not answered yet, and answers that wait to be written; the client's next line is left unread
then. A session and its agents make a few dozen at once; 256 lists of the tools, 40 KB each, are 10 MB."""
OPEN_BYTES = 64_000_000
"""Bytes of requests read and not answered yet: four lines as long as they may be."""


class Asked:
    """The requests that came in and were not answered yet; one to be told of changes is answered by its end."""

    def __init__(self) -> None:
        self._open: dict[object, list[int]] = {}  # bytes of each; a client may use an id twice
        self._count = self._size = 0
        self._none = anyio.Event()
        self._none.set()
        self._moved = anyio.Event()

    def came(self, message: types.JSONRPCMessage, size: int) -> None:
        """Note what came in: a request of *size* bytes, or that one is no longer wanted."""
        if isinstance(message, types.JSONRPCRequest) and message.method != "subscriptions/listen":
            self._open.setdefault(message.id, []).append(size)
            self._count += 1
            self._size += size
            self._none = anyio.Event()
        elif isinstance(message, types.JSONRPCNotification) and message.method == "notifications/cancelled":
            self._over((message.params or {}).get("requestId"))

    def answered(self, message: types.JSONRPCMessage) -> None:
        """Note what went out."""
        if isinstance(message, types.JSONRPCResponse | types.JSONRPCError):
            self._over(message.id)
        self._moved.set()
        self._moved = anyio.Event()

    def __bool__(self) -> bool:
        """Whether an answer is still due."""
        return bool(self._open)

    async def over(self) -> None:
        """Return once nothing is to be answered any more."""
        await self._none.wait()

    async def room(self, wire: Wire, answers: Answers) -> None:
        """Return once another request may be read: a client that does not read its answers waits with its next."""
        while self._count >= OPEN or self._size >= OPEN_BYTES or answers.statistics().tasks_waiting_send >= OPEN:
            with anyio.move_on_after(PATIENCE) as waiting:
                await self._moved.wait()
            if waiting.cancelled_caught and wire.hung_up():
                _end_after(LAST)

    def _over(self, id: object) -> None:
        if type(id) in (str, int) and (sizes := self._open.get(id)):
            self._count -= 1
            self._size -= sizes.pop()
            if not sizes:
                del self._open[id]
        if not self._open:
            self._none.set()


def run(server: Server[Any]) -> NoReturn:
    """Serve until the input ends or a signal comes; the process ends with it, exit code 0."""
    # At once: every acknowledged write is on disk, and a thread that still runs would be waited for.
    signals.on(("SIGINT", *signals.ENDING, "SIGBREAK"), lambda _: os._exit(0))
    try:
        anyio.run(_serve, server)
    except* OSError:
        pass  # The client closed its end while it was being answered.
    sys.stderr.flush()
    os._exit(0)


async def _serve(server: Server[Any]) -> None:
    asked, wire = Asked(), claimed()
    async with _answers(wire, asked) as answers, _messages(wire, answers.clone(), asked) as messages:
        await server.run(messages, answers, server.create_initialization_options())


@asynccontextmanager
async def _messages(
    wire: Wire, answers: Answers, asked: Asked
) -> AsyncIterator[MemoryObjectReceiveStream[SessionMessage | Exception]]:
    """The messages among the lines; the others are answered here, since nothing else would."""
    sender, receiver = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    async with answers, anyio.create_task_group() as tasks:
        tasks.start_soon(_relay, wire, answers, sender, asked)
        yield receiver
        tasks.cancel_scope.cancel()


async def _relay(
    wire: Wire,
    answers: Answers,
    messages: MemoryObjectSendStream[SessionMessage | Exception],
    asked: Asked,
) -> None:
    async with messages:
        async for line in wire.lines():
            message = received(line)
            if isinstance(message, Unreadable):
                await answers.send(SessionMessage(message.answer))
            elif message is not None:
                asked.came(message, len(line))
                await messages.send(SessionMessage(message))
            await asked.room(wire, answers)
        if asked:
            _end_after(PATIENCE)
            await asked.over()
        else:
            _end_after(LAST)


@asynccontextmanager
async def _answers(wire: Wire, asked: Asked) -> AsyncIterator[Answers]:
    """Where the server puts its answers, so that it is known which are still due."""
    sender, receiver = anyio.create_memory_object_stream[SessionMessage](0)

    async def pass_on() -> None:
        async for answer in receiver:
            await wire.write(answer.message)
            asked.answered(answer.message)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(pass_on)
        yield sender
        sender.close()


def _end_after(seconds: float) -> None:
    """End the process by then, whatever still runs."""
    last = threading.Timer(seconds, os._exit, (0,))
    last.daemon = True
    last.start()
