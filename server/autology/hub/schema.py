"""What a hub's database is made of, and how it is brought up to date: a step at a time, each whole or not at all."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from uuid import UUID, uuid5

from autology.core.hub.port import State
from autology.hub.link import Link, Links
from autology.model.errors import HubError

OLDEST, OLDEST_VECTORS = 16, (0, 8)
"""The oldest PostgreSQL and the oldest pgvector that will do: scans that go on under a filter, and half vectors."""
TURN = 0x6175746F
"""The lock that whoever brings the schema up to date holds."""
STEP = 3_600.0
"""Seconds for one step: a million vectors are an index of a quarter of an hour."""
_NAMES = UUID("6d1f0c1e-7f0a-5e0b-9a53-2f6f5b1f0d11")
_FILE = re.compile(r"(\d{4})_(\w+)\.sql")


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the schema: its number, what it is called, and its statements."""

    number: int
    name: str
    sql: str


def space_id(org: str, project: str) -> UUID:
    """Return the id of a space; whoever makes it first, it is the same."""
    return uuid5(_NAMES, f"{org}\n{project}")


def steps() -> list[Step]:
    """Return all steps there are, in order."""
    folder = os.path.join(os.path.dirname(__file__), "migrations")
    found = []
    for name in sorted(os.listdir(folder)):
        if match := _FILE.fullmatch(name):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                found.append(Step(int(match[1]), match[2], file.read()))
    return found


def state(links: Links) -> State:
    """Return how the database is, having changed nothing. Raises HubError."""

    def ask(link: Link) -> State:
        server = str(link.run("SHOW server_version")[0][0])
        vectors = link.run("SELECT extversion FROM pg_extension WHERE extname = 'vector'")
        return State(server, str(vectors[0][0]) if vectors else "", _last_step(link), steps()[-1].number)

    return links.read(ask)


def _last_step(link: Link) -> int | None:
    """The last step that was taken, 0 before the first; None where that may not be read."""
    # Through the catalogue, which is open to everyone: a name in a closed schema is an error.
    ask = (
        "SELECT has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT') FROM pg_class c"
        " JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'autology' AND c.relname = 'migration'"
    )
    table = link.run(ask)
    if table and not table[0][0]:
        return None
    return int(link.run("SELECT coalesce(max(number), 0) FROM autology.migration")[0][0]) if table else 0


def migrate(
    links: Links, taken: Callable[[str], None] = lambda _: None, all_steps: Sequence[Step] | None = None
) -> int:
    """Take the steps that the database lacks; return how many. Stopped at any moment, the next call goes on.

    Raises:
        HubError: a step was refused; those before it stay.
    """
    done = 0
    _prepare(links)
    for step in steps() if all_steps is None else all_steps:
        if links.write(lambda link, step=step: _take(link, step), STEP):  # type: ignore[misc]
            taken(step.name)
            done += 1
    return done


def _prepare(links: Links) -> None:
    def make(link: Link) -> None:
        version = int(link.run("SHOW server_version_num")[0][0])
        if version < OLDEST * 10_000:
            raise HubError(links.address.name, f"is PostgreSQL {version // 10_000}", f"Use {OLDEST} or newer.")
        link.run(f"SELECT pg_advisory_xact_lock({TURN})")
        _extend(link, links.address.name)
        link.run("CREATE SCHEMA IF NOT EXISTS autology")
        link.run(
            "CREATE TABLE IF NOT EXISTS autology.migration("
            "number integer PRIMARY KEY, name text NOT NULL, at timestamptz NOT NULL DEFAULT now())"
        )
        if not link.run("SELECT FROM pg_roles WHERE rolname = 'autology_member'"):
            link.run("CREATE ROLE autology_member NOLOGIN")
        link.run("GRANT USAGE ON SCHEMA autology TO autology_member")

    links.write(make, STEP)


def _extend(link: Link, place: str) -> None:
    there = link.run("SELECT extversion FROM pg_extension WHERE extname = 'vector'")
    if not there:
        if not link.run("SELECT FROM pg_available_extensions WHERE name = 'vector'"):
            raise HubError(place, "has no pgvector", "Have it installed beside the server: 0.8 or newer.")
        link.run("CREATE EXTENSION vector")
        there = link.run("SELECT extversion FROM pg_extension WHERE extname = 'vector'")
    version = str(there[0][0])
    if tuple(int(part) for part in re.findall(r"\d+", version)[:2]) < OLDEST_VECTORS:
        raise HubError(place, f"has pgvector {version}", "`ALTER EXTENSION vector UPDATE`, to 0.8 or newer.")


def _take(link: Link, step: Step) -> bool:
    link.run(f"SELECT pg_advisory_xact_lock({TURN})")
    if link.run("SELECT FROM autology.migration WHERE number = $1", step.number):
        return False
    link.run("SET LOCAL search_path = public, pg_temp")  # where the type of vectors usually is
    link.run(step.sql)
    link.run("INSERT INTO autology.migration(number, name) VALUES ($1, $2)", step.number, step.name)
    return True


def vector_index(links: Links, dims: int) -> None:
    """Have large spaces searched by vectors of so many numbers with an index of them. Raises HubError."""
    name = f"near_{dims:d}"
    links.write(
        lambda link: link.run(
            f"CREATE INDEX IF NOT EXISTS {name} ON autology.near"
            f" USING hnsw ((vector::halfvec({dims:d})) halfvec_ip_ops) WHERE vector_dims(vector) = {dims:d}"
        ),
        STEP,
    )


def open_space(links: Links, org: str, project: str) -> bool:
    """Make a space, with whoever makes it as its admin; whether it is new. Raises HubError."""

    def make(link: Link) -> bool:
        space = str(space_id(org, project))
        ask = (
            "INSERT INTO autology.space(space, org, project, generation) VALUES ($1, $2, $3, gen_random_uuid()::text)"
            " ON CONFLICT DO NOTHING RETURNING 1"
        )
        new = bool(link.run(ask, space, org, project))
        link.run(
            "INSERT INTO autology.member(space, login, role) VALUES ($1, session_user, 'admin') ON CONFLICT DO NOTHING",
            space,
        )
        return new

    return links.write(make)
