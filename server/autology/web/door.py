"""Who is let in: this machine's browser, at the address that was printed, with the token that was printed."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Mapping
from dataclasses import dataclass

TOKEN_BYTES = 32
"""256 bits: nobody guesses that at any speed."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a request is not answered: the HTTP status, and what to do."""

    status: int
    reason: str


STRANGER = Refusal(403, "this page answers only at the address that `autology web` printed")
LOCKED = Refusal(401, "this page was opened by another start of `autology web`, or its address was used already")


class Door:
    """The way in to one running page at *port*: a token that opens once, and the key that it is changed for."""

    def __init__(self, port: int) -> None:
        self._hosts = (f"127.0.0.1:{port}", f"localhost:{port}")
        self._origins = tuple(f"http://{host}" for host in self._hosts)
        self._token = secrets.token_urlsafe(TOKEN_BYTES)
        self._key = secrets.token_urlsafe(TOKEN_BYTES)
        self._spent = False
        self._opening = threading.Lock()

    @property
    def address(self) -> str:
        """Where the page is, with the token; behind a `#`, so that no server, log or referrer ever gets it."""
        return f"{self._origins[0]}/#enter={self._token}"

    def enter(self, token: str) -> str | Refusal:
        """Return the key for the token, the first time; whoever comes later is refused."""
        with self._opening:
            if self._spent or not secrets.compare_digest(token.encode("utf-8", "replace"), self._token.encode()):
                return LOCKED
            self._spent = True
            return self._key

    def stranger(self, headers: Mapping[str, str], changing: bool) -> Refusal | None:
        """Refuse what was sent to another name than ours, or by another page: a web site that means to reach us.

        With *changing* it must say which page sent it, as every browser does then. *headers* are by lower-case name.
        """
        origin = headers.get("origin")
        if headers.get("host") not in self._hosts or (origin is None and changing):
            return STRANGER
        if origin is not None and origin not in self._origins:
            return STRANGER
        # A browser says so of whatever another site's page asks for.
        return STRANGER if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none") else None

    def locked(self, headers: Mapping[str, str]) -> Refusal | None:
        """Refuse whoever has no key."""
        given = headers.get("authorization", "").removeprefix("Bearer ")
        known = secrets.compare_digest(given.encode("utf-8", "replace"), self._key.encode())
        return None if known else LOCKED
