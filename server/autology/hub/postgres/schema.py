"""Migrations of a hub's database: each runs once, in one transaction."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from uuid import UUID, uuid5

from autology.hub.model import SchemaState
from autology.hub.postgres.connection import Connection
from autology.hub.postgres.connection_pool import ConnectionPool
from autology.model.errors import HubError

OLDEST, OLDEST_VECTORS = 16, (0, 8)
"""Minimum versions of PostgreSQL, and of pgvector: the first with iterative index scans and half vectors."""
BASELINE = 7
"""The first migration. The numbers before it were used during development, and led to the same schema."""
LOCK = 0x6175746F
"""The key of the advisory lock held during a migration."""
MIGRATION_SECONDS = 3_600.0
"""Seconds for one migration: an index over a million vectors takes a quarter of an hour."""
_NAMESPACE = UUID("6d1f0c1e-7f0a-5e0b-9a53-2f6f5b1f0d11")
_FILE = re.compile(r"(\d{4})_(\w+)\.sql")


@dataclass(frozen=True, slots=True)
class Migration:
    """A migration: its number, name and statements."""

    number: int
    name: str
    sql: str


def space_id(org: str, project: str) -> UUID:
    """Return the id of a space, the same on every server."""
    return uuid5(_NAMESPACE, f"{org}\n{project}")


def migrations() -> list[Migration]:
    """Return all migrations in order."""
    folder = os.path.join(os.path.dirname(__file__), "migrations")
    steps = []
    for name in sorted(os.listdir(folder)):
        if match := _FILE.fullmatch(name):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                steps.append(Migration(int(match[1]), match[2], file.read()))
    return steps


def state(pool: ConnectionPool) -> SchemaState:
    """Return the schema version of the database, without changing anything. Raises HubError."""
    return SchemaState(pool.read(_last_migration), migrations()[-1].number)


def _last_migration(connection: Connection) -> int | None:
    """Return the number of the last migration, 0 for none; None if the caller may not read it."""
    # Through the catalogue, which everyone may read: a name in a schema without usage rights is an error.
    privileges = (
        "SELECT has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT') FROM pg_class c"
        " JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'autology' AND c.relname = 'migration'"
    )
    table = connection.run(privileges)
    if not table:
        return 0
    if not table[0][0]:
        return None
    return int(connection.run("SELECT coalesce(max(number), 0) FROM autology.migration")[0][0])


def migrate(
    pool: ConnectionPool,
    on_step: Callable[[str], None] = lambda _: None,
    steps: Sequence[Migration] | None = None,
) -> int:
    """Run the migrations that the database lacks; return how many. Interrupted, the next call continues.

    Raises:
        HubError: a migration failed; those before it stay.
    """
    count = 0
    pool.write(lambda connection: _prepare(connection, pool.address.name), MIGRATION_SECONDS)
    for step in migrations() if steps is None else steps:
        if pool.write(lambda connection, step=step: _run(connection, step), MIGRATION_SECONDS):  # type: ignore[misc]
            on_step(step.name)
            count += 1
    return count


def _prepare(connection: Connection, place: str) -> None:
    """Create what the migrations themselves need. Raises HubError if the server or its database is too old."""
    version = int(connection.run("SHOW server_version_num")[0][0])
    if version < OLDEST * 10_000:
        raise HubError(place, f"is PostgreSQL {version // 10_000}", f"Use {OLDEST} or newer.")
    connection.run(f"SELECT pg_advisory_xact_lock({LOCK})")
    _install_pgvector(connection, place)
    connection.run("CREATE SCHEMA IF NOT EXISTS autology")
    connection.run(
        "CREATE TABLE IF NOT EXISTS autology.migration("
        "number integer PRIMARY KEY, name text NOT NULL, at timestamptz NOT NULL DEFAULT now())"
    )
    if 0 < (_last_migration(connection) or 0) < BASELINE:
        step = "Save what only it has, `DROP SCHEMA autology CASCADE`, then `autology hub init` and push again."
        raise HubError(place, "has a database made before version 0.1.0", step)
    if not connection.run("SELECT FROM pg_roles WHERE rolname = 'autology_member'"):
        connection.run("CREATE ROLE autology_member NOLOGIN")
    connection.run("GRANT USAGE ON SCHEMA autology TO autology_member")


def _install_pgvector(connection: Connection, place: str) -> None:
    installed = "SELECT extversion FROM pg_extension WHERE extname = 'vector'"
    rows = connection.run(installed)
    if not rows:
        if not connection.run("SELECT FROM pg_available_extensions WHERE name = 'vector'"):
            raise HubError(place, "has no pgvector", "Install it on the server: 0.8 or newer.")
        connection.run("CREATE EXTENSION vector")
        rows = connection.run(installed)
    version = str(rows[0][0])
    if tuple(int(part) for part in re.findall(r"\d+", version)[:2]) < OLDEST_VECTORS:
        raise HubError(place, f"has pgvector {version}", "`ALTER EXTENSION vector UPDATE`, to 0.8 or newer.")


def _run(connection: Connection, step: Migration) -> bool:
    connection.run(f"SELECT pg_advisory_xact_lock({LOCK})")
    if connection.run("SELECT FROM autology.migration WHERE number = $1", step.number):
        return False
    connection.run("SET LOCAL search_path = public, pg_temp")  # the usual schema of pgvector's types
    connection.run(step.sql)
    connection.run("INSERT INTO autology.migration(number, name) VALUES ($1, $2)", step.number, step.name)
    return True


def create_vector_index(pool: ConnectionPool, dims: int) -> None:
    """Create the index for vectors of *dims* numbers, which searches of large spaces use. Raises HubError."""
    name = f"near_{dims:d}"
    pool.execute(
        f"CREATE INDEX IF NOT EXISTS {name} ON autology.near"
        f" USING hnsw ((vector::halfvec({dims:d})) halfvec_ip_ops) WHERE vector_dims(vector) = {dims:d}",
        deadline=MIGRATION_SECONDS,
    )


def create_space(pool: ConnectionPool, org: str, project: str) -> bool:
    """Create a space with the caller as its admin; return whether it is new. Raises HubError."""

    def insert(connection: Connection) -> bool:
        space = str(space_id(org, project))
        new = connection.run(
            "INSERT INTO autology.space(space, org, project, generation) VALUES ($1, $2, $3, gen_random_uuid()::text)"
            " ON CONFLICT DO NOTHING RETURNING 1",
            space,
            org,
            project,
        )
        connection.run(
            "INSERT INTO autology.member(space, login, role) VALUES ($1, session_user, 'admin') ON CONFLICT DO NOTHING",
            space,
        )
        return bool(new)

    return pool.write(insert)
