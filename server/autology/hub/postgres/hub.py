"""A team's hub in PostgreSQL, on one server or on the one of several that hosts the space."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from functools import cached_property
from uuid import uuid4

from autology.core.content.files import Stamp
from autology.core.index.changes import Gone, Put
from autology.hub.model import (
    KEPT,
    MEMORY_PATH,
    REMOVED,
    Member,
    MoveResult,
    Offer,
    OfferResult,
    SchemaState,
    SourceText,
    Space,
    StoredMemory,
)
from autology.hub.postgres import ingest, schema
from autology.hub.postgres.address import is_local, parse_dsn
from autology.hub.postgres.connection import Connection
from autology.hub.postgres.connection_pool import ConnectionPool
from autology.hub.postgres.index import WRITE_SECONDS, PostgresIndex
from autology.hub.postgres.prepare import prepare
from autology.hub.postgres.space_move import SpaceMove
from autology.hub.postgres.space_servers import SpaceAccess
from autology.model.conversation import Chunk
from autology.model.entry import Entry
from autology.model.errors import HubError
from autology.model.passage import Passage

_ISO = '\'YYYY-MM-DD"T"HH24:MI:SS"Z"\''


class PostgresHub(SpaceAccess):
    """The :class:`~autology.hub.ports.HubOperations` of a space."""

    @cached_property
    def index(self) -> PostgresIndex:
        """The search index of the space."""
        return PostgresIndex(self.pool, self._space_id, self._access.encoder)

    # ---- the server --------------------------------------------------------------------------------

    def spaces(self) -> list[Space]:
        """Return the spaces on this server that the caller is a member of."""
        with self._outside() as pool:
            return [Space(org, project) for org, project in pool.query("SELECT org, project FROM autology.spaces()")]

    def schema_state(self) -> SchemaState:
        """Return the schema version of the database, without changing anything."""
        with self._outside() as pool:
            return schema.state(pool)

    def migrate(self, on_step: Callable[[str], None] = lambda _: None) -> int:
        """Migrate the schema, as its owner; return how many migrations ran."""
        with self._outside() as pool:
            return schema.migrate(pool, on_step)

    def create_space(self, dims: int) -> bool:
        """Create this space with an index for vectors of *dims* numbers, as the owner; return whether it is new."""
        with self._outside() as pool:
            schema.create_vector_index(pool, dims)
            return schema.create_space(pool, self.space.org, self.space.project)

    def move(self, dsn: str, on_progress: Callable[[str], None] = lambda _: None) -> MoveResult:
        """Move this space to the server at *dsn* while it is in use, as the owner of both databases."""
        with self._space_move(dsn, on_progress) as move:
            return move.run()

    def abort_move(self, dsn: str) -> None:
        """Abort such a move: the space stays here, and the copy there is deleted."""
        with self._space_move(dsn, lambda _: None) as move:
            move.abort()

    @contextmanager
    def _space_move(self, dsn: str, on_progress: Callable[[str], None]) -> Iterator[SpaceMove]:
        move = SpaceMove(self._address, parse_dsn(dsn, dict(os.environ)), self._space_id, on_progress)
        try:
            yield move
        finally:
            move.close()

    def is_encrypted(self) -> bool:
        """Whether connections to all hosts of the server are encrypted."""
        return all(self._address.encrypts(host) for host, _ in self._address.hosts)

    def is_local(self) -> bool:
        """Whether all hosts of the server are this machine."""
        return all(is_local(host) for host, _ in self._address.hosts)

    def replica_problems(self) -> dict[str, str]:
        """Return the problems of the address's replicas, by replica."""
        problems: dict[str, str] = {}
        for host in self._address.replicas:
            replica = replace(self._address, hosts=(host,), replicas=(), writable=False)
            pool = ConnectionPool(replica, deadline=self._access.deadline)
            try:
                if not pool.query("SELECT pg_is_in_recovery()")[0][0]:
                    problems[replica.place] = "follows no server"
            except HubError as error:
                problems[replica.place] = error.reason
            finally:
                pool.close()
        return problems

    # ---- members -----------------------------------------------------------------------------------

    def role(self) -> str | None:
        """Return the caller's role in this space, or None."""

        def query(connection: Connection) -> str | None:
            usable = "SELECT coalesce(has_schema_privilege(to_regnamespace('autology')::oid, 'USAGE'), false)"
            if not connection.run(usable)[0][0]:
                return None
            columns = "SELECT autology.role_in(s.here), autology.settled(s.here, false)"
            rows = connection.run(f"{columns} FROM (SELECT current_setting('autology.space')::uuid AS here) s")
            return rows[0][0]  # type: ignore[no-any-return]

        return self.pool.read(query)

    def members(self) -> list[Member]:
        """Return the members of the space."""
        sql = "SELECT login, role, branch, granted_by, granted_at FROM autology.members()"
        return [Member(*row) for row in self.pool.query(sql)]

    def grant(self, login: str, role: str, branch: str = "") -> None:
        """Grant *role* to a login of the server."""
        self.pool.execute("SELECT autology.give($1, $2, $3)", login, role, branch)

    def revoke(self, login: str, branch: str | None = None) -> int:
        """Revoke a login's roles, on one branch or on all; return how many."""
        return int(self.pool.execute("SELECT autology.take_back($1, $2)", login, branch)[0][0])

    # ---- memories ----------------------------------------------------------------------------------

    def store(self, offer: Offer, put: Put | None) -> OfferResult:
        """Store a memory and index it as *put*. Repeating an operation changes nothing and returns the same result."""
        encoder = self._access.encoder() if put is not None else None
        prepared = prepare(put, encoder) if put is not None else None

        def write(connection: Connection) -> OfferResult:
            sql = "SELECT autology.keep($1, $2, $3, $4, $5, $6)"
            values = offer.op, offer.id, offer.base, offer.kind, offer.branch, offer.file
            fields = connection.run(sql, *values)[0][0]
            if fields["outcome"] in (KEPT, REMOVED) and "again" not in fields:
                ingest.write(connection, str(self._space_id), [prepared or Gone(f"{MEMORY_PATH}{offer.id}")])
            return OfferResult(fields["outcome"], int(fields["version"]), fields.get("file"), fields.get("login") or "")

        return self.pool.write(write)

    def versions(self) -> dict[str, int]:
        """Return the version of each memory, deleted ones included."""
        rows = self.pool.query("SELECT id, version FROM autology.kept WHERE space = autology.here()")
        return {id: int(version) for id, version in rows}

    def memories(self, ids: Sequence[str]) -> list[StoredMemory]:
        """Return the current versions of these memories."""
        return self._stored("kept", "k.id = ANY($1) ORDER BY k.id", list(ids))

    def history(self, id: str) -> list[StoredMemory]:
        """Return all versions of a memory, newest first."""
        return self._stored("history", "k.id = $1 ORDER BY k.version DESC", id)

    def _stored(self, table: str, condition: str, value: object) -> list[StoredMemory]:
        sql = (
            f"SELECT k.id, k.version, k.kind, k.branch, k.file, k.login, to_char(k.at AT TIME ZONE 'UTC', {_ISO})"
            f" FROM autology.{table} k WHERE k.space = autology.here() AND {condition}"
        )
        return [StoredMemory(*row) for row in self.pool.query(sql, value)]

    def texts(self, ids: Sequence[str]) -> dict[str, SourceText]:
        """Return the texts of these sources by id."""
        sql = (
            "SELECT s.id, s.told_by, k.file, t.start, t.stop, t.says FROM autology.source s"
            f" LEFT JOIN autology.kept k ON k.space = s.space AND k.id = s.id AND s.path = '{MEMORY_PATH}' || s.id"
            " LEFT JOIN autology.text t ON t.space = s.space AND t.source = s.number AND t.start IS NOT NULL"
            " WHERE s.space = autology.here() AND s.id = ANY($1) ORDER BY s.id, t.start"
        )
        texts: dict[str, SourceText] = {}
        for id, login, file, start, stop, says in self.pool.query(sql, list(ids)):
            passages = () if says is None else (Passage(start, stop, "", says),)
            before = texts[id].passages if id in texts else ()
            texts[id] = SourceText(login, (*before, *passages), file)
        return texts

    # ---- conversations -----------------------------------------------------------------------------

    def has_consent(self) -> bool:
        """Whether the caller agreed to share conversations of this project."""
        return bool(self.pool.query("SELECT autology.may_share()")[0][0])

    def give_consent(self) -> None:
        """Agree to share conversations of this project."""
        self.pool.execute("SELECT autology.agree($1)", str(uuid4()))

    def withdraw_consent(self, login: str = "") -> int:
        """Withdraw consent and delete all shared conversations of the caller or, as an admin, of *login*.

        Return the number of chunks deleted. A caller whose role was revoked may still withdraw.
        """
        call, values = ("withdraw_of($2, $1)", [login]) if login else ("withdraw($1)", [])
        sql = f"SELECT autology.{call}"
        return int(self.pool.execute(sql, str(uuid4()), *values, deadline=WRITE_SECONDS)[0][0])

    def remaining(self, login: str = "") -> dict[str, int]:
        """Return row counts by name of the conversations that the caller, or *login*, has shared."""
        sql = "SELECT what, many FROM autology.remains(coalesce(nullif($1, ''), session_user))"
        return {name: int(count) for name, count in self.pool.query(sql, login)}

    def share_chunks(self, chunks: Sequence[Chunk]) -> None:
        """Store chunks of conversations, replacing those with the same id."""
        encoder = self._access.encoder()
        prepared = [prepare(_chunk_entry(chunk), encoder) for chunk in chunks]
        rows = json.dumps([{"id": chunk.id, "chunk": asdict(chunk)} for chunk in chunks])

        def write(connection: Connection) -> None:
            ingest.write(connection, str(self._space_id), prepared)
            connection.run(
                "INSERT INTO autology.said(space, source, chunk) SELECT $1::uuid, s.number, r.chunk"
                " FROM jsonb_to_recordset($2::jsonb) AS r(id text, chunk jsonb)"
                " JOIN autology.source s ON s.space = $1::uuid AND s.id = r.id",
                str(self._space_id),
                rows,
            )

        self.pool.write(write, WRITE_SECONDS)

    def chunks(self, ids: Sequence[str]) -> Mapping[str, tuple[Chunk, str]]:
        """Return the chunks with these ids, each with the login that shared it."""
        sql = (
            "SELECT s.id, c.chunk, s.told_by FROM autology.said c JOIN autology.source s"
            " ON s.space = c.space AND s.number = c.source WHERE c.space = autology.here() AND s.id = ANY($1)"
        )
        return {id: (_chunk(fields), login) for id, fields, login in self.pool.query(sql, list(ids))}

    # ---- retention ---------------------------------------------------------------------------------

    def prune(self, audit_days: int | None, versions: int | None, really: bool) -> dict[str, int]:
        """Delete audit lines older than *audit_days* and all but the last *versions* of each memory, as an admin.

        Return how many of each; without *really* only count them.
        """
        sql = "SELECT what, many FROM autology.prune($1, $2, $3, $4)"
        rows = self.pool.execute(sql, str(uuid4()), audit_days, versions, really, deadline=WRITE_SECONDS)
        return {name: int(count) for name, count in rows}


def _chunk_entry(chunk: Chunk) -> Put:
    entry = Entry(
        id=chunk.id, kind=chunk.kind, type=chunk.kind, title="", created=chunk.at, modified=chunk.until,
        session=chunk.session, references=chunk.files, extra_text=chunk.question, project=chunk.project,
        language=chunk.language, authors=chunk.participants, trust=chunk.trust,
    )  # fmt: skip
    return Put(f"said/{chunk.id}", Stamp(len(chunk.text), 0), entry, (Passage(0, len(chunk.text), "", chunk.text),))


def _chunk(fields: dict[str, object]) -> Chunk:
    lists = {name: tuple(value) for name, value in fields.items() if isinstance(value, list)}
    return Chunk(**{**fields, **lists})  # type: ignore[arg-type]
