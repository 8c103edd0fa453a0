"""Access control: only this machine's browser, at the printed address, with the printed token."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Mapping
from dataclasses import dataclass

TOKEN_BYTES = 32
"""256 bits: not guessable at any speed."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a request is refused: the HTTP status and a reason."""

    status: int
    reason: str


FOREIGN_ORIGIN = Refusal(403, "this page answers only at the address that `autology web` printed")
MISSING_KEY = Refusal(401, "this page belongs to another run of `autology web`, or its address was already used")


class AccessControl:
    """Access control for the page at *port*: a one-time token, exchanged for a session key."""

    def __init__(self, port: int) -> None:
        self._hosts = (f"127.0.0.1:{port}", f"localhost:{port}")
        self._origins = tuple(f"http://{host}" for host in self._hosts)
        self._token = secrets.token_urlsafe(TOKEN_BYTES)
        self._key = secrets.token_urlsafe(TOKEN_BYTES)
        self._token_used = False
        self._lock = threading.Lock()

    @property
    def address(self) -> str:
        """The page's address with the token after a `#`, so that no server, log or referrer sees it."""
        return f"{self._origins[0]}/#enter={self._token}"

    def enter(self, token: str) -> str | Refusal:
        """Exchange the token for the key; this works once."""
        with self._lock:
            if self._token_used or not secrets.compare_digest(token.encode("utf-8", "replace"), self._token.encode()):
                return MISSING_KEY
            self._token_used = True
            return self._key

    def check_origin(self, headers: Mapping[str, str], changing: bool) -> Refusal | None:
        """Refuse requests for another host or from another origin: DNS rebinding and CSRF.

        *changing* requests must have an Origin header, as browsers send with them. *headers* have lower-case names.
        """
        origin = headers.get("origin")
        if headers.get("host") not in self._hosts or (origin is None and changing):
            return FOREIGN_ORIGIN
        if origin is not None and origin not in self._origins:
            return FOREIGN_ORIGIN
        # Browsers set this header on requests from other sites.
        return FOREIGN_ORIGIN if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none") else None

    def check_key(self, headers: Mapping[str, str]) -> Refusal | None:
        """Refuse requests without the key."""
        key = headers.get("authorization", "").removeprefix("Bearer ")
        valid = secrets.compare_digest(key.encode("utf-8", "replace"), self._key.encode())
        return None if valid else MISSING_KEY
