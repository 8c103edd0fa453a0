"""HTTP requests to the page: authentication, static files, and API calls."""

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
from autology.render.next_steps import error_for_terminal
from autology.web.access import AccessControl, Refusal
from autology.web.assets import assets
from autology.web.calls import answer
from autology.web.live import stream
from autology.web.project import PageProject

BODY = 8_000_000
"""Maximum bytes of a request: a node of a million characters of any script, escaped."""
IDLE = 60.0
"""Idle timeout of a connection in seconds."""
LINGER = 5.0
"""Seconds to drain a refused request; a local browser sends a gigabyte in one."""
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
LIVE = "live"


class Handler(BaseHTTPRequestHandler):
    """Handles one browser's requests; *access* and *project* are the page's."""

    protocol_version = "HTTP/1.1"
    server_version = f"autology/{__version__}"
    sys_version = ""
    timeout = IDLE
    access: AccessControl
    project: PageProject
    _lingers = False

    def finish(self) -> None:
        """Close the connection, after draining the rest of a refused request.

        Closing it with unread bytes would reset the connection and lose the reply.
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
        """Answer `Expect: 100-continue`, unless the length alone is refused."""
        return self._refusal_of_length() is not None or super().handle_expect_100()

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:  # noqa: ARG002
        """Reply to requests that the library rejects, in the usual format."""
        self.close_connection = self._lingers = True
        self._refuse(Refusal(code, (message or self.responses[code][0]).lower()))

    def do_GET(self) -> None:
        """Send a static file."""
        if refusal := self.access.check_origin(self._headers(), changing=False):
            self._refuse(refusal)
            return
        asset = assets().get(self.path.partition("?")[0])
        if asset is None:
            self._refuse(Refusal(404, "nothing found here; the page is at /"))
            return
        self._send(200, asset.type, asset.data)

    def do_HEAD(self) -> None:
        """Send the headers of GET."""
        self.do_GET()

    def do_POST(self) -> None:
        """Handle an API call: `/api/name` with a JSON object of arguments."""
        refusal = self.access.check_origin(self._headers(), changing=True)
        name = _CALL.fullmatch(self.path)
        if refusal is None and name is None:
            refusal = Refusal(404, "unknown call")
        if refusal is None and name is not None and name[1] != ENTER:
            refusal = self.access.check_key(self._headers())
        arguments = refusal or self._arguments()
        if isinstance(arguments, Refusal):
            self._refuse(arguments)
        elif name is not None and name[1] == ENTER:
            self._enter(str(arguments.get("token", "")))
        elif name is not None and name[1] == LIVE:
            self._stream(arguments.get("after"))
        elif name is not None:
            self._answer(name[1], arguments)

    def _headers(self) -> dict[str, str]:
        """Return the headers by lower-case name; repeated ones are joined, which matches nothing."""
        headers: dict[str, str] = {}
        for name, value in self.headers.items():
            headers[name.lower()] = f"{headers[name.lower()]}, {value}" if name.lower() in headers else value
        return headers

    def _enter(self, token: str) -> None:
        key = self.access.enter(token)
        if isinstance(key, Refusal):
            self._refuse(key)
        else:
            self._json(200, {"key": key})

    def _answer(self, name: str, arguments: dict[str, Any]) -> None:
        try:
            self._json(200, answer(self.project, name, arguments))
        except AutologyError as error:
            self._json(409 if isinstance(error, ConflictError) else 422, _error(error))
        except Exception as error:  # noqa: BLE001 - the page must display it
            log.write("web", error, whole=True)
            step = "`autology doctor --log` shows where."
            self._json(500, {"error": {"kind": "Unexpected", "message": f"{type(error).__name__}. {step}"}})

    def _stream(self, after: object) -> None:
        """Send the project's changes as they happen, until the browser leaves or the server stops."""
        self.close_connection = True
        self.send_response(200)
        self._send_headers("text/event-stream")
        for part in stream(self.project, after if isinstance(after, int) else None):
            self.wfile.write(part)

    def _arguments(self) -> dict[str, Any] | Refusal:
        """Return the request's JSON object, or why it is refused."""
        if self.headers.get("Content-Type", "").partition(";")[0].strip() != "application/json":
            return self._unread(Refusal(415, "send application/json"))
        if refusal := self._refusal_of_length():
            return self._unread(refusal)
        try:
            arguments = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        except (ValueError, RecursionError):
            return Refusal(400, "the body is not JSON")
        return arguments if isinstance(arguments, dict) else Refusal(400, "send a JSON object")

    def _refusal_of_length(self) -> Refusal | None:
        length = self._headers().get("content-length", "")
        if not length.isascii() or not length.isdigit() or self.headers.get("Transfer-Encoding"):
            return Refusal(411, "a Content-Length is required")
        # Compared by digits first: Python refuses to parse numbers of thousands of digits.
        if len(length.lstrip("0")) > len(str(BODY)) or int(length) > BODY:
            return Refusal(413, f"the body has more than {BODY:,} bytes")
        return None

    def _unread(self, refusal: Refusal) -> Refusal:
        """Refuse without reading the body; the connection must be closed."""
        self.close_connection = True
        return refusal

    def _refuse(self, refusal: Refusal) -> None:
        if self.command == "POST":
            self.close_connection = self._lingers = True
        self._json(refusal.status, {"error": {"kind": "Refused", "message": f"{refusal.reason}."}})

    def _json(self, status: int, reply: dict[str, Any]) -> None:
        self._send(status, "application/json", json.dumps(reply, ensure_ascii=False).encode("utf-8", "replace"))

    def _send(self, status: int, type: str, data: bytes) -> None:
        self.send_response(status)
        self._send_headers(type, len(data))
        if self.command != "HEAD":
            self.wfile.write(data)

    def _send_headers(self, type: str, length: int | None = None) -> None:
        for name, value in HEADERS.items():
            self.send_header(name, value)
        self.send_header("Content-Type", type)
        if length is not None:
            self.send_header("Content-Length", str(length))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's own name
        """Log nothing: the terminal is the user's."""


def _error(error: AutologyError) -> dict[str, Any]:
    return {"error": {"kind": type(error).__name__, "message": error_for_terminal(error)}}


_CALL = re.compile(r"/api/([a-z_]{1,40})")
