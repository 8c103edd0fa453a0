"""What the server reads and writes: odd ids, endless lines, and a client that does not listen."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import IO, Any

import mcp_types as types
import pytest

from autology.tools import json_rpc_lines
from tests.plugin.served import INITIALIZE, PATIENCE, ROOT, served

MEGABYTES_MORE = 60
"""Room for a client that does not listen: with 256 open requests it is 8 MB, without a bound 40 a second."""


def request(id: str, method: str = "ping", params: str = "{}") -> str:
    """Return a request as a line, its id written as it is."""
    return f'{{"jsonrpc": "2.0", "id": {id}, "method": {json.dumps(method)}, "params": {params}}}'


UNFIT = (
    (request("1.5"), None, -32600),
    (request("1.0"), None, -32600),
    (request("1e3"), None, -32600),
    (request("true"), None, -32600),
    (request("null"), None, -32600),
    (request("{}"), None, -32600),
    (request("[1]"), None, -32600),
    (request('"\\ud83d"'), None, -32700),
    (request('"a\\udc00b"', "tools/call"), None, -32700),
    (request("8", "\udc00"), 8, -32700),
    (request("8", "tools/call", '{"name": "\\ud83d", "arguments": {}}'), 8, -32700),
    (request("8", "tools/call", '{"name": "autology_query", "arguments": {"\\udc00": 1}}'), 8, -32700),
    (request("8", "tools/call", '{"name": "a\\u0000b", "arguments": {}}'), 8, -32602),
    (request("8", params="[]"), 8, -32600),
    (request("8", params="[" * 20_000 + "]" * 20_000), None, -32700),
    ('{"jsonrpc": "2.0", "id": 1.5, "result": {}}', None, -32600),
    ('{"jsonrpc": "2.0", "id": "\\udc00", "result": {}}', None, -32700),
)


def test_a_request_that_cannot_be_taken_is_answered_and_the_server_goes_on(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        for line, id, code in UNFIT:
            server.send(line)
            assert server.answer(id)["error"]["code"] == code, line
        assert server.ask("ping")["result"] == {}
        assert server.end() == 0
        assert server.errors == ""


def test_ids_that_the_protocol_allows_come_back_as_they_were(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        for id in (0, -1, 10**30, "", "1", "é 🎉"):
            server.send(request(json.dumps(id)))
            assert server.answer(id)["result"] == {}


def test_bytes_that_are_not_utf8_and_endless_lines_are_answered_and_the_server_goes_on(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        assert server.process.stdin
        server.process.stdin.write(b'{"jsonrpc": "2.0", "id": 5, "method": "p\xff\xc3ng"}\n')
        server.process.stdin.flush()
        assert server.answer(5)["error"]["code"] == -32601
        long = request("6", "ping", json.dumps({"x": "x" * json_rpc_lines.MAX_LINE}))
        server.send(long)
        assert "more than 16,000,000 bytes" in server.answer(None)["error"]["message"]
        server.send(request("7", "ping", json.dumps({"x": "x" * (json_rpc_lines.MAX_LINE - 200)})))
        assert server.answer(7)["result"] == {}
        assert server.ask("ping")["result"] == {}


def test_an_answer_that_is_not_utf8_is_an_error_of_its_request() -> None:
    broken = types.JSONRPCResponse(jsonrpc="2.0", id=3, result={"text": "half \ud83d"})
    answer: Any = json.loads(json_rpc_lines.encoded(broken))
    assert (answer["id"], answer["error"]["code"]) == (3, -32603)


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
def test_a_client_that_does_not_read_its_answers_is_not_read_from_and_loses_none(tmp_path: Path) -> None:
    count = 3_000
    with subprocess.Popen(
        [sys.executable, "-m", "autology", "serve", "--project", str(tmp_path)],
        env={**os.environ, "PYTHONPATH": str(ROOT / "server")},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(json.dumps(INITIALIZE).encode() + b"\n")
        process.stdin.flush()
        process.stdout.readline()
        before = megabytes(process.pid)
        sent: list[int] = []
        sender = threading.Thread(target=send_all, args=(process.stdin, count, sent))
        sender.start()
        assert settled(sent) < count, "all was read although nothing was taken"
        assert megabytes(process.pid) - before < MEGABYTES_MORE
        answers = [json.loads(process.stdout.readline())["id"] for _ in range(count)]
        assert sorted(answers) == list(range(1, count + 1))
        sender.join(PATIENCE)
        process.stdin.close()
        assert process.wait(PATIENCE) == 0


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not tell that a pipe was closed")
def test_a_client_that_went_away_without_reading_ends_it(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "autology", "serve", "--project", str(tmp_path)],
        env={**os.environ, "PYTHONPATH": str(ROOT / "server")},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdin
    assert process.stdout
    with process.stdout:
        send_all(process.stdin, 600, [])  # more than are held, and less than a pipe holds besides
        process.stdin.close()
        assert process.wait(PATIENCE) == 0


def settled(sent: list[int]) -> int:
    """Return how many requests were written once none was for a second."""
    until = time.monotonic() + PATIENCE
    so_far = -1
    while len(sent) > so_far or not sent:
        assert time.monotonic() < until
        so_far = len(sent)
        time.sleep(1)
    return so_far


def send_all(output: IO[bytes], count: int, sent: list[int]) -> None:
    """Ask for the list of tools so often; *sent* holds the ids that were written."""
    if not sent:
        output.write(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}\n')
    for id in range(1, count + 1):
        output.write(b'{"jsonrpc": "2.0", "id": %d, "method": "tools/list"}\n' % id)
        output.flush()
        sent.append(id)


def megabytes(process: int) -> int:
    """Return the memory that *process* has in use."""
    status = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) // 1_000
