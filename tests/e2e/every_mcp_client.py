"""The other MCP clients, as npm has them: connected, a tool called, its session recalled, disconnected without a trace.

    npm install --prefix DIR @openai/codex @google/gemini-cli opencode-ai
    AUTOLOGY_CLIENTS=DIR python -m pytest tests/e2e/every_mcp_client.py

The model is a stand-in on the loopback interface, which calls autology_status once and then says one sentence.
"""

from __future__ import annotations

import json
import os
import subprocess
import threading
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest

from tests.e2e.driving import ROOT
from tests.plugin.executable_standin import base_python

CLIENTS = Path(os.environ.get("AUTOLOGY_CLIENTS") or ROOT / ".build" / "clients") / "node_modules"
PROGRAMS = {
    "codex": (".bin/codex",),
    "gemini": (".bin/gemini",),
    "opencode": ("opencode-linux-x64-baseline/bin/opencode", "opencode-linux-x64/bin/opencode", ".bin/opencode"),
}
LABELS = {"codex": "Codex", "gemini": "Gemini CLI", "opencode": "OpenCode"}
ARCHIVE = ROOT / "dist" / "autology.pyz"
TOOL, QUESTION, ANSWER = "autology_status", "where do we keep the ledger?", "We decided to keep it in SQLite."
STARTED, RECALLED = "This project keeps its knowledge in Autology", "past discussion of ledger"
"""What the hooks say at the start of a session, and of a prompt that asks about the past."""
WITH_HOOKS = ("codex", "gemini")
SKILL = "Use when the user asks why or how the project does something"
LASTS = 180


class Model(BaseHTTPRequestHandler):
    """The stand-in for the three services: it calls the tool unless the request has its result."""

    results: ClassVar[list[str]] = []
    bodies: ClassVar[list[str]] = []

    def do_POST(self) -> None:
        """Answer a request to the model."""
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or b"{}")
        self.bodies.append(json.dumps(body))
        answer = self._responses(body) if "/responses" in self.path else self._other(body)
        data = answer.encode()
        self.send_response(200)
        is_stream = "data: " in answer
        self.send_header("Content-Type", "text/event-stream" if is_stream else "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self) -> None:
        """Answer as to any request."""
        self.do_POST()

    def log_message(self, *args: object) -> None:
        """Say nothing."""

    def _other(self, body: dict[str, Any]) -> str:
        return self._completions(body) if "messages" in body else self._gemini(body)

    def _responses(self, body: dict[str, Any]) -> str:
        outputs = [item["output"] for item in body["input"] if item["type"] == "function_call_output"]
        self.results += map(str, outputs)
        names = [
            {"name": inner["name"], "namespace": outer["name"]}
            for outer in body["tools"]
            for inner in outer.get("tools", ())
            if TOOL in inner.get("name", "")
        ]
        item: dict[str, Any] = {"type": "message", "role": "assistant", "id": "m1"}
        item["content"] = [{"type": "output_text", "text": ANSWER}]
        if names and not outputs:
            item = {"type": "function_call", "id": "f1", "call_id": "c1", "arguments": "{}", **names[0]}
        usage = {"input_tokens": 1, "input_tokens_details": None, "output_tokens": 1, "total_tokens": 2}
        events = (
            {"type": "response.created", "response": {"id": "r1"}},
            {"type": "response.output_item.done", "item": item},
            {"type": "response.completed", "response": {"id": "r1", "usage": {**usage, "output_tokens_details": None}}},
        )
        return "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)

    def _gemini(self, body: dict[str, Any]) -> str:
        parts = [part for content in body.get("contents", ()) for part in content["parts"]]
        outputs = [part["functionResponse"]["response"] for part in parts if "functionResponse" in part]
        self.results += map(json.dumps, outputs)
        declared = [name for tools in body.get("tools", ()) for name in tools.get("functionDeclarations", ())]
        names = [declaration["name"] for declaration in declared if TOOL in declaration["name"]]
        part: dict[str, Any] = {"text": ANSWER}
        if names and not outputs:
            part = {"functionCall": {"name": names[0], "args": {}}}
        usage = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
        candidate = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
        answer = json.dumps({"candidates": [candidate], "usageMetadata": usage})
        return f"data: {answer}\n\n" if "alt=sse" in self.path else answer

    def _completions(self, body: dict[str, Any]) -> str:
        outputs = [message["content"] for message in body["messages"] if message["role"] == "tool"]
        self.results += map(str, outputs)
        names = [tool["function"]["name"] for tool in body.get("tools", ()) if TOOL in tool["function"]["name"]]
        delta: dict[str, Any] = {"role": "assistant", "content": ANSWER}
        reason = "stop"
        if names and not outputs:
            call = {"index": 0, "id": "c1", "type": "function", "function": {"name": names[0], "arguments": "{}"}}
            delta, reason = {"role": "assistant", "tool_calls": [call]}, "tool_calls"
        fixed = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "m1"}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        chunks = (
            {**fixed, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]},
            {**fixed, "choices": [{"index": 0, "delta": {}, "finish_reason": reason}], "usage": usage},
        )
        return "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks) + "data: [DONE]\n\n"


@pytest.fixture
def model() -> Iterator[str]:
    """The address of the stand-in."""
    Model.results.clear()
    Model.bodies.clear()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("client", sorted(PROGRAMS))
def test_a_client_calls_a_tool_and_its_session_is_recalled(home: Path, tmp_path: Path, model: str, client: str) -> None:
    program = next((CLIENTS / name for name in PROGRAMS[client] if (CLIENTS / name).exists()), None)
    assert program is not None, f"no {client} below {CLIENTS}: see the head of this file"
    project = tmp_path / "project"
    project.mkdir()
    subprocess.run(["git", "init", "-q"], cwd=project, check=True)
    environment = {**os.environ, **_settings(home, project, model, client)}
    _autology(project, environment, "init", "--yes")
    before = _configuration(home)
    _autology(project, environment, "connect", client, "--yes")
    assert _configuration(home) != before
    done = _run([str(program), *_arguments(client)], project, environment)
    assert ANSWER in done, done
    assert any("totalNodes" in result for result in Model.results), Model.results
    assert any(STARTED in body for body in Model.bodies) == (client in WITH_HOOKS)
    assert any(SKILL in body for body in Model.bodies)
    recalled = json.loads(_autology(project, environment, "recall", "where is the ledger", "--json"))["results"]
    assert {result["context"]["agent"] for result in recalled} == {LABELS[client]}
    assert {result["context"]["project_path"] for result in recalled} == {str(project)}
    assert all("totalNodes" not in result["content"] for result in recalled)
    assert all(STARTED not in result["content"] for result in recalled)
    if client in WITH_HOOKS:
        Model.bodies.clear()
        _run([str(program), *_arguments(client, "what did we decide about the ledger?")], project, environment)
        asked = [body for body in Model.bodies if RECALLED in body]
        assert asked, Model.bodies
        assert all("/autology:" not in body for body in asked)
        again = _autology(project, environment, "recall", "what did we decide about the ledger", "--json")
        assert RECALLED not in again
    _autology(project, environment, "disconnect", client, "--yes")
    after = {
        path: text.replace('{\n  "$schema": "https://opencode.ai/config.json"\n}', "")
        for path, text in _configuration(home).items()
    }
    assert {path: text for path, text in after.items() if text.strip()} == before


def _arguments(client: str, question: str = QUESTION) -> tuple[str, ...]:
    unasked = ("--dangerously-bypass-approvals-and-sandbox", "--dangerously-bypass-hook-trust")
    return {
        "codex": ("exec", "--skip-git-repo-check", *unasked, question),
        "gemini": ("--skip-trust", "-m", "gemini-2.5-flash", "--yolo", "-p", question),
        "opencode": ("run", question),
    }[client]


def _settings(home: Path, project: Path, model: str, client: str) -> dict[str, str]:
    """Write each client's settings for the stand-in; return its environment."""
    (home / ".codex").mkdir()
    (home / ".codex" / "config.toml").write_text(
        f'# mine\nmodel = "m1"\nmodel_provider = "loop"\n\n[model_providers.loop]\nname = "loop"\n'
        f'base_url = "{model}/v1"\nwire_api = "responses"\n',
        encoding="utf-8",
    )
    (home / ".gemini").mkdir()
    private = '"privacy": {"usageStatisticsEnabled": false}'
    (home / ".gemini" / "settings.json").write_text(
        f'{{\n  // mine\n  "security": {{"auth": {{"selectedType": "gemini-api-key"}}}},\n  {private}\n}}\n',
        encoding="utf-8",
    )
    options = {"baseURL": f"{model}/v1", "apiKey": "x"}
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "name": "loop",
        "options": options,
        "models": {"m1": {"name": "m1"}},
    }
    (project / "opencode.json").write_text(
        json.dumps({"model": "loop/m1", "provider": {"loop": provider}, "autoupdate": False, "share": "disabled"}),
        encoding="utf-8",
    )
    return {
        "CODEX_HOME": str(home / ".codex"),
        **({"GEMINI_API_KEY": "x", "GOOGLE_GEMINI_BASE_URL": model} if client == "gemini" else {}),
        "PWD": str(project),  # OpenCode goes by it
        "OPENCODE_DISABLE_MODELS_FETCH": "1",
        "XDG_CONFIG_HOME": str(home / ".config"),
        "XDG_STATE_HOME": str(home / ".state"),
    }


def _configuration(home: Path) -> dict[str, str]:
    """Return the configuration files of all clients, by path."""
    names = (".codex/config.toml", ".codex/hooks.json", ".gemini/settings.json", ".config/opencode/opencode.json")
    paths = [home / name for name in names]
    return {str(path): path.read_text(encoding="utf-8") for path in paths if path.exists()}


def _autology(project: Path, environment: Mapping[str, str], *arguments: str) -> str:
    return _run([base_python(), "-I", "-S", str(ARCHIVE), *arguments], project, environment)


def _run(command: list[str], folder: Path, environment: Mapping[str, str]) -> str:
    done = subprocess.run(
        command,
        cwd=folder,
        env=dict(environment),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=LASTS,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
