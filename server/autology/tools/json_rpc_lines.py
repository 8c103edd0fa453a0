"""The stdio transport: the client's lines as messages, and messages as lines."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass

import mcp_types as types
from anyio import to_thread
from pydantic import ValidationError

from autology import log
from autology.startup.client import MAX_LINE, Client
from autology.startup.early_answers import is_replayed
from autology.text.sanitising import clean_line
from autology.tools import pipe_room


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A line that is not a valid message, with the answer to its sender."""

    answer: types.JSONRPCError


class Channel:
    """The client's messages as lines of bytes, and the server's answers as lines."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def lines(self) -> AsyncIterator[bytes]:
        """Yield each line with its end, until the input ends; of an overlong line, MAX_LINE bytes without an end."""
        arrived, loop = asyncio.Event(), asyncio.get_running_loop()

        def notify() -> None:
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(arrived.set)

        self._client.notify(notify)  # a thread that waits for each line would take a tenth of a millisecond
        while True:
            arrived.clear()
            line = self._client.take_at_once()
            if line is None:
                await arrived.wait()
            elif line:
                yield line
            else:
                return

    async def write(self, message: types.JSONRPCMessage) -> None:
        """Write *message* as one line, unless it answers a request that was answered early.

        Raises OSError if the client is gone.
        """
        if not is_replayed(getattr(message, "id", None)):
            line = encoded(message) + b"\n"
            if (written := pipe_room.write(self._client.output().fileno(), line)) < len(line):
                await to_thread.run_sync(self._client.write, line[written:])

    def hung_up(self) -> bool:
        """Whether the client closed its end of the input; False if the platform cannot tell."""
        return self._client.hung_up()


def received(line: bytes) -> types.JSONRPCMessage | Unreadable | None:
    """Return the message in *line*, an error if it is invalid, or None for a blank line."""
    if len(line) >= MAX_LINE:
        return _rejected(types.INVALID_REQUEST, f"Invalid request: more than {MAX_LINE:,} bytes")
    text = line.decode("utf-8", "replace").strip()
    if not text:
        return None
    try:
        message = types.jsonrpc_message_adapter.validate_json(text, by_name=False)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        if first["type"] == "json_invalid":
            return _rejected(types.PARSE_ERROR, f"Parse error: {first['msg']}", text)
        return _rejected(types.INVALID_REQUEST, "Invalid request", text)
    if isinstance(message, types.JSONRPCNotification) and "id" in _read(text):
        # The library takes a request with an invalid id for a notification, which would never be answered.
        return _rejected(types.INVALID_REQUEST, "Invalid request: its id is neither a string nor a whole number")
    return message


def _rejected(code: int, problem: str, line: str = "") -> Unreadable:
    request = _read(line)
    id = writable_id(request.get("id")) if "method" in request else None
    error = types.ErrorData(code=code, message=clean_line(problem, 200))
    return Unreadable(types.JSONRPCError(jsonrpc="2.0", id=id, error=error))


def _read(line: str) -> dict[str, object]:
    """Return the object in *line* as the more lenient json module reads it, for instance with a lone surrogate."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def encoded(message: types.JSONRPCMessage) -> bytes:
    """Return *message* as JSON; if UTF-8 cannot encode it, an internal error instead."""
    try:
        return _json(message)
    except ValueError as error:  # a lone surrogate in a result
        log.write("answer", error)
        problem = types.ErrorData(code=types.INTERNAL_ERROR, message="the answer cannot be encoded as UTF-8")
        return _json(types.JSONRPCError(jsonrpc="2.0", id=writable_id(getattr(message, "id", None)), error=problem))


def writable_id(id: object) -> str | int | None:
    """Return *id* if an answer can contain it: a whole number, or text that UTF-8 can encode; else None."""
    if isinstance(id, bool) or not isinstance(id, str | int):
        return None
    if isinstance(id, str):
        try:
            id.encode()
        except UnicodeEncodeError:
            return None
    return id


def _json(message: types.JSONRPCMessage) -> bytes:
    return message.model_dump_json(by_alias=True, exclude_unset=True).encode()
