"""The server on standard input and output: what ends it, and what it answers to lines that are no messages."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import AsyncIterable, AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, NoReturn, Protocol

import anyio
import mcp_types as types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from autology import signals
from autology.tools.errors import unreadable_line

LAST = 0.09
"""Seconds from the end of the input to the end of the process with nothing asked: nothing acknowledged is lost."""
PATIENCE = 4.0
"""Seconds for what was asked before the input ended to be answered: the first call opens the project, which takes
one second at 10,000 notes; longer than that waits only who waits for another writer."""


Lines = AsyncIterable[SessionMessage | Exception]
"""What comes in: messages, and what is wrong with lines that are none."""


class Answers(Protocol):
    """Where what goes out is put."""

    async def send(self, item: SessionMessage, /) -> None:
        """Write *item* as a line."""


class Asked:
    """The requests that came in and were not answered yet; one to be told of changes is answered by its end."""

    def __init__(self) -> None:
        self._open: set[str | int] = set()
        self._none = anyio.Event()
        self._none.set()

    def came(self, message: types.JSONRPCMessage) -> None:
        """Note what came in: a request, or that one is no longer wanted."""
        if isinstance(message, types.JSONRPCRequest) and message.method != "subscriptions/listen":
            self._open.add(message.id)
            self._none = anyio.Event()
        elif isinstance(message, types.JSONRPCNotification) and message.method == "notifications/cancelled":
            self._over((message.params or {}).get("requestId"))

    def answered(self, message: types.JSONRPCMessage) -> None:
        """Note what went out."""
        if isinstance(message, types.JSONRPCResponse | types.JSONRPCError):
            self._over(message.id)

    def __bool__(self) -> bool:
        """Whether an answer is still due."""
        return bool(self._open)

    async def over(self) -> None:
        """Return once nothing is to be answered any more."""
        await self._none.wait()

    def _over(self, id: object) -> None:
        self._open = {due for due in self._open if due != id}
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
    asked = Asked()
    async with (
        stdio_server() as (lines, written),
        _messages(lines, written, asked) as messages,
        _answers(written, asked) as answers,
    ):
        await server.run(messages, answers, server.create_initialization_options())


@asynccontextmanager
async def _messages(
    lines: Lines, written: Answers, asked: Asked
) -> AsyncIterator[MemoryObjectReceiveStream[SessionMessage | Exception]]:
    """The messages among *lines*; the others are answered here, since nobody else would."""
    sender, receiver = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_relay, lines, written, sender, asked)
        yield receiver
        tasks.cancel_scope.cancel()


async def _relay(
    lines: Lines,
    written: Answers,
    messages: MemoryObjectSendStream[SessionMessage | Exception],
    asked: Asked,
) -> None:
    async with messages:
        async for line in lines:
            if not isinstance(line, Exception):
                asked.came(line.message)
                await messages.send(line)
            elif not _is_blank(line):
                await written.send(SessionMessage(unreadable_line(line)))
        if asked:
            _end_after(PATIENCE)
            await asked.over()
        else:
            _end_after(LAST)


@asynccontextmanager
async def _answers(written: Answers, asked: Asked) -> AsyncIterator[MemoryObjectSendStream[SessionMessage]]:
    """Where the server puts its answers, so that it is known which are still due."""
    sender, receiver = anyio.create_memory_object_stream[SessionMessage](0)

    async def pass_on() -> None:
        async for answer in receiver:
            await written.send(answer)
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


def _is_blank(error: Exception) -> bool:
    """Whether the line that is no message holds nothing."""
    if not isinstance(error, ValidationError):
        return False
    line = error.errors(include_url=False, include_context=False)[0]["input"]
    return isinstance(line, str) and not line.strip()
