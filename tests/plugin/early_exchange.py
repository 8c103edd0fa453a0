"""Conversations with two servers that differ only in who answers first: this program, or the SDK alone.

Usage: python -m tests.plugin.early_exchange RECORDED SEED COUNT. Holds COUNT random conversations, or with the COUNT
"every" one for each recorded answer. Prints what differs; exit code 1 if anything does. The SDK is loaded once; each
server is a fork, in which the SDK takes over at a random moment.
"""

from __future__ import annotations

import json
import os
import random
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from autology.startup.client import Client
from autology.startup.early_answers import EarlyAnswers
from autology.startup.recorded_answers import RecordedAnswers
from autology.startup.serving import GROUPS
from tests.plugin.served import CLIENT, ENVELOPE

PLAIN = ("ping", "tools/list", "resources/list", "resources/templates/list", "prompts/list")
VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "1999-01-01", "2026-07-28")
ODD = (
    "",
    "garbage",
    "[]",
    "{}",
    '{"jsonrpc": "2.0", "id": 1.5, "method": "ping"}',
    '{"jsonrpc": "2.0", "id": null, "method": "ping"}',
    '{"jsonrpc": "2.0", "id": 90, "method": "tools/list", "params": {"cursor": 7}}',
    '{"jsonrpc": "2.0", "id": 91, "method": "tools/list", "params": {"cursor": "x"}}',
    '{"jsonrpc": "2.0", "id": 92, "method": "tools/list", "params": {"_meta": 7}}',
    '{"jsonrpc": "2.0", "id": 93, "method": "tools/list", "params": null}',
    '{"jsonrpc": "2.0", "id": 94, "method": "tools/list", "params": {"_meta": {"progressToken": "a"}}}',
    '{"jsonrpc": "2.0", "id": 95, "method": "ping", "params": {"x": "\\u00e9"}}',
    '{"jsonrpc": "2.0", "id": 96, "method": "initialize", "params": {}}',
    '{"jsonrpc": "2.0", "id": 97, "method": "server/guess"}',
    '{"jsonrpc": "2.0", "id": 98, "method": "resources/list", "more": 1}',
    '{"jsonrpc": "1.0", "id": 99, "method": "ping"}',
    '{"jsonrpc": "2.0", "id": 100, "result": {}}',
    '{"jsonrpc": "2.0", "method": "notifications/unheard"}',
    '{"jsonrpc": "2.0", "id": "ä", "method": "ping"}',
    '{"jsonrpc": "2.0", "id": 90071992547409931, "method": "ping"}',
    '{"jsonrpc": "2.0", "id": 101, "id": 102, "method": "ping"}',
    '{"jsonrpc": "2.0", "id": 103, "method": "ping", "method": "tools/list"}',
    '[{"jsonrpc": "2.0", "id": 104, "method": "ping"}, {"jsonrpc": "2.0", "id": 105, "method": "tools/list"}]',
    '{"jsonrpc": "2.0", "id": 106, "method": "ping"} {"jsonrpc": "2.0", "id": 107, "method": "ping"}',
    '\ufeff{"jsonrpc": "2.0", "id": 108, "method": "ping"}',
    '{"jsonrpc": "2.0", "id": 109, "method": "tools/list", "params": {"_meta": {"progressToken": 1.5}}}',
    '{"jsonrpc": "2.0", "id": 110, "method": "ping", "params": {"x": "' + "漢" * 40_000 + '"}}',
)
CAPABILITIES: tuple[dict[str, Any], ...] = (
    {},
    {"roots": {"listChanged": True}},
    {"roots": 7},
    {"sampling": {}},
    {"experimental": {"listChanged": True}},
    {"experimental": {"x": {"y": 1}}},
)


class Conversation:
    """A random sequence of lines: often a usual one, with oddities in any place."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._next = 0
        self.cancelled: set[object] = set()
        self._modern = chance.random() < 0.4
        self.lines = list(self._lines())
        self.handover = chance.choice((0, 0.01, 0.03, 0.1, 0.1))
        self.writes = list(self._writes())

    def _lines(self) -> list[str]:
        chance = self._chance
        lines = [] if chance.random() < 0.1 else [self._opening()]
        if chance.random() < 0.15:
            lines.insert(0, self._request("ping"))
        if not self._modern and chance.random() < 0.9:
            lines.append('{"jsonrpc": "2.0", "method": "notifications/initialized"}')
        for _ in range(chance.randrange(9)):
            kind = chance.random()
            if kind < 0.6:
                lines.append(self._request(chance.choice(PLAIN)))
            elif kind < 0.8:
                name = chance.choice(("autology_status", "autology_guess"))
                lines.append(self._request("tools/call", {"name": name, "arguments": {}}))
            elif kind < 0.88 and self._next:
                cancelled = chance.randrange(1, self._next + 2)
                self.cancelled.add(cancelled)
                params = {"requestId": cancelled}
                lines.append(json.dumps({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}))
            elif kind < 0.94:
                lines.append(chance.choice(ODD))
            elif kind < 0.97:
                self._modern = not self._modern
                lines.append(self._request(chance.choice(PLAIN)))
            else:
                lines.append(self._opening())
        return lines

    def _writes(self) -> Iterator[tuple[float, bytes]]:
        """Yield pauses in seconds, each with the bytes that are written after it: lines, or parts of them."""
        chance = self._chance
        text = "".join(f"{line}\n" for line in self.lines).encode()
        if chance.random() < 0.15:
            text = text[: -chance.randrange(1, 20)]  # The client dies in the middle of its last line.
        is_cut = chance.random() < 0.3
        while text:
            length = chance.randrange(1, 400) if is_cut else text.find(b"\n") + 1 or len(text)
            yield chance.choice((0, 0, 0, 0.002, 0.01)), text[:length]
            text = text[length:]

    def _opening(self) -> str:
        if self._modern:
            return self._request("server/discover")
        capabilities = self._chance.choice(CAPABILITIES)
        client = self._chance.choice((CLIENT, {"name": "x", "version": "1"}, {"name": "x"}))
        params = {"protocolVersion": self._chance.choice(VERSIONS), "capabilities": capabilities, "clientInfo": client}
        return self._request("initialize", params, bare=True)

    def _request(self, method: str, params: dict[str, Any] | None = None, bare: bool = False) -> str:
        self._next += 1
        message: dict[str, Any] = {"jsonrpc": "2.0", "id": self._next, "method": method}
        if self._modern and not bare:
            message["params"] = {**(params or {}), "_meta": ENVELOPE}
        elif params is not None:
            message["params"] = params
        return json.dumps(message)


def converse(
    writes: Iterable[tuple[float, bytes]], project: str, recorded: Path | None, handover: float
) -> list[bytes]:
    """Return the lines of a server, forked here, that is sent *writes*."""
    to_server, from_client = os.pipe(), os.pipe()
    if not (child := os.fork()):
        try:
            os.close(to_server[1])
            os.close(from_client[0])
            _serve(to_server[0], from_client[1], project, recorded, handover)
        finally:
            os._exit(9)
    os.close(to_server[0])
    os.close(from_client[1])
    output: list[bytes] = []
    with os.fdopen(from_client[0], "rb") as stream:
        reader = threading.Thread(target=lambda: output.extend(stream))
        reader.start()
        try:
            for pause, data in writes:
                time.sleep(pause)
                os.write(to_server[1], data)
        except BrokenPipeError:
            output.append(b'{"id": "the server went away"}')
        os.close(to_server[1])
        reader.join(60)
    _, status = os.waitpid(child, 0)
    assert status == 0, status
    return output


def _serve(incoming: int, outgoing: int, project: str, recorded: Path | None, handover: float) -> None:
    from autology.tools import stdio
    from autology.tools.server import serve

    stdio.PATIENCE = 120.0  # On a busy machine calls take longer than a client that has gone is worth.
    answers = _early_answers(recorded) if recorded else None
    client = Client(os.fdopen(incoming, "rb"), os.fdopen(outgoing, "wb"), answers)
    client.start()
    time.sleep(handover)
    serve(project, client)


def _early_answers(recorded: Path, groups: str = ",".join(GROUPS)) -> EarlyAnswers:
    record = json.loads(recorded.read_text(encoding="utf-8"))
    answers = record["answers"][groups]
    return EarlyAnswers(RecordedAnswers(record["handshake"], record["envelope"], record["pieces"], answers))


def difference(conversation: Conversation, alone: list[dict[str, Any]], early: list[dict[str, Any]]) -> str:
    """Return how the answers differ; "" if they do not.

    A cancelled request may be answered or not. Answers that take no time come in the order of their requests.
    """
    certain = [
        sorted(
            json.dumps(answer, sort_keys=True) for answer in answers if answer.get("id") not in conversation.cancelled
        )
        for answers in (alone, early)
    ]
    if certain[0] != certain[1]:
        only = [set(certain[0]) - set(certain[1]), set(certain[1]) - set(certain[0])]
        return f"only the SDK alone: {[text[:300] for text in only[0]]}; only early: {[text[:300] for text in only[1]]}"
    listed = [
        json.loads(line)["id"]
        for line in conversation.lines
        if any(f'"method": "{name}"' in line for name in PLAIN)
        and line.startswith('{"jsonrpc": "2.0", "id": ')
        and line not in ODD
    ]
    order = [answer["id"] for answer in early if answer.get("id") in listed and "result" in answer]
    return "" if order == sorted(order) else f"the order is {order}"


def main(recorded: str, seed: str, count: str) -> int:
    """Hold *count* conversations; return 1 if one differs."""
    import autology.tools.server  # loaded here, for all forks
    import autology.tools.stdio  # noqa: F401

    failures = 0
    with tempfile.TemporaryDirectory() as project:
        if count == "every":
            return _compare_every(Path(recorded), project)
        for number in range(int(seed), int(seed) + int(count)):
            conversation = Conversation(random.Random(number))
            alone, early = (
                [json.loads(line) for line in converse(conversation.writes, project, record, conversation.handover)]
                for record in (None, Path(recorded))
            )
            if problem := difference(conversation, alone, early):
                failures += 1
                print(f"conversation {number}: {problem}", *conversation.lines, sep="\n  ")
    print(f"{count} conversations, {failures} differ")
    return min(failures, 1)


def _compare_every(recorded: Path, project: str) -> int:
    """Ask for each recorded answer, of each version and combination of groups; return 1 if one differs in a byte."""
    record = json.loads(recorded.read_text(encoding="utf-8"))
    compared = failures = 0
    for groups, by_version in record["answers"].items():
        for group in GROUPS:
            os.environ[f"AUTOLOGY_TOOLS_{group.upper()}"] = str(group in groups.split(",")).lower()
        for version, methods in by_version.items():
            params = {"_meta": ENVELOPE} if version == record["envelope"] else {}
            start = {"protocolVersion": version, "capabilities": {}, "clientInfo": CLIENT}
            requests = [
                {"id": id, "method": method, "params": start if method == "initialize" else params}
                for id, method in enumerate(methods)
            ]
            lines = [json.dumps({"jsonrpc": "2.0", **request}).encode() + b"\n" for request in requests]
            answers = _early_answers(recorded, groups)
            early = sorted(answers.reply(line)[0] or b"" for line in lines)
            alone = sorted(converse([(0, b"".join(lines))], project, None, 0))
            compared += len(alone)
            if alone != early or len(alone) != len(methods):
                failures += 1
                print(f"groups {groups}, version {version}: {alone} differs from {early}")
    print(f"{compared} answers, {failures} differ")
    return min(failures, 1)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
