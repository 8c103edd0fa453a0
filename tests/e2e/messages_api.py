"""A scripted stand-in for the model's API, so that the real client runs offline: rules in, recorded requests out.

A rule is a mapping:

* ``name``: what a request that it answered is labelled with.
* ``when``: conditions that must all hold: ``last_text`` (in what follows the model's last turn), ``any_text`` (in any
  message), ``subagent`` (whether a sub-agent asks), ``fn`` (a predicate on the request). Left out: always.
* ``reply``: a list of blocks, or a function from the request to one. A block is ``{"text": …}``,
  ``{"thinking": …}`` or ``{"tool": name, "input": {…}, "id": …}``.
* ``times``: how often it may answer: once if left out, 0 for always.
* ``usage``: token counts that are reported, to have the client compact the conversation.

The first rule that applies answers; where none does, the answer is ``default``. It listens on 127.0.0.1 alone,
forwards nothing and keeps no header that authorises.
"""

from __future__ import annotations

import http.server
import itertools
import json
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]
Rule = Mapping[str, Any]

MESSAGES = "/v1/messages"
SECRET_HEADERS = frozenset(("x-api-key", "authorization", "proxy-authorization", "cookie"))
USAGE = {"input_tokens": 100, "output_tokens": 20, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}


@dataclass
class Request:
    """A request of the client; *number* counts those to the model from 1, and is 0 for any other."""

    number: int
    time: float
    method: str
    path: str
    headers: Mapping[str, str]
    body: Json
    rule: str = ""
    """The name of the rule that answered."""
    reply: list[Json] = field(default_factory=list)

    @property
    def messages(self) -> list[Json]:
        return self.body.get("messages") or []

    @property
    def system(self) -> str:
        """The system prompt."""
        return _text(self.body.get("system"))

    @property
    def tools(self) -> list[str]:
        return [tool.get("name", "") for tool in self.body.get("tools") or []]

    @property
    def last_text(self) -> str:
        """What follows the model's last turn, tool results and the client's own notes included."""
        own = itertools.takewhile(lambda message: message.get("role") != "assistant", reversed(self.messages))
        return "\n".join(reversed([_text(message.get("content")) for message in own]))

    @property
    def any_text(self) -> str:
        return "\n".join(_text(message.get("content")) for message in self.messages)

    @property
    def subagent(self) -> bool:
        return any(name.lower() == "x-claude-code-agent-id" for name in self.headers)

    def tool_results(self) -> dict[str, str]:
        """Return the text of each tool result, by the id of its call."""
        blocks = (block for message in self.messages for block in _blocks(message.get("content")))
        return {block["tool_use_id"]: _text([block]) for block in blocks if block.get("type") == "tool_result"}


class MessagesApi:
    """The API; *rules* and *default* as the module says."""

    def __init__(self, rules: Sequence[Rule] = (), *, default: str = "MOCK-DEFAULT") -> None:
        self.rules = list(rules)
        self.default = default
        self.requests: list[Request] = []
        self._uses: dict[int, int] = {}
        self._numbers = itertools.count(1)
        self._lock = threading.Lock()
        self._server: http.server.ThreadingHTTPServer | None = None

    def start(self) -> str:
        """Start to answer; return the address."""
        handler = type("Handler", (_Handler,), {"api": self})
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def stop(self) -> None:
        if self._server:
            self._server.shutdown()
            self._server.server_close()
            self._server = None

    def model_requests(self) -> list[Request]:
        return [request for request in self.requests if request.number]

    def used_rules(self) -> list[str]:
        """Return the names of the rules that answered, in order."""
        return [request.rule for request in self.model_requests()]

    def record(self, method: str, path: str, headers: Mapping[str, str], body: Json) -> Request:
        """Keep a request; return it."""
        kept = {name: value for name, value in headers.items() if name.lower() not in SECRET_HEADERS}
        with self._lock:
            number = next(self._numbers) if method == "POST" and path.partition("?")[0] == MESSAGES else 0
            request = Request(number, time.time(), method, path, kept, body)
            self.requests.append(request)
        return request

    def answer(self, request: Request) -> Json:
        """Return the model's message in answer to *request*."""
        with self._lock:
            rule = self._rule(request)
            reply = rule.get("reply", [])
            request.rule = rule["name"]
            request.reply = list(reply(request) if callable(reply) else reply)
        content = [_content(block, f"toolu_mock_{request.number:04d}_{n}") for n, block in enumerate(request.reply)]
        return {
            "id": f"msg_mock_{request.number:04d}",
            "type": "message",
            "role": "assistant",
            "model": request.body.get("model", "mock"),
            "content": content,
            "stop_reason": "tool_use" if any(block["type"] == "tool_use" for block in content) else "end_turn",
            "stop_sequence": None,
            "usage": {**USAGE, **rule.get("usage", {})},
        }

    def _rule(self, request: Request) -> Rule:
        for number, rule in enumerate(self.rules):
            times = rule.get("times", 1)
            if times and self._uses.get(number, 0) >= times:
                continue
            if _applies(rule.get("when") or {}, request):
                self._uses[number] = self._uses.get(number, 0) + 1
                return {"name": f"rule {number}", **rule}
        return {"name": "(default)", "reply": [{"text": self.default}]}


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    api: MessagesApi

    def log_message(self, *values: object) -> None:
        """Print nothing."""

    def do_HEAD(self) -> None:
        self.api.record("HEAD", self.path, self.headers, {})
        self._send({})

    def do_GET(self) -> None:
        self.api.record("GET", self.path, self.headers, {})
        self._refuse()

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
        request = self.api.record("POST", self.path, self.headers, body)
        if request.number:
            message = self.api.answer(request)
            if body.get("stream"):
                self._stream(message)
            else:
                self._send(message)
        elif self.path.partition("?")[0] == f"{MESSAGES}/count_tokens":
            self._send({"input_tokens": max(1, len(json.dumps(body)) // 4)})
        else:
            self._refuse()

    def _refuse(self) -> None:
        self._send({"type": "error", "error": {"type": "not_found_error", "message": "no such path"}}, 404)

    def _send(self, data: Json, status: int = 200) -> None:
        encoded = json.dumps(data).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(encoded)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(encoded)

    def _stream(self, message: Json) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        self.close_connection = True
        try:
            for event in _events(message):
                self.wfile.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())
                self.wfile.flush()
        except (BrokenPipeError, ConnectionResetError):
            pass  # The client was ended.


def _events(message: Json) -> list[Json]:
    """Return the server-sent events of *message*, each block in one piece."""
    events: list[Json] = [{"type": "message_start", "message": {**message, "content": [], "stop_reason": None}}]
    for index, block in enumerate(message["content"]):
        if block["type"] == "text":
            start, delta = {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}
        elif block["type"] == "thinking":
            start = {**block, "thinking": "", "signature": ""}
            delta = {"type": "thinking_delta", "thinking": block["thinking"]}
        else:
            start = {**block, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        events.append({"type": "content_block_start", "index": index, "content_block": start})
        events.append({"type": "content_block_delta", "index": index, "delta": delta})
        if block["type"] == "thinking":
            signed = {"type": "signature_delta", "signature": block["signature"]}
            events.append({"type": "content_block_delta", "index": index, "delta": signed})
        events.append({"type": "content_block_stop", "index": index})
    end = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    usage = {"output_tokens": message["usage"]["output_tokens"]}
    return [*events, {"type": "message_delta", "delta": end, "usage": usage}, {"type": "message_stop"}]


def _content(block: Json, id: str) -> Json:
    if "tool" in block:
        return {"type": "tool_use", "id": block.get("id") or id, "name": block["tool"], "input": block.get("input", {})}
    if "thinking" in block:
        return {"type": "thinking", "thinking": block["thinking"], "signature": "mock"}
    return {"type": "text", "text": block["text"]}


def _applies(when: Rule, request: Request) -> bool:
    checks = {
        "last_text": lambda wanted: wanted in request.last_text,
        "any_text": lambda wanted: wanted in request.any_text,
        "subagent": lambda wanted: request.subagent == wanted,
        "fn": lambda predicate: predicate(request),
    }
    return all(checks[name](wanted) for name, wanted in when.items())


def _blocks(content: Any) -> list[Json]:
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def _text(content: Any) -> str:
    """Return the text of a message's content, tool results included."""
    if not isinstance(content, list):
        return content or ""
    parts = []
    for block in content:
        if isinstance(block, str):
            parts.append(block)
        elif block.get("type") == "text":
            parts.append(block.get("text", ""))
        elif block.get("type") == "tool_result":
            parts.append(_text(block.get("content")))
        else:
            parts.append("")
    return "\n".join(parts)
