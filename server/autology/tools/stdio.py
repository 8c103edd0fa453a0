"""The server on standard input and output: what ends it, and what it answers to lines that are no messages."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import AsyncIterable, AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, NoReturn, Protocol

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage

from autology.tools.errors import unreadable_line

GRACE = 0.05
"""Seconds in which what was asked before the input ended may still be answered."""
LAST = 0.09
"""Seconds from the end of the input to the end of the process, whatever still runs: nothing acknowledged is lost."""


Lines = AsyncIterable[SessionMessage | Exception]
"""What comes in: messages, and what is wrong with lines that are none."""


class Answers(Protocol):
    """Where what goes out is put."""

    async def send(self, item: SessionMessage, /) -> None:
        """Write *item* as a line."""


def run(server: Server[Any]) -> NoReturn:
    """Serve until the input ends or a signal comes; the process ends with it, exit code 0."""
    for name in ("SIGINT", "SIGTERM", "SIGBREAK"):
        if hasattr(signal, name):
            # At once: every acknowledged write is on disk, and a thread that still runs would be waited for.
            signal.signal(getattr(signal, name), lambda *_: os._exit(0))
    try:
        anyio.run(_serve, server)
    except* OSError:
        pass  # The client closed its end while it was being answered.
    sys.stderr.flush()
    os._exit(0)


async def _serve(server: Server[Any]) -> None:
    async with stdio_server() as (lines, answers), _messages(lines, answers) as messages:
        await server.run(messages, answers, server.create_initialization_options())


@asynccontextmanager
async def _messages(
    lines: Lines, answers: Answers
) -> AsyncIterator[MemoryObjectReceiveStream[SessionMessage | Exception]]:
    """The messages among *lines*; the others are answered here, since nobody else would."""
    sender, receiver = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_relay, lines, answers, sender)
        yield receiver
        tasks.cancel_scope.cancel()


async def _relay(
    lines: Lines,
    answers: Answers,
    messages: MemoryObjectSendStream[SessionMessage | Exception],
) -> None:
    async with messages:
        async for line in lines:
            if isinstance(line, Exception):
                await answers.send(SessionMessage(unreadable_line(line)))
            else:
                await messages.send(line)
        last = threading.Timer(LAST, os._exit, (0,))
        last.daemon = True
        last.start()
        await anyio.sleep(GRACE)
