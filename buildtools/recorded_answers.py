"""Recording the SDK's answers to a client's first requests, for every combination of enabled tools.

Run as a script by an interpreter that has the SDK and the package; the build only starts it.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

METHODS = ("ping", "tools/list", "resources/list", "resources/templates/list", "prompts/list")
CLIENT = {"name": "build", "version": "1"}
HANDSHAKE, ENVELOPE = "2025-11-25", "2026-07-28"
"""The versions of the protocol that a build is checked with: the newest with a handshake, and the one without."""
BETWEEN_TOOLS = re.compile(r',(?={"(?:_meta":{"anthropic|annotations"))')
"""Where an answer is cut into pieces, because most combinations list the same tools."""
FILE = Path("autology", "startup", "recorded_answers.json")


def has_server(ours: Path) -> bool:
    """Whether the package in the folder *ours* has a server."""
    return (ours / "autology" / "tools" / "server.py").exists()


def record(python: Path, ours: Path) -> None:
    """Write the answers of the package in the folder *ours* into it; nothing if it has no server."""
    from buildtools.run_programs import run

    if has_server(ours):
        run([python, __file__, ours / FILE], environment={"PYTHONPATH": str(ours)})


def check(server: Sequence[str], environment: Mapping[str, str], folder: Path) -> None:
    """Ask the command *server*, run in *folder*, with and without the record. Raises Failed if an answer differs."""
    from buildtools.run_programs import Failed

    for version, requests in _conversations((HANDSHAKE,), ENVELOPE):
        lines = "".join(
            json.dumps({"jsonrpc": "2.0", "id": number, **request}) + "\n" for number, request in enumerate(requests)
        )
        answers = []
        for early in ("on", "off"):
            variables = {**environment, "AUTOLOGY_EARLY_ANSWERS": early}
            process = subprocess.run(
                server, input=lines.encode(), env=variables, cwd=folder, capture_output=True, check=False
            )
            answers.append(sorted(process.stdout.splitlines()))
        if answers[0] != answers[1] or len(answers[0]) != len(requests):
            raise Failed(f"the recorded answers for version {version} of the protocol differ from the server's own")


def _main(file: str) -> None:
    from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, LATEST_MODERN_VERSION

    from autology.startup.serving import GROUPS

    pieces: dict[str, int] = {}
    answers: dict[str, dict[str, dict[str, list[int]]]] = {}
    with tempfile.TemporaryDirectory() as project:
        os.environ |= {"AUTOLOGY_CONFIG": str(Path(project, "none")), "CLAUDE_CONFIG_DIR": project}
        for choice in product((True, False), repeat=len(GROUPS)):
            for group, is_on in zip(GROUPS, choice, strict=True):
                os.environ[f"AUTOLOGY_TOOLS_{group.upper()}"] = str(is_on).lower()
            groups = ",".join(group for group, is_on in zip(GROUPS, choice, strict=True) if is_on)
            answers[groups] = {
                version: {
                    method: [pieces.setdefault(piece, len(pieces)) for piece in BETWEEN_TOOLS.split(text)]
                    for method, text in _exchange(project, version, requests)
                }
                for version, requests in _conversations(HANDSHAKE_PROTOCOL_VERSIONS, LATEST_MODERN_VERSION)
            }
    record = {
        "handshake": HANDSHAKE_PROTOCOL_VERSIONS,
        "envelope": LATEST_MODERN_VERSION,
        "pieces": list(pieces),
        "answers": answers,
    }
    Path(file).write_text(json.dumps(record, ensure_ascii=False), encoding="utf-8", newline="\n")


def _conversations(handshake: tuple[str, ...], envelope: str) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yield each version of the protocol with the first requests of a client that speaks it."""
    for version in handshake:
        start = {"protocolVersion": version, "capabilities": {}, "clientInfo": CLIENT}
        yield version, [{"method": "initialize", "params": start}, *({"method": method} for method in METHODS)]
    meta = {
        "io.modelcontextprotocol/protocolVersion": envelope,
        "io.modelcontextprotocol/clientInfo": CLIENT,
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    yield envelope, [{"method": method, "params": {"_meta": meta}} for method in ("server/discover", *METHODS)]


def _exchange(project: str, version: str, requests: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """Return the methods of *requests* that do not fail, each with the rest of its answer's line after the id."""
    import anyio
    import mcp_types as types
    from mcp.shared.message import SessionMessage

    from autology.tools.json_rpc_lines import encoded
    from autology.tools.project import ServedProject
    from autology.tools.server import server

    recorded: list[tuple[str, str]] = []

    async def ask() -> None:
        to_server, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](len(requests))
        outgoing, from_server = anyio.create_memory_object_stream[SessionMessage](len(requests))
        mcp_server = server(ServedProject(project))
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(mcp_server.run, incoming, outgoing, mcp_server.create_initialization_options())
            for request in requests:
                message = types.JSONRPCRequest.model_validate({"jsonrpc": "2.0", "id": 0, **request})
                await to_server.send(SessionMessage(message))
                answer = (await from_server.receive()).message
                if isinstance(answer, types.JSONRPCResponse):
                    start, line = '{"jsonrpc":"2.0","id":0', encoded(answer).decode()
                    assert line.startswith(start), line
                    recorded.append((str(request["method"]), line.removeprefix(start)))
            tasks.cancel_scope.cancel()

    anyio.run(ask)
    assert recorded, f"no answer to a client of version {version}"
    return recorded


if __name__ == "__main__":
    _main(sys.argv[1])
