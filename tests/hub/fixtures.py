"""Hubs for tests: servers with our schema, and spaces of a test's own on them."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from uuid import uuid4

from autology.core.index.retrieval import Encoder
from autology.hub.model import Space
from autology.hub.postgres import schema
from autology.hub.postgres.address import parse_dsn
from autology.hub.postgres.connection_pool import ConnectionPool
from autology.hub.postgres.hub import PostgresHub
from autology.hub.postgres.index import PostgresIndex
from autology.hub.postgres.space_servers import Access
from autology.hub.search.fan_out import THREAD_NAME
from tests.hub.servers import Server

PATIENCE = 120.0
"""Seconds for what takes hundredths, on a busy machine."""
_numbers = itertools.count()


def wait_until(condition: Callable[[], bool]) -> None:
    """Wait until *condition* holds; fail after PATIENCE seconds."""
    until = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < until, "the condition never held"
        time.sleep(0.02)


def wait_for_askers() -> None:
    """Wait until the threads of earlier searches have ended, which they do by their deadline."""
    wait_until(lambda: all(thread.name != THREAD_NAME for thread in threading.enumerate()))


@contextmanager
def running(options: str = "") -> Iterator[Server]:
    """Run a server with our schema; delete it afterwards."""
    server = Server(*([options] if options else []))
    try:
        server.make()
        set_up(server)
        yield server
    finally:
        server.gone()


def set_up(server: Server) -> None:
    """Migrate its database."""
    pool = ConnectionPool(parse_dsn(server.dsn()), deadline=PATIENCE)
    schema.migrate(pool)
    pool.close()


def pool(server: Server, org: str = "acme", project: str = "", user: str = "", **options: object) -> ConnectionPool:
    """Return connections of *user* in a space, which the owner creates if necessary."""
    owner = ConnectionPool(parse_dsn(server.dsn()), deadline=PATIENCE)
    schema.create_space(owner, org, project)
    owner.close()
    branches = options.pop("branches", "*")
    settings = f"-c autology.space={schema.space_id(org, project)} -c autology.branches={branches}"
    return ConnectionPool(parse_dsn(server.dsn(user)), settings, **options)  # type: ignore[arg-type]


def an_index(server: Server, encoder: Encoder | None = None) -> tuple[PostgresIndex, ConnectionPool]:
    """Return the empty index of a new space, whose owner consented to share conversations."""
    project = f"p{next(_numbers)}"
    made = pool(server, "acme", project)
    made.execute("SELECT autology.agree($1)", str(uuid4()))
    return PostgresIndex(made, schema.space_id("acme", project), lambda: encoder), made


def a_login(server: Server, name: str) -> str:
    """Create a login without a role in any space; return its name."""
    owner = ConnectionPool(parse_dsn(server.dsn()), deadline=PATIENCE)
    if not owner.query("SELECT FROM pg_roles WHERE rolname = $1", name):
        owner.execute(f'CREATE ROLE "{name}" LOGIN')
        owner.execute(f'GRANT autology_member TO "{name}"')
    owner.close()
    return name


def a_hub(
    server: Server, space: Space, user: str = "", role: str = "", branch: str | None = None, **options: object
) -> PostgresHub:
    """Return the hub seen from *space* by *user*, who gets *role* there; the space is created if necessary."""
    owner = PostgresHub([("*", parse_dsn(server.dsn()))], space, Access(deadline=PATIENCE))
    owner.create_space(256)
    if role:
        owner.grant(a_login(server, user), role, branch or "")
    owner.close()
    return PostgresHub([("*", parse_dsn(server.dsn(user)))], space, Access(branch=lambda: branch, **options))  # type: ignore[arg-type]


def a_space(project: str = "") -> Space:
    """Return a space of a new organisation: that of *project*, or of the organisation itself."""
    return Space(f"org{next(_numbers)}", project)
