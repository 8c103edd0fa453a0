"""Functions that keep their plans return no more than what the caller may see."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from autology.core.index.changes import Put
from autology.hub.model import READER, Space
from autology.hub.postgres import schema
from autology.hub.postgres.address import parse_dsn
from autology.hub.postgres.connection import Connection
from autology.hub.postgres.connection_pool import ConnectionPool
from autology.hub.postgres.index import PostgresIndex
from autology.model.entry import DOCUMENT
from autology.model.errors import HubError
from autology.model.hit import Place
from autology.model.query import Filter, Terms
from tests.hub import fixtures
from tests.hub.servers import Server
from tests.hub.test_scale import Scattered, page

FIND = Filter(kind=DOCUMENT)


def a_page(number: int, branch: str | None = None) -> Put:
    made = page(number)
    return replace(made, entry=replace(made.entry, branch=branch))


@pytest.fixture
def space(server: Server) -> Iterator[Space]:
    """A space with three documents, the last of a branch that bob may not see."""
    space = fixtures.a_space("plans")
    fixtures.a_hub(server, space, "bob", READER, "main").close()
    index, pool = index_of(server, space)
    index.apply([a_page(1), a_page(5), a_page(9, "release")])
    yield space
    pool.close()


def index_of(server: Server, space: Space, user: str = "") -> tuple[PostgresIndex, ConnectionPool]:
    pool = fixtures.pool(server, space.org, space.project, user)
    return PostgresIndex(pool, schema.space_id(space.org, space.project), Scattered), pool  # type: ignore[arg-type]


def ids_matching(index: PostgresIndex, word: str) -> set[str]:
    return {hit.source.id for hit in index.lexical_candidates(Terms(((word,),)), FIND, False, 10)}


def test_a_member_of_all_branches_finds_everything(server: Server, space: Space) -> None:
    index, pool = index_of(server, space)
    assert ids_matching(index, "page") == {"d1", "d5", "d9"}
    near = index.semantic_candidates("page 5", FIND, 3, (Place("d1", (0, 9), 1.0),))
    assert {hit.source.id for hit in near} == {"d1", "d5", "d9"}
    assert near[0].source.id == "d5"
    pool.close()


def test_rows_a_login_may_not_see_stay_hidden(server: Server, space: Space) -> None:
    id = str(schema.space_id(space.org, space.project))
    _, pool = index_of(server, space)
    numbers = "SELECT id, number FROM autology.source WHERE space = $1"
    known = dict(pool.query(numbers, id))
    pool.close()
    index, pool = index_of(server, space, "bob")
    assert ids_matching(index, "page") == {"d1", "d5"}
    assert {hit.source.id for hit in index.semantic_candidates("page 9", FIND, 3)} == {"d1", "d5"}

    def plan_of(connection: Connection) -> list[object]:
        rows = connection.run("SELECT autology.sources($1, $2)", id, list(known.values()))[0][0]
        vectors = connection.run("SELECT autology.vectors($1, $2, $3)", id, ["d1", "d5", "d9"], [0, 0, 0])[0][0]
        return [sorted(row[1] for row in rows), [at for at, _ in vectors]]

    assert pool.read(plan_of) == [["d1", "d5"], [1, 2]]
    pool.close()


def test_functions_return_nothing_of_another_space_or_without_one(server: Server, space: Space) -> None:
    id = str(schema.space_id(space.org, space.project))
    elsewhere = fixtures.pool(server, space.org, "other", "bob")
    with pytest.raises(HubError, match="not open to bob"):
        elsewhere.query("SELECT autology.sources($1, $2)", id, [1])
    elsewhere.close()
    nowhere = ConnectionPool(parse_dsn(server.dsn("bob")), "")
    assert nowhere.query("SELECT autology.sources($1, $2)", id, [1]) == [[[]]]
    assert nowhere.query("SELECT * FROM autology.linked($1, $2, 9)", id, ["d1"]) == []
    nowhere.close()
