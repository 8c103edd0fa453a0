"""The page's HTTP server: local only, and only while its terminal is open."""

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
from autology.web.access import AccessControl
from autology.web.connection_owner import is_ours
from autology.web.handler import Handler
from autology.web.project import PageProject

CHECK_INTERVAL = 0.5
"""Seconds between checks that the terminal is still open."""


class Server(ThreadingHTTPServer):
    """Serves one page; stops when its parent process is gone."""

    daemon_threads = True
    block_on_close = False
    allow_reuse_address = sys.platform != "win32"  # on Windows another program could bind the same port

    def __init__(self, port: int, project: PageProject) -> None:
        class Bound(Handler):
            """The handler class of this page."""

        super().__init__(("127.0.0.1", port), Bound)
        self.access = Bound.access = AccessControl(self.server_address[1])
        Bound.project = project
        self._parent = os.getppid()

    def verify_request(self, request: Any, client_address: Any) -> bool:  # noqa: ARG002 - the library's own
        """Whether the connection belongs to this user."""
        return is_ours(client_address, self.server_address[1])

    def service_actions(self) -> None:
        """Check that the terminal is still open."""
        if os.getppid() != self._parent:
            threading.Thread(target=self.shutdown, daemon=True).start()

    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ARG002 - the library's own
        """Ignore browsers that disconnect; log anything else."""
        error = sys.exception()
        if isinstance(error, Exception) and not isinstance(error, ConnectionError | TimeoutError):
            from autology import log

            log.write("web", error, whole=True)


def serve(root: str, port: int, ready: Callable[[str], None]) -> None:
    """Serve the page of the project at *root* until interrupted; *ready* is called with its address.

    Raises:
        StorageError: the port is taken.
    """
    try:
        project = PageProject(root)
        server = Server(port, project)
    except (OSError, OverflowError) as error:
        step = "Give a different --port, or none to use a free one."
        raise StorageError(f"port {port}", getattr(error, "strerror", None) or str(error), step) from None
    with server, contextlib.suppress(KeyboardInterrupt):
        signals.stop()
        threading.Thread(target=_prepare_graph, args=(project,), daemon=True).start()
        ready(server.access.address)
        server.serve_forever(poll_interval=CHECK_INTERVAL)
    project.team.send_rest()


def _prepare_graph(project: PageProject) -> None:
    """Build the graph while the browser starts."""
    with contextlib.suppress(AutologyError):  # the page requests it again and shows the error
        whole = project.whole
        if whole.is_sparse:
            project.with_similar(whole)
