"""A request to the page: who sent it, a file of the page's own, or a call with its answer, as HTTP."""

from __future__ import annotations

import json
import re
import socket
import time
from contextlib import suppress
from http.server import BaseHTTPRequestHandler
from typing import Any

from autology import __version__, log
from autology.model.errors import AutologyError, ConflictError
from autology.web.assets import assets
from autology.web.calls import answer
from autology.web.door import Door, Refusal
from autology.web.project import Project

BODY = 8_000_000
"""Bytes of a request: a node of a million characters, whatever its script, escaped."""
IDLE = 60.0
"""Seconds that a connection may say nothing."""
LINGER = 5.0
"""Seconds for the rest of a request that was refused unread; this machine's browser sends a gigabyte in one."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; "
    "trusted-types 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}
ENTER = "enter"


class Handler(BaseHTTPRequestHandler):
    """Answers one browser; *door* and *project* are the page's."""

    protocol_version = "HTTP/1.1"
    server_version = f"autology/{__version__}"
    sys_version = ""
    timeout = IDLE
    door: Door
    project: Project
    _lingers = False

    def finish(self) -> None:
        """End the connection; of a request that was refused unread, the rest is taken and dropped first.

        Closed with bytes unread, the connection would be reset, and the answer lost on its way.
        """
        super().finish()
        if self._lingers:
            until = time.monotonic() + LINGER
            with suppress(OSError):
                self.connection.shutdown(socket.SHUT_WR)
                self.connection.settimeout(LINGER)
                while self.connection.recv(65_536) and time.monotonic() < until:
                    pass

    def handle_expect_100(self) -> bool:
        """Let a client that asks first send what it has to, unless that is refused by its length alone."""
        return self._refusal_of_length() is not None or super().handle_expect_100()

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:  # noqa: ARG002
        """Refuse what the library cannot read, in the way of all refusals."""
        self.close_connection = self._lingers = True
        self._refuse(Refusal(code, (message or self.responses[code][0]).lower()))

    def do_GET(self) -> None:
        """Send a file of the page."""
        if refusal := self.door.stranger(self._headers(), changing=False):
            self._refuse(refusal)
            return
        asset = assets().get(self.path.partition("?")[0])
        if asset is None:
            self._refuse(Refusal(404, "there is nothing here; the page is at /"))
            return
        self._send(200, asset.type, asset.data)

    def do_HEAD(self) -> None:
        """Send what GET would, without the file."""
        self.do_GET()

    def do_POST(self) -> None:
        """Answer a call: `/api/name`, its arguments an object."""
        refusal = self.door.stranger(self._headers(), changing=True)
        name = _CALL.fullmatch(self.path)
        if refusal is None and name is None:
            refusal = Refusal(404, "there is no such call")
        if refusal is None and name is not None and name[1] != ENTER:
            refusal = self.door.locked(self._headers())
        given = refusal or self._given()
        if isinstance(given, Refusal):
            self._refuse(given)
        elif name is not None and name[1] == ENTER:
            self._enter(str(given.get("token", "")))
        elif name is not None:
            self._answer(name[1], given)

    def _headers(self) -> dict[str, str]:
        """Return the headers by lower-case name; one that is given twice is none that we know."""
        found: dict[str, str] = {}
        for name, value in self.headers.items():
            found[name.lower()] = f"{found[name.lower()]}, {value}" if name.lower() in found else value
        return found

    def _enter(self, token: str) -> None:
        key = self.door.enter(token)
        if isinstance(key, Refusal):
            self._refuse(key)
        else:
            self._json(200, {"key": key})

    def _answer(self, name: str, given: dict[str, Any]) -> None:
        try:
            self._json(200, answer(self.project, name, given))
        except AutologyError as error:
            self._json(409 if isinstance(error, ConflictError) else 422, _told(error))
        except Exception as error:  # noqa: BLE001 - the page must be able to say it
            log.write("web", error, whole=True)
            step = "`autology doctor --log` shows where."
            self._json(500, {"error": {"kind": "Unexpected", "message": f"{type(error).__name__}. {step}"}})

    def _given(self) -> dict[str, Any] | Refusal:
        """Return what was sent, or why it is not taken."""
        if self.headers.get("Content-Type", "").partition(";")[0].strip() != "application/json":
            return self._unread(Refusal(415, "send application/json"))
        if refusal := self._refusal_of_length():
            return self._unread(refusal)
        try:
            given = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        except (ValueError, RecursionError):
            return Refusal(400, "that is no JSON")
        return given if isinstance(given, dict) else Refusal(400, "send a JSON object")

    def _refusal_of_length(self) -> Refusal | None:
        length = self._headers().get("content-length", "")
        if not length.isascii() or not length.isdigit() or self.headers.get("Transfer-Encoding"):
            return Refusal(411, "say how long it is")
        # By its digits first: Python refuses to read a number of thousands of them.
        if len(length.lstrip("0")) > len(str(BODY)) or int(length) > BODY:
            return Refusal(413, f"that is more than {BODY:,} bytes")
        return None

    def _unread(self, refusal: Refusal) -> Refusal:
        """Refuse without reading what follows: the connection cannot go on."""
        self.close_connection = True
        return refusal

    def _refuse(self, refusal: Refusal) -> None:
        if self.command == "POST":
            self.close_connection = self._lingers = True
        self._json(refusal.status, {"error": {"kind": "Refused", "message": f"{refusal.reason}."}})

    def _json(self, status: int, told: dict[str, Any]) -> None:
        self._send(status, "application/json", json.dumps(told, ensure_ascii=False).encode("utf-8", "replace"))

    def _send(self, status: int, type: str, data: bytes) -> None:
        self.send_response(status)
        for name, value in HEADERS.items():
            self.send_header(name, value)
        self.send_header("Content-Type", type)
        self.send_header("Content-Length", str(len(data)))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's own name
        """Say nothing: the terminal is the user's."""


def _told(error: AutologyError) -> dict[str, Any]:
    # The messages name the tools; here the same things are on the page.
    return {"error": {"kind": type(error).__name__, "message": str(error)}}


_CALL = re.compile(r"/api/([a-z_]{1,40})")
