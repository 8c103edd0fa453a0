"""A connection pool with deadlines, retries, read replicas, and redirection when a space has moved."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, TypeVar

from pg8000.exceptions import DatabaseError, InterfaceError

from autology.hub.ports import ReplicaPositions
from autology.hub.postgres.address import Address
from autology.hub.postgres.connection import Connection, connect
from autology.hub.postgres.deadlines import WATCHDOG, Call
from autology.hub.postgres.errors import connection_error, hub_error, is_unavailable
from autology.model.errors import AutologyError, HubAwayError, HubError, HubLateError, HubMovedError

CONNECT = 2.0
"""Seconds to connect to one host."""
DEADLINE = 5.0
"""Seconds for a whole call: a network that drops packets would block it for over a minute."""
POOL_SIZE = 4
"""Idle connections that are kept."""
IDLE = 240.0
"""Seconds of idleness after which a connection is replaced: firewalls often forget those that are silent longer."""
OPTIONS = "-c jit=off -c plan_cache_mode=force_custom_plan -c hnsw.iterative_scan=relaxed_order -c hnsw.ef_search=100"
REPLICA_PAUSE = 30.0
"""Seconds for which a replica that did not answer is not asked again."""
REDIRECTS = 3
"""Times that a call follows a space to another server."""
BEHIND = object()
"""The result of a replica that does not yet contain our own writes."""
UNKNOWN = float("inf")

T = TypeVar("T")


class ProcessReplicaPositions:
    """The :class:`~autology.hub.ports.ReplicaPositions` of this process alone."""

    def __init__(self) -> None:
        self._positions: dict[str, float] = {}
        self._lock = threading.Lock()

    def last(self, place: str) -> float:
        """Return the position for the server at *place*."""
        return self._positions.get(place, 0.0)

    def note(self, place: str, before: float, now: float) -> None:
        """Record position *now*."""
        with self._lock:
            known = self.last(place)
            self._positions[place] = now if known == before else max(known, now)


POSITIONS = ProcessReplicaPositions()


class ConnectionPool:
    """Connections to one server with the given session *options*; threads may share it.

    Reads go to a replica, if the address has any and *use_replicas* is set, once it contains our own writes, whose
    log positions are in *positions*. *find_server* returns the address of a server that a space has moved to.
    """

    def __init__(
        self,
        address: Address,
        options: str = "",
        deadline: float | None = None,
        find_server: Callable[[str], Address | None] = lambda _: None,
        positions: ReplicaPositions = POSITIONS,
        use_replicas: bool = True,
    ) -> None:
        self.address = address
        self.deadline = DEADLINE if deadline is None else deadline
        self._options = f"{OPTIONS} {options}".strip()
        self._find_server = find_server
        self._positions = positions
        self._use_replicas = use_replicas
        self._idle: list[Connection] = []
        self._replicas: ConnectionPool | None = None
        self._replicas_paused_until = 0.0
        self._lock = threading.Lock()
        self._local = threading.local()

    @contextlib.contextmanager
    def pinned(self) -> Iterator[None]:
        """Use one connection for all calls of this thread in the block."""
        if getattr(self._local, "pinning", False):
            yield
            return
        self._local.pinning, self._local.connection = True, None
        replicas = self._available_replicas()
        try:
            with replicas.pinned() if replicas is not None else contextlib.nullcontext():
                yield
        finally:
            connection, self._local.connection, self._local.pinning = self._local.connection, None, False
            if connection is not None:
                self._put_back(connection)

    def read(self, query: Callable[[Connection], T], deadline: float | None = None) -> T:
        """Return the result of *query*, from a replica if possible; retried once if the connection was dead.

        Raises:
            HubError: the server cannot be reached, does not answer in time, or refuses.
        """
        until = time.monotonic() + (deadline or self.deadline)
        if (result := self._read_from_replica(query, until)) is not BEHIND:
            return result  # type: ignore[return-value]

        def query_primary(connection: Connection) -> T:
            if self._last_position() == UNKNOWN:
                self._note_position(connection, UNKNOWN)
            return query(connection)

        return self._redirected(lambda: self._read(query_primary, until))

    def write(self, act: Callable[[Connection], T], deadline: float | None = None) -> T:
        """Return the result of *act*, run as one transaction.

        Raises:
            HubError: as `read` does. After a HubAwayError the transaction may have been committed: repeat it with the
                same operation id.
        """
        until = time.monotonic() + (deadline or self.deadline)
        return self._redirected(lambda: self._write(act, until))

    def query(self, sql: str, *values: object) -> list[list[Any]]:
        """Return the rows of one statement that only reads. Raises HubError."""
        return self.read(lambda connection: connection.run(sql, *values))

    def execute(self, sql: str, *values: object, deadline: float | None = None) -> list[list[Any]]:
        """Return the rows of one statement, run as a transaction. Raises HubError."""
        return self.write(lambda connection: connection.run(sql, *values), deadline)

    def close(self) -> None:
        """Close all idle connections."""
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()
        if self._replicas is not None:
            self._replicas.close()

    # ---- calls --------------------------------------------------------------------------------------

    def _read(self, query: Callable[[Connection], T], until: float) -> T:
        try:
            return self._call(query, until, fresh=False)
        except HubAwayError:
            if time.monotonic() >= until:
                raise
            return self._call(query, until, fresh=True)

    def _write(self, act: Callable[[Connection], T], until: float) -> T:
        begun = False

        def transaction(connection: Connection) -> T:
            nonlocal begun
            connection.run("BEGIN")
            begun = True
            before = self._last_position()
            result = act(connection)
            connection.run("COMMIT")
            self._note_position(connection, before)
            return result

        try:
            return self._call(transaction, until, fresh=False)
        except HubAwayError:
            if begun or time.monotonic() >= until:
                raise
            return self._call(transaction, until, fresh=True)  # the connection was dead, so nothing was executed

    def _redirected(self, call: Callable[[], T]) -> T:
        """Return the result of *call*, on the server that hosts the space now."""
        for _ in range(REDIRECTS):
            try:
                return call()
            except HubMovedError as moved:
                address = self._find_server(moved.to)
                if address is None or address == self.address:
                    raise
                self.close()
                self.address, self._replicas = address, None
        return call()

    def _call(self, act: Callable[[Connection], T], until: float, fresh: bool) -> T:
        connection = None
        call: Call | None = None
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
                raise HubLateError(self.address.name, self.deadline) from None
            raise connection_error(self.address.name, error) from None
        except BaseException:
            self._drop(connection)
            raise
        if getattr(self._local, "pinning", False):
            self._local.connection = connection
        else:
            self._put_back(connection)
        return result

    # ---- connections --------------------------------------------------------------------------------

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
            left = min(CONNECT, until - time.monotonic())
            if left <= 0:
                break
            try:
                if (connection := connect(self.address, host, port, left, self._options)) is not None:
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
            if len(self._idle) < POOL_SIZE:
                self._idle.append(connection)
                return
        connection.close()

    def _drop(self, connection: Connection | None) -> None:
        if connection is not None:
            if getattr(self._local, "connection", None) is connection:
                self._local.connection = None
            connection.close()

    # ---- replicas -----------------------------------------------------------------------------------

    def _available_replicas(self) -> ConnectionPool | None:
        """Return the pool of replicas; None if there are none, or if none answered a moment ago."""
        if not self.address.replicas or not self._use_replicas or time.monotonic() < self._replicas_paused_until:
            return None
        if self._replicas is None:
            address = replace(self.address, hosts=self.address.replicas, replicas=(), writable=False)
            self._replicas = ConnectionPool(address, self._options.removeprefix(OPTIONS), self.deadline)
        return self._replicas

    def _read_from_replica(self, query: Callable[[Connection], T], until: float) -> object:
        """Return the result of a replica; BEHIND if the primary has to be asked."""
        replicas = self._available_replicas()
        if replicas is None or (written := self._last_position()) == UNKNOWN:
            return BEHIND

        def query_if_current(connection: Connection) -> object:
            if connection.replayed < written:
                rows = connection.run("SELECT coalesce(pg_last_wal_replay_lsn() - '0/0'::pg_lsn, 0)::float8")
                connection.replayed = float(rows[0][0])
            return query(connection) if connection.replayed >= written else BEHIND

        now = time.monotonic()
        try:
            return replicas._call(query_if_current, now + (until - now) / 3, fresh=False)
        except HubAwayError:
            self._replicas_paused_until = time.monotonic() + REPLICA_PAUSE
        except HubError:  # the primary may have what the replica lacks, for example a role granted just now
            pass
        return BEHIND

    def _last_position(self) -> float:
        """Return the log position of our last write; 0 if no replica is ever asked."""
        return self._positions.last(self.address.name) if self.address.replicas else 0.0

    def _note_position(self, connection: Connection, before: float) -> None:
        """Record the present log position. The write is already committed, so that a failure here must not raise."""
        if not self.address.replicas:
            return
        now = UNKNOWN
        try:
            rows = connection.run("SELECT (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::float8")
            now = float(rows[0][0])
        except Exception:  # noqa: BLE001, S110 - unknown: replicas are not asked until the primary has told
            pass
        try:
            self._positions.note(self.address.name, before, now)
        except AutologyError:  # other processes will not know; this one does
            self._positions = ProcessReplicaPositions()
            self._positions.note(self.address.name, 0.0, now)
