"""A connection pool with retries, read replicas, and redirection when a space has moved."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, TypeVar

from autology.hub.postgres.address import Address
from autology.hub.postgres.connection import Connection
from autology.hub.postgres.host_connections import HostConnections
from autology.hub.postgres.replica_positions import ReplicaPositions
from autology.model.errors import AutologyError, HubAwayError, HubError, HubMovedError

DEADLINE = 5.0
"""Seconds for a whole call: a network that drops packets would block it for over a minute."""
OPTIONS = "-c jit=off -c plan_cache_mode=force_custom_plan -c hnsw.iterative_scan=relaxed_order -c hnsw.ef_search=100"
REPLICA_PAUSE = 30.0
"""Seconds for which a replica that did not answer is not queried again."""
REDIRECTS = 3
"""Maximum number of times that a call follows a space to another server."""
BEHIND = object()
"""The result of a replica that does not yet contain our own writes."""
UNKNOWN = float("inf")
POSITIONS = ReplicaPositions()

T = TypeVar("T")


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
        self.deadline = DEADLINE if deadline is None else deadline
        self._options = f"{OPTIONS} {options}".strip()
        self._primary = HostConnections(address, self._options, self.deadline)
        self._replicas: HostConnections | None = None
        self._find_server = find_server
        self._positions = positions
        self._use_replicas = use_replicas
        self._replicas_paused_until = 0.0

    @property
    def address(self) -> Address:
        """The server that hosts the space, as far as is known."""
        return self._primary.address

    @contextlib.contextmanager
    def pinned(self) -> Iterator[None]:
        """Use one connection for all calls of this thread in the block."""
        replicas = self._available_replicas()
        with self._primary.pinned(), replicas.pinned() if replicas is not None else contextlib.nullcontext():
            yield

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

        return self._redirected(lambda: self._retried(query_primary, until, lambda: True))

    def write(self, act: Callable[[Connection], T], deadline: float | None = None) -> T:
        """Return the result of *act*, run as one transaction.

        Raises:
            HubError: as `read` does. After a HubAwayError the transaction may have been committed: repeat it with the
                same operation id.
        """
        until = time.monotonic() + (deadline or self.deadline)

        def attempt() -> T:
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

            return self._retried(transaction, until, lambda: not begun)

        return self._redirected(attempt)

    def query(self, sql: str, *values: object) -> list[list[Any]]:
        """Return the rows of one statement that only reads. Raises HubError."""
        return self.read(lambda connection: connection.run(sql, *values))

    def execute(self, sql: str, *values: object, deadline: float | None = None) -> list[list[Any]]:
        """Return the rows of one statement, run as a transaction. Raises HubError."""
        return self.write(lambda connection: connection.run(sql, *values), deadline)

    def close(self) -> None:
        """Close all idle connections."""
        self._primary.close()
        if self._replicas is not None:
            self._replicas.close()

    def _redirected(self, attempt: Callable[[], T]) -> T:
        """Return the result of *attempt*, on the server that hosts the space now."""
        for _ in range(REDIRECTS):
            try:
                return attempt()
            except HubMovedError as moved:
                address = self._find_server(moved.to)
                if address is None or address == self.address:
                    raise
                self.close()
                self._primary.address, self._replicas = address, None
        return attempt()

    def _retried(self, act: Callable[[Connection], T], until: float, may_repeat: Callable[[], bool]) -> T:
        try:
            return self._primary.call(act, until)
        except HubAwayError:  # perhaps the connection was dead, so that nothing was executed
            if not may_repeat() or time.monotonic() >= until:
                raise
            return self._primary.call(act, until, fresh=True)

    # ---- replicas -----------------------------------------------------------------------------------

    def _available_replicas(self) -> HostConnections | None:
        """Return the connections to replicas; None without replicas, or shortly after they did not answer."""
        if not self.address.replicas or not self._use_replicas or time.monotonic() < self._replicas_paused_until:
            return None
        if self._replicas is None:
            address = replace(self.address, hosts=self.address.replicas, replicas=(), writable=False)
            self._replicas = HostConnections(address, self._options, self.deadline)
        return self._replicas

    def _read_from_replica(self, query: Callable[[Connection], T], until: float) -> object:
        """Return the result of a replica; BEHIND if the primary has to be queried."""
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
            return replicas.call(query_if_current, now + (until - now) / 3)
        except HubAwayError:
            self._replicas_paused_until = time.monotonic() + REPLICA_PAUSE
        except HubError:  # the primary may have what the replica lacks, for example a role granted just now
            pass
        return BEHIND

    def _last_position(self) -> float:
        """Return the log position of our last write; 0 if there are no replicas."""
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
            self._positions = ReplicaPositions()
            self._positions.note(self.address.name, 0.0, now)
