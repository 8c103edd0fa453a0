"""Answers to the requests of a new connection, as the SDK would give them, while the SDK is still being loaded."""

from __future__ import annotations

import json

from autology.startup import message_checks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from autology.startup.recorded_answers import RecordedAnswers

REPLAYED = "autology-replayed-"
"""Beginning of the ids of requests that were answered and are handled by the SDK once more, for its state."""
WAITING = frozenset(
    {
        "completion/complete",
        "resources/read",
        "resources/subscribe",
        "resources/unsubscribe",
        "subscriptions/listen",
        "tools/call",
    }
)
"""Requests whose answer may take long: those that follow are answered before them."""


def is_replayed(id: object) -> bool:
    """Whether *id* is that of a request that was answered already."""
    return isinstance(id, str) and id.startswith(REPLAYED)


class EarlyAnswers:
    """Decides for each line of a new connection whether its answer is known.

    The first line that is not beyond doubt ends it: from there on, all lines are left to the SDK.
    """

    def __init__(self, recorded: RecordedAnswers) -> None:
        self.tools_listed = False
        self.cancelled: bytes | None = None  # the line of the request that the last line cancelled
        self._recorded = recorded
        self._version: str | None = None
        self._is_decided = False  # whether a request decided the era of the protocol
        self._replays = 0
        self._waiting: dict[object, bytes] = {}
        self._ended = False

    @property
    def waiting(self) -> bool:
        """Whether a request was left to the SDK."""
        return self._ended or bool(self._waiting)

    def reply(self, line: bytes) -> tuple[bytes | None, bytes | None]:
        """Return the answer to *line*, or None, and the line to be handled by the SDK instead, or None."""
        self.cancelled = None
        if not line.strip():
            return None, line
        message = None if self._ended else message_checks.message(line)
        if message is None:
            return self._end(line)
        if "id" not in message:
            return self._notification(message, line)
        params, method = message.get("params", {}), message["method"]
        if is_replayed(message["id"]):
            return self._end(line)
        if method == "initialize":
            return self._initialize(message, params, line)
        if not self._is_expected(method, params):
            return self._end(line)
        if method in WAITING and self._version is not None and self._is_decided and message["id"] not in self._waiting:
            self._waiting[message["id"]] = line
            return None, line
        return self._answer(message, line)

    def _initialize(self, message: dict[str, Any], params: dict[str, Any], line: bytes) -> tuple[bytes | None, bytes]:
        if self._version is not None or not message_checks.is_handshake(params):
            return self._end(line)
        self._version = self._recorded.negotiated(params["protocolVersion"])
        self._is_decided = False  # The SDK needs to handle the handshake even if a ping came before.
        answer, replay = self._answer(message, line)
        return answer, replay or line

    def _answer(self, message: dict[str, Any], line: bytes) -> tuple[bytes | None, bytes | None]:
        method = message["method"]
        version = self._version or self._recorded.negotiated("")
        text = self._recorded.answer(version, method)
        if text is None or (method in WAITING):
            return self._end(line)
        self.tools_listed |= method == "tools/list"
        answer = f'{{"jsonrpc":"2.0","id":{json.dumps(message["id"], ensure_ascii=False)}{text}\n'.encode()
        if self._is_decided:
            return answer, None
        self._is_decided = True
        self._replays += 1
        replay = {**message, "id": f"{REPLAYED}{self._replays}"}
        return answer, json.dumps(replay).encode() + b"\n"

    def _is_expected(self, method: str, params: dict[str, Any]) -> bool:
        """Whether a request with *params* fits the era of the connection; a first request decides it."""
        waits = method in WAITING
        if message_checks.has_envelope(params):
            if not self._is_decided and self._version is None:
                self._version = self._recorded.envelope
            envelope = {"_meta": params["_meta"]} if waits else params
            return self._version == self._recorded.envelope and message_checks.is_enveloped(envelope, self._version)
        if self._version == self._recorded.envelope:
            return False
        if self._version is None:  # before the handshake only a ping is answered
            return method == "ping" and message_checks.is_bare(params)
        return waits or message_checks.is_bare(params)

    def _notification(self, message: dict[str, Any], line: bytes) -> tuple[None, bytes]:
        if not self._is_decided:
            return self._end(line)
        if message["method"] == "notifications/cancelled":
            id = message.get("params", {}).get("requestId")
            if message_checks.is_plain_id(id):
                self.cancelled = self._waiting.pop(id, None)
        return None, line

    def _end(self, line: bytes) -> tuple[None, bytes]:
        self._ended = True
        return None, line
