"""Moving a space to another server while it is in use: copy, catch up, pause writes for a moment, hand over.

If interrupted, the space is complete on one of the two servers. The old server redirects to the new one only
after all rows were compared. The next call continues where this one stopped.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from uuid import UUID

from autology.hub.model import MoveResult
from autology.hub.postgres import schema
from autology.hub.postgres.address import Address
from autology.hub.postgres.connection import Connection
from autology.hub.postgres.connection_pool import ConnectionPool
from autology.hub.postgres.space_rows import copy_differences, digests, erase, remove, space_tables
from autology.model.errors import HubError

COMING, GOING, GONE, HERE = "coming", "going", "gone", "here"
PASS_SECONDS = 3_600.0
"""Seconds for one pass over a space, which reads all of it on both servers."""
PAUSE_BELOW = 200
"""Number of differing rows from which writes are paused to copy them, within a second."""
MAX_PASSES = 6
"""Passes after which writes are paused anyway, in case rows change faster than they can be copied."""
PAUSE_SECONDS = 300
"""Seconds after which writes resume on the old server by themselves, in case this process dies."""
WRITER_TIMEOUT = 150.0
"""Seconds to wait for transactions in progress; none of ours lasts longer than 120."""
# So that both servers write the same text for a row.
CANONICAL = "-c timezone=UTC -c datestyle=ISO -c intervalstyle=postgres -c extra_float_digits=1 -c bytea_output=hex"


class SpaceMove:
    """The move of one space from *source* to *target*, with connections of the databases' owners."""

    def __init__(
        self, source: Address, target: Address, space: UUID, on_progress: Callable[[str], None] = lambda _: None
    ) -> None:
        self.space = str(space)
        self.place = target.place
        options = f"{CANONICAL} -c autology.moving={space}"
        # Replicas are not asked: rows that they do not have yet would be lost.
        self.source, self.target = (
            ConnectionPool(address, options, PASS_SECONDS, use_replicas=False) for address in (source, target)
        )
        self._on_progress = on_progress
        self._copied = 0

    def close(self) -> None:
        """Close its connections."""
        self.source.close()
        self.target.close()

    def run(self) -> MoveResult:
        """Move the space, continuing an earlier call if there was one.

        Raises:
            HubError: the move failed. The space stays where it was, copied rows remain, and the next call continues.
        """
        with self._exclusive():
            self._check()
            self._copied = 0
            rows: dict[str, int] = {}
            passes, paused = 0, 0.0
            if self._placing(self.source)[0] != GONE:
                self._prepare_target()
                for passes in range(1, MAX_PASSES + 1):
                    differing = self._synchronise()
                    self._on_progress(f"pass {passes}: {differing:,} rows differed")
                    if differing <= PAUSE_BELOW:
                        break
                rows, paused = self._hand_over()
            self._arrive()
            self._erase_source()
        return MoveResult(rows, self._copied, passes, paused)

    def abort(self) -> None:
        """Leave the space where it was, and delete the copied rows.

        Raises:
            HubError: the space was handed over already.
        """
        with self._exclusive():
            if self._placing(self.source)[0] == GONE:
                step = "Run the command without --abort to complete the move; another move brings the space back."
                raise HubError(self.source.address.name, "has handed the space over already", step)
            forget = "DELETE FROM autology.placing WHERE space = $1"
            if self._placing(self.target)[0] == COMING:
                erase(self.target, self.space)
                self.target.execute(forget, self.space)
            self._resume_writes()

    # ---- before ------------------------------------------------------------------------------------

    @contextmanager
    def _exclusive(self) -> Iterator[None]:
        """Hold a lock on moving this space. Raises HubError if another move runs, or if both servers are the same."""
        lock, key = "SELECT pg_try_advisory_lock(hashtextextended($1, 0))", f"autology moves {self.space}"
        brief_lock = lock.replace("advisory_lock", "advisory_xact_lock")
        with self.source.pinned():
            if not self.source.query(lock, key)[0][0]:
                step = "Wait for it to end."
                raise HubError(self.source.address.name, "another migration of this space is already running", step)
            try:
                if not self.target.query(brief_lock, key)[0][0]:
                    raise HubError(self.target.address.name, "already hosts the space", "Name another server.")
                yield
            finally:
                self.source.query("SELECT pg_advisory_unlock_all()")

    def _check(self) -> None:
        """Raise HubError unless the space can be moved, or was being moved to this target."""
        for pool in (self.source, self.target):
            installed = schema.state(pool)
            if installed.step != installed.latest:
                step = "Run `autology hub migrate` on both servers first, as the owner of each database."
                raise HubError(pool.address.name, "does not have this program's schema", step)
        state, place = self._placing(self.source)
        if state == GONE:
            if place != self.place:
                raise HubError(self.source.address.name, f"handed the space to {place}", "Move it from there.")
            return
        if not self._has_space(self.source):
            raise HubError(self.source.address.name, "has no such space", "`autology hub status` names yours.")
        if self._placing(self.target)[0] in ("", HERE) and self._has_space(self.target):
            step = "Two hubs cannot be merged; move it into a database that has no such space."
            raise HubError(self.target.address.name, "has a space of that name, in use", step)

    def _has_space(self, pool: ConnectionPool) -> bool:
        sql = "SELECT FROM autology.space WHERE space = $1"
        return bool(pool.query(sql, self.space))

    def _placing(self, pool: ConnectionPool) -> tuple[str, str]:
        """Return the state of the space on a server, and the server it was moved to."""
        return pool.read(self._read_placing)

    def _read_placing(self, connection: Connection) -> tuple[str, str]:
        rows = connection.run("SELECT state, place FROM autology.placing WHERE space = $1", self.space)
        return (str(rows[0][0]), str(rows[0][1])) if rows else ("", "")

    def _prepare_target(self) -> None:
        """Mark the space as coming on the target, grant its logins access, and create missing indexes."""
        members = "SELECT DISTINCT login FROM autology.member WHERE space = $1 ORDER BY 1"
        rows = self.source.query(members, self.space)
        logins = [str(login) for (login,) in rows]
        roles = "SELECT rolname FROM pg_roles WHERE rolname = ANY($1)"
        known = {str(login) for (login,) in self.target.query(roles, logins)}
        if missing := [login for login in logins if login not in known]:
            step = f"`CREATE ROLE … LOGIN` there for: {', '.join(missing[:20])}."
            raise HubError(self.target.address.name, f"does not know {len(missing)} of the space's logins", step)
        indexes = "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'autology' ORDER BY 1"
        existing = {str(name) for name, _ in self.target.query(indexes)}
        source_indexes = self.source.query(indexes)
        missing_indexes = [str(definition) for name, definition in source_indexes if name not in existing]

        def prepare(connection: Connection) -> None:
            connection.run(
                "INSERT INTO autology.placing(space, state) VALUES ($1, 'coming')"
                " ON CONFLICT (space) DO UPDATE SET state = 'coming', place = '', until = NULL",
                self.space,
            )
            for login in logins:
                grant = str(connection.run("SELECT format('GRANT autology_member TO %I', $1::text)", login)[0][0])
                connection.run(grant)
            connection.run("SET LOCAL search_path = public, pg_temp")
            for definition in missing_indexes:
                connection.run(definition)

        self.target.write(prepare)

    # ---- copying -----------------------------------------------------------------------------------

    def _synchronise(self) -> int:
        """Make the target equal to a snapshot of the source; return how many rows differed."""
        tables = space_tables(self.source)

        def synchronise(source: Connection) -> int:
            source.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            try:
                if self._read_placing(source)[0] == GONE or self._placing(self.target)[0] != COMING:
                    raise HubError(
                        self.source.address.name, "handed the space over meanwhile", "Run the command again."
                    )
                for table in reversed(tables):
                    here, there = digests(source, table, self.space), digests(self.target, table, self.space)
                    remove(self.target, table, self.space, sorted(there.keys() - here.keys()))
                return sum(copy_differences(source, self.target, table, self.space) for table in tables)
            finally:
                source.run("ROLLBACK")

        differing = self.source.read(synchronise)
        self._copied += differing
        return differing

    # ---- handing over ------------------------------------------------------------------------------

    def _hand_over(self) -> tuple[dict[str, int], float]:
        """Pause writes, copy the remaining rows, compare all rows, and have the source redirect to the target."""
        started = time.monotonic()
        with self._writes_paused():
            for _ in range(MAX_PASSES):  # the next pass sees what a trigger of the target changed
                if not self._synchronise():
                    break
            rows = self._compare()
            redirect = (
                "UPDATE autology.placing SET state = 'gone', place = $2, until = NULL"
                " WHERE space = $1 AND state = 'going' AND until > clock_timestamp() RETURNING 1"
            )
            if not self.source.execute(redirect, self.space, self.place):
                raise HubError(
                    self.source.address.name,
                    "accepted writes again before all rows were compared",
                    "Run the command again.",
                )
        return rows, time.monotonic() - started

    @contextmanager
    def _writes_paused(self) -> Iterator[None]:
        """Block writes to the space, waiting for those in progress; they resume if the block fails."""

        def pause(connection: Connection) -> str:
            connection.run(
                "INSERT INTO autology.placing(space, state, until)"
                f" VALUES ($1, 'going', clock_timestamp() + interval '{PAUSE_SECONDS} seconds')"
                " ON CONFLICT (space) DO UPDATE SET state = 'going', place = '', until = excluded.until",
                self.space,
            )
            return str(connection.run("SELECT pg_current_xact_id()::text")[0][0])

        transaction = self.source.write(pause)
        try:
            self._wait_for_writers(transaction)
            yield
        except BaseException:
            self._resume_writes()
            raise

    def _resume_writes(self) -> None:
        resume = "DELETE FROM autology.placing WHERE space = $1 AND state = 'going'"
        self.source.execute(resume, self.space)

    def _wait_for_writers(self, transaction: str) -> None:
        """Wait until all transactions older than *transaction* have ended."""
        sql = "SELECT pg_snapshot_xmin(pg_current_snapshot()) > $1::xid8"
        until = time.monotonic() + WRITER_TIMEOUT
        while not self.source.query(sql, transaction)[0][0]:
            if time.monotonic() > until:
                step = "Run the command again once that write has ended."
                raise HubError(
                    self.source.address.name, f"has a write that lasts for over {WRITER_TIMEOUT:g} seconds", step
                )
            time.sleep(0.05)

    def _compare(self) -> dict[str, int]:
        """Return the number of rows per table. Raises HubError if the two servers differ."""
        counts: dict[str, int] = {}
        for table in space_tables(self.source):
            sql = (
                f"SELECT count(*), md5(coalesce(string_agg(md5(t::text), '' ORDER BY {table.key} COLLATE \"C\"), ''))"
                f" FROM autology.{table.name} t WHERE t.space = $1"
            )
            here, there = (pool.query(sql, self.space) for pool in (self.source, self.target))
            if here != there:
                raise HubError(self.target.address.name, f"differs in {table.name}", "Run the command again.")
            counts[table.name] = int(here[0][0])
        return counts

    def _arrive(self) -> None:
        sql = "UPDATE autology.placing SET state = 'here' WHERE space = $1 AND state = 'coming'"
        self.target.execute(sql, self.space)

    def _erase_source(self) -> None:
        """Delete the space's rows on the source, except the one that redirects to the target."""
        erase(self.source, self.space)
