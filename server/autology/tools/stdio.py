"""The server on standard input and output: how it ends, and how it answers invalid lines."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, NoReturn, TypeAlias

import anyio
import mcp_types as types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.server.lowlevel import Server
from mcp.shared.message import SessionMessage

from autology.startup.client import Client
from autology.tools.json_rpc_lines import Channel, Unreadable, received

Answers: TypeAlias = MemoryObjectSendStream[SessionMessage]
EXIT_DELAY = 0.09
"""Seconds from the end of input to the end of the process if no request is pending: nothing acknowledged is lost."""
PATIENCE = 4.0
"""Seconds for pending requests to be answered after the input ended: the first call opens the project, which takes
one second at 10,000 notes; only a call that waits for another writer takes longer."""
MAX_PENDING = 256
"""Maximum number of pending requests, and of unsent answers; beyond it the client's next line is not read.
A session and its agents make a few dozen at once; 256 lists of the tools, 40 KB each, are 10 MB."""
MAX_PENDING_BYTES = 64_000_000
"""Maximum bytes of pending requests: four lines of maximum length."""


class PendingRequests:
    """The requests that are not answered yet, without subscriptions: those are answered when they end."""

    def __init__(self) -> None:
        self._open: dict[object, list[int]] = {}  # bytes of each; a client may reuse an id
        self._count = self._size = 0
        self._none = anyio.Event()
        self._none.set()
        self._changed = anyio.Event()

    def add(self, message: types.JSONRPCMessage, size: int) -> None:
        """Record an incoming message: a request of *size* bytes, or a cancellation."""
        if isinstance(message, types.JSONRPCRequest) and message.method != "subscriptions/listen":
            self._open.setdefault(message.id, []).append(size)
            self._count += 1
            self._size += size
            self._none = anyio.Event()
        elif isinstance(message, types.JSONRPCNotification) and message.method == "notifications/cancelled":
            self._close((message.params or {}).get("requestId"))

    def answered(self, message: types.JSONRPCMessage) -> None:
        """Record an outgoing message."""
        if isinstance(message, types.JSONRPCResponse | types.JSONRPCError):
            self._close(message.id)
        self._changed.set()
        self._changed = anyio.Event()

    def __bool__(self) -> bool:
        """Whether a request is pending."""
        return bool(self._open)

    async def drained(self) -> None:
        """Wait until no request is pending."""
        await self._none.wait()

    async def room(self, channel: Channel, answers: Answers) -> None:
        """Wait until another request may be read: a client that does not read its answers has to wait."""
        while (
            self._count >= MAX_PENDING
            or self._size >= MAX_PENDING_BYTES
            or answers.statistics().tasks_waiting_send >= MAX_PENDING
        ):
            with anyio.move_on_after(PATIENCE) as waiting:
                await self._changed.wait()
            if waiting.cancelled_caught and channel.hung_up():
                _end_after(EXIT_DELAY)

    def _close(self, id: object) -> None:
        if type(id) in (str, int) and (sizes := self._open.get(id)):
            self._count -= 1
            self._size -= sizes.pop()
            if not sizes:
                del self._open[id]
        if not self._open:
            self._none.set()


def run(server_for: Callable[[bool], Server[Any]], client: Client) -> NoReturn:
    """Serve *client* until its input ends; then end the process with exit code 0.

    *server_for* returns the server, given whether the client already has the list of tools.
    """
    try:
        anyio.run(_serve, server_for, client)
    except* OSError:
        pass  # The client closed its end while it was being answered.
    sys.stderr.flush()
    os._exit(0)


async def _serve(server_for: Callable[[bool], Server[Any]], client: Client) -> None:
    server = server_for(client.hand_over())  # Not before all is loaded: until then, another server can take over.
    pending, channel = PendingRequests(), Channel(client)
    async with _answers(channel, pending) as answers, _messages(channel, answers.clone(), pending) as messages:
        await server.run(messages, answers, server.create_initialization_options())


@asynccontextmanager
async def _messages(
    channel: Channel, answers: Answers, pending: PendingRequests
) -> AsyncIterator[MemoryObjectReceiveStream[SessionMessage | Exception]]:
    """Yield the stream of messages; invalid lines are answered here, because nothing else would."""
    sender, receiver = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    async with answers, anyio.create_task_group() as tasks:
        tasks.start_soon(_relay, channel, answers, sender, pending)
        yield receiver
        tasks.cancel_scope.cancel()


async def _relay(
    channel: Channel,
    answers: Answers,
    messages: MemoryObjectSendStream[SessionMessage | Exception],
    pending: PendingRequests,
) -> None:
    async with messages:
        async for line in channel.lines():
            message = received(line)
            if isinstance(message, Unreadable):
                await answers.send(SessionMessage(message.answer))
            elif message is not None:
                pending.add(message, len(line))
                await messages.send(SessionMessage(message))
            await pending.room(channel, answers)
        if pending:
            _end_after(PATIENCE)
            await pending.drained()
        else:
            _end_after(EXIT_DELAY)


@asynccontextmanager
async def _answers(channel: Channel, pending: PendingRequests) -> AsyncIterator[Answers]:
    """Yield the stream for the server's answers, which records what was answered."""
    sender, receiver = anyio.create_memory_object_stream[SessionMessage](0)

    async def pass_on() -> None:
        async for answer in receiver:
            await channel.write(answer.message)
            pending.answered(answer.message)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(pass_on)
        yield sender
        sender.close()


def _end_after(seconds: float) -> None:
    """End the process after *seconds*, even if threads are still running."""
    last = threading.Timer(seconds, os._exit, (0,))
    last.daemon = True
    last.start()
