"""A hub for tests: one server for all of them, and a database that each test finds empty."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from uuid import uuid4

from autology.core.index.vector_search import Encoder
from autology.hub.model import Space
from autology.hub.postgres import schema
from autology.hub.postgres.access import Access
from autology.hub.postgres.address import parse_dsn
from autology.hub.postgres.connection_pool import ConnectionPool
from autology.hub.postgres.hub import PostgresHub
from autology.hub.postgres.index import PostgresIndex
from autology.hub.search.fan_out import THREAD_NAME
from tests.hub.servers import Server

PATIENCE = 120.0
"""Seconds for what takes hundredths, on a machine where much else runs."""
_numbers = itertools.count()


def wait_until(come: Callable[[], bool]) -> None:
    """Wait until that has come to pass; fail where it does not."""
    until = time.monotonic() + PATIENCE
    while not come():
        assert time.monotonic() < until, "it never came to pass"
        time.sleep(0.02)


def wait_for_askers() -> None:
    """Wait until nobody asks a hub any more: what a search left behind ends with its own deadline."""
    wait_until(lambda: all(thread.name != THREAD_NAME for thread in threading.enumerate()))


@contextmanager
def running(options: str = "") -> Iterator[Server]:
    """A server that holds our schema, gone afterwards."""
    server = Server(*([options] if options else []))
    try:
        server.make()
        set_up(server)
        yield server
    finally:
        server.gone()


def set_up(server: Server) -> None:
    """Bring its database up to date."""
    pool = ConnectionPool(parse_dsn(server.dsn()), deadline=PATIENCE)
    schema.migrate(pool)
    pool.close()


def pool(server: Server, org: str = "acme", project: str = "", user: str = "", **told: object) -> ConnectionPool:
    """Return connections in that space, as *user*; made by the owner if it is not there."""
    owner = ConnectionPool(parse_dsn(server.dsn()), deadline=PATIENCE)
    schema.create_space(owner, org, project)
    owner.close()
    branches = told.pop("branches", "*")
    settings = f"-c autology.space={schema.space_id(org, project)} -c autology.branches={branches}"
    return ConnectionPool(parse_dsn(server.dsn(user)), settings, **told)  # type: ignore[arg-type]


def an_index(server: Server, encoder: Encoder | None = None) -> tuple[PostgresIndex, ConnectionPool]:
    """Return the index of a space of its own, empty, whose owner agreed that conversations are shared."""
    project = f"p{next(_numbers)}"
    made = pool(server, "acme", project)
    made.execute("SELECT autology.agree($1)", str(uuid4()))
    return PostgresIndex(made, schema.space_id("acme", project), lambda: encoder), made


def a_login(server: Server, name: str) -> str:
    """Have the server know a login of that name, who is nobody yet; return the name."""
    owner = ConnectionPool(parse_dsn(server.dsn()), deadline=PATIENCE)
    if not owner.query("SELECT FROM pg_roles WHERE rolname = $1", name):
        owner.execute(f'CREATE ROLE "{name}" LOGIN')
        owner.execute(f'GRANT autology_member TO "{name}"')
    owner.close()
    return name


def a_hub(
    server: Server, space: Space, user: str = "", role: str = "", branch: str | None = None, **told: object
) -> PostgresHub:
    """Return the hub seen from *space* by *user*, who has *role* there; the space is made if it is not there."""
    owner = PostgresHub([("*", parse_dsn(server.dsn()))], space, Access(deadline=PATIENCE))
    owner.create_space(256)
    if role:
        owner.grant(a_login(server, user), role, branch or "")
    owner.close()
    return PostgresHub([("*", parse_dsn(server.dsn(user)))], space, Access(branch=lambda: branch, **told))  # type: ignore[arg-type]


def a_space(project: str = "") -> Space:
    """Return a space that no other test has; of one organisation where *project* is given."""
    return Space(f"org{next(_numbers)}", project)
