"""A proxy that behaves like a bad network: it forwards, drops, delays or refuses."""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
import time


class Proxy:
    """Forwards connections to *port* as its *mode* says: ``pass``, ``swallow``, ``slow``, ``greet`` or ``refuse``.

    With ``greet``, only a client's first message gets through; with ``refuse``, a new client receives only *refusal*.
    ``slow`` delays connections whose first message contains *slow_for*; *slowly* counts the delayed messages. With a
    TLS *context*, connections of clients are encrypted.
    """

    def __init__(self, port: int, context: ssl.SSLContext | None = None) -> None:
        self._context = context
        self.mode = "pass"
        self.delay = 0.05
        self.refusal = b""
        self.slow_for = b""
        self.slowly = 0
        self._slow: set[socket.socket] = set()
        self._to = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._sockets: list[socket.socket] = []
        self.accepted = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        """Close the proxy and all its connections."""
        for one in (self._listener, *self._sockets):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
                self.accepted += 1
                server = socket.create_connection(("127.0.0.1", self._to))
            except OSError:
                return
            if self.mode == "refuse":
                self._refuse(client)
                server.close()
                continue
            try:
                client = self._encrypted(client) if self._context else client
            except OSError:
                client.close()
                server.close()
                continue
            self._sockets += [client, server]
            for one, other in ((client, server), (server, client)):
                threading.Thread(target=self._pass, args=(one, other, one is client), daemon=True).start()

    def _encrypted(self, client: socket.socket) -> socket.socket:
        """Accept the request for encryption, eight bytes, as a server does."""
        assert self._context is not None
        client.recv(8)
        client.sendall(b"S")
        return self._context.wrap_socket(client, server_side=True)

    def _refuse(self, client: socket.socket) -> None:
        """Send the refusal after the client's first message, and close the connection."""
        with contextlib.suppress(OSError):
            client.recv(65_536)
            client.sendall(self.refusal)
            client.shutdown(socket.SHUT_WR)
            client.recv(65_536)  # until the client has read it and closed
        client.close()

    def cut(self) -> None:
        """Close all open connections; new ones are accepted."""
        for one in list(self._sockets):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    def _pass(self, one: socket.socket, other: socket.socket, asks: bool) -> None:
        greeted = False
        with contextlib.suppress(OSError):
            while data := one.recv(65_536):
                if self.mode == "greet" and asks and greeted:
                    continue
                if asks and not greeted and self.slow_for in data:
                    self._slow |= {one, other}
                greeted = True
                if self.mode == "slow" and one in self._slow:
                    time.sleep(self.delay)
                    self.slowly += 1
                if self.mode != "swallow":
                    other.sendall(data)
            other.shutdown(socket.SHUT_WR)
