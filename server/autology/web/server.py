"""The page's server: on this machine alone, for as long as the terminal lives that started it."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Callable
from http.server import ThreadingHTTPServer
from typing import Any

from autology import signals
from autology.model.errors import AutologyError, StorageError
from autology.web.door import Door
from autology.web.handler import Handler
from autology.web.peer import is_ours
from autology.web.project import Project

LOOK = 0.5
"""Seconds between two looks whether the terminal is still there."""


class Server(ThreadingHTTPServer):
    """One page; ends when whoever started it is gone."""

    daemon_threads = True
    block_on_close = False
    allow_reuse_address = sys.platform != "win32"  # there it would let another program in beside us

    def __init__(self, port: int, project: Project) -> None:
        class Bound(Handler):
            """Answers for this page."""

        super().__init__(("127.0.0.1", port), Bound)
        self.door = Bound.door = Door(self.server_address[1])
        Bound.project = project
        self._parent = os.getppid()

    def verify_request(self, request: Any, client_address: Any) -> bool:  # noqa: ARG002 - the library's own
        """Whether the connection is one of this user's."""
        return is_ours(client_address, self.server_address[1])

    def service_actions(self) -> None:
        """Look whether the terminal is still there."""
        if os.getppid() != self._parent:
            threading.Thread(target=self.shutdown, daemon=True).start()

    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ARG002 - the library's own
        """Say nothing of a browser that went away; log anything else."""
        error = sys.exception()
        if isinstance(error, Exception) and not isinstance(error, ConnectionError | TimeoutError):
            from autology import log

            log.write("web", error, whole=True)


def serve(root: str, port: int, ready: Callable[[str], None]) -> None:
    """Serve the page of the project at *root* until it is ended; *ready* is told its address.

    Raises:
        StorageError: the port is taken.
    """
    try:
        project = Project(root)
        server = Server(port, project)
    except (OSError, OverflowError) as error:
        step = "Give another --port, or none: a free one is taken then."
        raise StorageError(f"port {port}", getattr(error, "strerror", None) or str(error), step) from None
    with server, contextlib.suppress(KeyboardInterrupt):
        signals.stop()
        threading.Thread(target=_drawn, args=(project,), daemon=True).start()
        ready(server.door.address)
        server.serve_forever(poll_interval=LOOK)
    project.share_on()


def _drawn(project: Project) -> None:
    """Have the picture ready while the browser starts."""
    with contextlib.suppress(AutologyError):  # the page asks again, and says what is wrong
        _ = project.whole
