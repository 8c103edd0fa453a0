"""What a hub holds comes back from a backup, by each of the ways that the guide names."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from autology.hub.model import READER, Space
from autology.hub.postgres.address import parse_dsn
from autology.hub.postgres.hub import PostgresHub
from autology.model.errors import HubRefusedError
from autology.model.query import Filter, Terms
from tests.hub import fixtures
from tests.hub.servers import DURABLE, Server
from tests.hub.test_faults import an_offer

SPACE = Space("acme")


@pytest.fixture(scope="module")
def filled() -> Iterator[Server]:
    """A server with a space that holds three memories and has a reader."""
    with fixtures.running(DURABLE) as server:
        hub = fixtures.a_hub(server, SPACE, "grace", READER)
        owner = fixtures.a_hub(server, SPACE)
        fixtures.a_login(server, "eve")
        for number in (1, 2, 3):
            owner.store(*an_offer(number))
        hub.close()
        owner.close()
        yield server


def holds_everything(server: Server, database: str) -> None:
    grace = PostgresHub([("*", parse_dsn(server.dsn("grace", database)))], SPACE)
    assert (grace.role(), grace.versions()) == (READER, {"m1": 1, "m2": 1, "m3": 1})
    assert [one.file for one in grace.history("m2")] == ["text of m2"]
    hits = grace.index.lexical_candidates(Terms((("number",),)), Filter(kind="memory"), False, 5)
    assert {hit.source.id for hit in hits} == {"m1", "m2", "m3"}
    grace.close()
    eve = PostgresHub([("*", parse_dsn(server.dsn("eve", database)))], SPACE)
    with pytest.raises(HubRefusedError):
        eve.versions()
    eve.close()
    owner = PostgresHub([("*", parse_dsn(server.dsn("", database)))], SPACE)
    owner.store(*an_offer(4))  # numbers go on where they were
    assert owner.index.by_ids(["m4"]).keys() == {"m4"}
    owner.close()


def test_a_dump_restores_into_an_empty_database(filled: Server) -> None:
    where = ("-h", "127.0.0.1", "-p", str(filled.port), "-U", "owner")
    filled.call("pg_dump", *where, "-Fc", "-d", "postgres", "-f", filled.folder / "hub.dump")
    filled.call("createdb", *where, "restored")
    filled.call("pg_restore", *where, "-d", "restored", "--exit-on-error", filled.folder / "hub.dump")
    holds_everything(filled, "restored")


def test_a_copy_of_the_running_server_starts(filled: Server) -> None:
    copy = Server(DURABLE)
    try:
        filled.copy(copy.data)
        copy.start()
        holds_everything(copy, "postgres")
    finally:
        copy.gone()
