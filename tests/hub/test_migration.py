"""Migrations: databases of the development migrations work on, later ones follow, and a missing one is named."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from autology.hub.postgres import schema
from autology.hub.postgres.address import parse_dsn
from autology.hub.postgres.connection_pool import ConnectionPool
from autology.hub.postgres.schema import BASELINE, Migration
from autology.model.entry import DOCUMENT
from autology.model.errors import HubError
from autology.model.query import Filter, Terms
from tests.hub import fixtures
from tests.hub.servers import DURABLE, Server
from tests.hub.test_scale import Scattered, page

DEVELOPMENT = ("spaces", "index", "kept", "guarded", "moves", "scale", "speed")
"""The migrations that were replaced by one: together they made the same schema."""
LATER = Migration(BASELINE + 1, "later", "CREATE TABLE autology.later(number integer)")
EVERY = schema.migrations()


@pytest.fixture
def empty() -> Iterator[Server]:
    """A server whose database holds nothing."""
    server = Server(DURABLE)
    try:
        yield server.make()
    finally:
        server.gone()


def made_by_development_migrations(pool: ConnectionPool, last: int) -> None:
    """Have the database say that it was made by the development migrations up to that one."""
    schema.migrate(pool)
    pool.execute("DELETE FROM autology.migration")
    insert = "INSERT INTO autology.migration(number, name) SELECT * FROM unnest($1::integer[], $2::text[])"
    names = list(DEVELOPMENT[:last])
    pool.execute(insert, list(range(1, last + 1)), names)


def test_the_first_migration_goes_on_where_the_development_ones_ended() -> None:
    assert [step.number for step in EVERY] == list(range(BASELINE, BASELINE + len(EVERY)))
    assert len(DEVELOPMENT) == BASELINE


def test_a_database_of_the_development_migrations_works_on_and_takes_later_ones(empty: Server) -> None:
    owner = ConnectionPool(parse_dsn(empty.dsn()))
    made_by_development_migrations(owner, BASELINE)
    assert schema.migrate(owner) == len(EVERY) - 1
    state = schema.state(owner)
    assert state.step == state.latest
    index, pool = fixtures.an_index(empty, Scattered())  # type: ignore[arg-type]
    index.apply([page(number) for number in (1, 5, 9)])
    assert [hit.source.id for hit in index.lexical_candidates(Terms((("5",),)), Filter(kind=DOCUMENT), False, 9)] == [
        "d5"
    ]
    assert {hit.source.id for hit in index.semantic_candidates("page 5", Filter(kind=DOCUMENT), 1)} == {"d5"}
    assert schema.migrate(owner, steps=[*EVERY, LATER]) == 1
    assert schema.migrate(owner, steps=[*EVERY, LATER]) == 0
    for each in (owner, pool):
        each.close()


def test_an_unfinished_development_database_is_refused_with_what_to_do(empty: Server) -> None:
    owner = ConnectionPool(parse_dsn(empty.dsn()))
    made_by_development_migrations(owner, BASELINE - 2)
    with pytest.raises(HubError, match=r"made before version 0\.1\.0.*DROP SCHEMA"):
        schema.migrate(owner)
    owner.close()


@pytest.mark.parametrize("at", ["first", "later"])
def test_a_migration_that_is_interrupted_is_undone_and_run_whole_by_the_next_call(empty: Server, at: str) -> None:
    pool = ConnectionPool(parse_dsn(empty.dsn()))
    steps = [*EVERY, LATER]
    if at == "later":
        schema.migrate(pool)
    before = BASELINE if at == "later" else 0
    interrupted = steps[-1] if at == "later" else steps[0]
    slow = Migration(interrupted.number, interrupted.name, f"{interrupted.sql}; SELECT pg_sleep(30);")
    failed: list[Exception] = []

    def migrate() -> None:
        try:
            schema.migrate(pool, steps=[slow])
        except HubError as error:
            failed.append(error)

    running = threading.Thread(target=migrate)
    running.start()
    other = ConnectionPool(parse_dsn(empty.dsn()))
    asleep = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'"
    fixtures.wait_until(lambda: other.query(asleep) == [[1]])
    empty.kill()
    running.join(20)
    assert failed
    empty.start()
    assert schema.state(other).step == before
    table = "later" if at == "later" else "source"
    missing = f"SELECT to_regclass('autology.{table}') IS NULL"
    assert other.query(missing) == [[True]]
    assert schema.migrate(other, steps=steps) == (1 if at == "later" else len(steps))
    assert schema.migrate(other, steps=steps) == 0
    for each in (pool, other):
        each.close()


def test_a_hub_that_lacks_a_migration_says_what_to_do(empty: Server) -> None:
    owner = ConnectionPool(parse_dsn(empty.dsn()))
    schema.migrate(owner)
    index, pool = fixtures.an_index(empty)
    owner.execute("DROP FUNCTION autology.measured")
    with pytest.raises(HubError, match="hub migrate"):
        index.lexical_candidates(Terms((("page",),)), Filter(kind=DOCUMENT), False, 9)
    for each in (owner, pool):
        each.close()
