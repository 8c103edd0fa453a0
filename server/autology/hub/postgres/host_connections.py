"""The open connections to the hosts of one address: each call has a deadline, and broken connections are dropped."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from typing import TypeVar

from pg8000.exceptions import DatabaseError, InterfaceError

from autology.hub.postgres.address import Address
from autology.hub.postgres.connection import Connection, connect
from autology.hub.postgres.deadlines import WATCHDOG, TimedCall
from autology.hub.postgres.errors import connection_error, hub_error, is_unavailable
from autology.model.errors import HubLateError

CONNECT_TIMEOUT = 2.0
"""Seconds to connect to one host."""
MAX_IDLE = 4
"""Maximum number of idle connections kept open."""
IDLE = 240.0
"""Seconds of idleness after which a connection is replaced: firewalls often drop connections after that."""

T = TypeVar("T")


class HostConnections:
    """Connections with the given session *options*; threads may share it. *deadline* is named in errors."""

    def __init__(self, address: Address, options: str, deadline: float) -> None:
        self.address = address
        self._options = options
        self._deadline = deadline
        self._idle: list[Connection] = []
        self._lock = threading.Lock()
        self._local = threading.local()

    @contextlib.contextmanager
    def pinned(self) -> Iterator[None]:
        """Use one connection for all calls of this thread in the block."""
        if getattr(self._local, "pinning", False):
            yield
            return
        self._local.pinning, self._local.connection = True, None
        try:
            yield
        finally:
            connection, self._local.connection, self._local.pinning = self._local.connection, None, False
            if connection is not None:
                self._put_back(connection)

    def call(self, act: Callable[[Connection], T], until: float, fresh: bool = False) -> T:
        """Return the result of *act*, aborted at *until*; with *fresh*, on a new connection. Raises HubError."""
        connection = None
        call: TimedCall | None = None
        try:
            connection = self._take(until, fresh)
            with WATCHDOG.deadline(connection.abort, until) as call:
                result = act(connection)
            connection.last_used = time.monotonic()
        except DatabaseError as error:
            self._drop(connection)
            raise hub_error(self.address.name, error) from None
        except (InterfaceError, OSError, AttributeError, TypeError) as error:
            self._drop(connection)
            late = call is not None and call.late
            if isinstance(error, AttributeError | TypeError) and not late:
                raise  # a bug of ours; an aborted connection makes the driver raise these too
            if late or time.monotonic() >= until:
                raise HubLateError(self.address.name, self._deadline) from None
            raise connection_error(self.address.name, error) from None
        except BaseException:
            self._drop(connection)
            raise
        if getattr(self._local, "pinning", False):
            self._local.connection = connection
        else:
            self._put_back(connection)
        return result

    def close(self) -> None:
        """Close all idle connections."""
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def _take(self, until: float, fresh: bool) -> Connection:
        pinned = getattr(self._local, "connection", None)
        if pinned is not None and not fresh:
            return pinned  # type: ignore[no-any-return]
        if not fresh:
            with self._lock:
                while self._idle:
                    connection = self._idle.pop()
                    if time.monotonic() - connection.last_used < IDLE:
                        return connection
                    connection.close()
        return self._connect(until)

    def _connect(self, until: float) -> Connection:
        failure: Exception | None = None
        for host, port in self.address.hosts:
            timeout = min(CONNECT_TIMEOUT, until - time.monotonic())
            if timeout <= 0:
                break
            try:
                if (connection := connect(self.address, host, port, timeout, self._options)) is not None:
                    return connection
                failure = InterfaceError("only read-only servers answered")
            except (InterfaceError, OSError) as error:
                failure = error
            except DatabaseError as error:
                if not is_unavailable(error):
                    raise
                failure = error  # another host may be available
        raise failure or InterfaceError("no host was tried in time")

    def _put_back(self, connection: Connection) -> None:
        with self._lock:
            if len(self._idle) < MAX_IDLE:
                self._idle.append(connection)
                return
        connection.close()

    def _drop(self, connection: Connection | None) -> None:
        if connection is not None:
            if getattr(self._local, "connection", None) is connection:
                self._local.connection = None
            connection.close()
