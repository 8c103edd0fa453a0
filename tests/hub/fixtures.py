"""A hub for tests: one server for all of them, and a database that each test finds empty."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import contextmanager

from autology.core.ports import Encoder
from autology.hub import schema
from autology.hub.address import read
from autology.hub.index import PostgresIndex
from autology.hub.link import Links
from tests.hub.servers import Server

_numbers = itertools.count()


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
    links = Links(read(server.dsn()))
    schema.migrate(links)
    links.close()


def links(server: Server, org: str = "acme", project: str = "", user: str = "", **told: object) -> Links:
    """Return connections in that space, as *user*; made by the owner if it is not there."""
    owner = Links(read(server.dsn()))
    schema.open_space(owner, org, project)
    owner.close()
    branches = told.pop("branches", "*")
    settings = f"-c autology.space={schema.space_id(org, project)} -c autology.branches={branches}"
    return Links(read(server.dsn(user)), settings, **told)  # type: ignore[arg-type]


def an_index(server: Server, encoder: Encoder | None = None) -> tuple[PostgresIndex, Links]:
    """Return the index of a space of its own, empty."""
    project = f"p{next(_numbers)}"
    made = links(server, "acme", project)
    return PostgresIndex(made, schema.space_id("acme", project), lambda: encoder), made
