"""A real server process, spoken to line by line, as a client does and as none should."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 120.0
"""Seconds for an answer or an end: a start costs one, on a machine where much else runs very many."""
BEHIND = "not everything is known yet"
"""What an answer says that came before everything was indexed: no call waits long for that on a busy machine."""
CLIENT = {"name": "claude-code", "title": "Claude Code", "version": "2.1.330"}
ABLE: dict[str, Any] = {"roots": {"listChanged": True}, "elicitation": {"form": {}, "url": {}}}
ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": CLIENT,
    "io.modelcontextprotocol/clientCapabilities": ABLE,
}
DISCOVER = {"jsonrpc": "2.0", "id": "probe-1", "method": "server/discover", "params": {"_meta": ENVELOPE}}
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": ABLE, "clientInfo": CLIENT},
}

Json = dict[str, Any]


class Served:
    """The process and what it has said; *lines* are all it wrote on standard output."""

    def __init__(
        self,
        project: Path,
        environment: Mapping[str, str] = os.environ,
        options: Sequence[str] = (),
        code: Path = ROOT / "server",
        command: Sequence[str] = (sys.executable, "-m", "autology", "serve"),
    ) -> None:
        path = {"PYTHONPATH": str(code)}
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            [*command, *options],
            cwd=project,
            env={**environment, **path},
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
        )
        self.lines: list[str] = []
        self.errors = ""
        self._answers: queue.Queue[Json] = queue.Queue()
        self._early: dict[object, Json] = {}
        self._next = 0
        self._readers = [threading.Thread(target=read, daemon=True) for read in (self._read, self._read_errors)]
        for reader in self._readers:
            reader.start()

    def send(self, message: Json | str) -> None:
        """Write one line."""
        assert self.process.stdin
        line = message if isinstance(message, str) else json.dumps(message)
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def answer(self, id: object, seconds: float = PATIENCE) -> Json:
        """Return the message with that id, waiting for it."""
        until = time.monotonic() + seconds
        while id not in self._early:
            try:
                message = self._answers.get(timeout=max(0.0, until - time.monotonic()))
            except queue.Empty:
                raise AssertionError(f"no answer to {id!r}; said: {self.lines}; complained: {self.errors}") from None
            self._early[message.get("id")] = message
        return self._early.pop(id)

    def silent(self, id: object, seconds: float) -> bool:
        """Whether nothing answers *id* for so long."""
        try:
            self.answer(id, seconds)
        except AssertionError:
            return True
        return False

    def ask(self, method: str, params: Json | None = None) -> Json:
        """Send a request and return the whole answer."""
        return self.answer(self.begin(method, params))

    def begin(self, method: str, params: Json | None = None) -> int:
        """Send a request and return its id."""
        self._next += 1
        message: Json = {"jsonrpc": "2.0", "id": self._next, "method": method}
        self.send(message if params is None else {**message, "params": params})
        return self._next

    def begin_call(self, name: str, **arguments: object) -> int:
        """Call a tool without waiting and return the call's id."""
        return self.begin("tools/call", {"name": name, "arguments": arguments})

    def call(self, name: str, **arguments: object) -> Json:
        """Call a tool and return its result, which must be no refusal of the protocol."""
        answer = self.answer(self.begin_call(name, **arguments))
        assert "result" in answer, answer
        result: Json = answer["result"]
        return result

    def call_when_indexed(self, tool: str, **arguments: object) -> Json:
        """Return the first answer that does not say that it is behind: one that is so and does not say it is wrong."""
        end = time.monotonic() + PATIENCE
        while BEHIND in json.dumps(result := self.call(tool, **arguments)):
            assert time.monotonic() < end, result
        return result

    def greet(self) -> None:
        """Shake hands as clients have done so far."""
        self.send(INITIALIZE)
        assert "result" in self.answer(0)
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def end(self) -> int:
        """End the input and return the exit code."""
        assert self.process.stdin
        self.process.stdin.close()
        return self.ended()

    def ended(self) -> int:
        """Return the exit code, waiting for it."""
        code = self.process.wait(PATIENCE)
        for reader in self._readers:
            reader.join(PATIENCE)
        return code

    def _read(self) -> None:
        assert self.process.stdout
        with self.process.stdout as output:
            for line in output:
                text = line.decode("utf-8")
                self.lines.append(text)
                self._answers.put(json.loads(text))

    def _read_errors(self) -> None:
        assert self.process.stderr
        with self.process.stderr as output:
            self.errors = output.read().decode("utf-8", "replace")


@contextmanager
def served(
    project: Path,
    environment: Mapping[str, str] = os.environ,
    options: Sequence[str] = (),
    code: Path = ROOT / "server",
    command: Sequence[str] = (sys.executable, "-m", "autology", "serve"),
) -> Iterator[Served]:
    """Run the server of *code*, or what *command* starts, in *project*, with *options*, until the block ends."""
    server = Served(project, environment, options, code, command)
    try:
        yield server
    finally:
        if server.process.stdin and not server.process.stdin.closed:
            server.process.stdin.close()
        try:
            server.ended()
        finally:
            server.process.kill()
            server.process.wait(PATIENCE)


def text(result: Json) -> str:
    """Return the only text of a tool's result."""
    [block] = result["content"]
    assert block["type"] == "text"
    content: str = block["text"]
    return content
