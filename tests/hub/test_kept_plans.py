"""A hub from before plans were kept answers after the step as it did before, and says what to do until then."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from autology.hub import schema
from autology.hub.address import read
from autology.hub.index import PostgresIndex
from autology.hub.link import Link, Links
from autology.model.errors import HubError
from autology.model.hit import Place
from tests.hub import fixtures
from tests.hub.servers import Server
from tests.hub.test_migration import EVERY, FIND, SPACE, Scattered, an_index, fill, ids

BEFORE = next(at for at, step in enumerate(EVERY) if step.name == "speed")
SCALED = next(at for at, step in enumerate(EVERY) if step.name == "scale")


@pytest.fixture
def old() -> Iterator[Server]:
    """A hub as it was before, with three documents; the last of them is of a branch that bob may not see."""
    server = Server()
    try:
        server.make()
        links = Links(read(server.dsn()), f"-c autology.space={SPACE} -c autology.branches=*")
        schema.migrate(links, all_steps=EVERY[:SCALED])
        schema.open_space(links, "acme", "old")
        links.write(fill)
        schema.migrate(links, all_steps=EVERY[:BEFORE])
        fixtures.a_login(server, "bob")
        links.write(lambda link: link.run("SELECT autology.give($1, 'reader', 'main')", "bob"))
        links.close()
        yield server
    finally:
        server.gone()


def test_it_says_what_to_do_and_then_finds_the_same(old: Server) -> None:
    index, links = an_index(old)
    with pytest.raises(HubError, match="hub migrate"):
        ids(index, "quokka")
    links.close()
    owner = Links(read(old.dsn()))
    assert schema.migrate(owner) == len(EVERY) - BEFORE
    owner.close()
    index, links = an_index(old)
    assert ids(index, "quokka") == ["d5", "d1"]
    near = index.meaning("page 5", FIND, 3, (Place("d1", (0, 9), 1.0),))
    assert [hit.source.id for hit in near][:1] == ["d5"]
    assert len(near) == 3
    links.close()


def test_what_a_login_may_not_see_stays_hidden_from_it(old: Server) -> None:
    owner = Links(read(old.dsn()))
    schema.migrate(owner)
    owner.close()
    links = Links(read(old.dsn("bob")), f"-c autology.space={SPACE} -c autology.branches=*")
    index = PostgresIndex(links, SPACE, Scattered)  # type: ignore[arg-type]
    assert sorted(ids(index, "page")) == ["d1", "d5"]
    assert {hit.source.id for hit in index.meaning("page 9", FIND, 3)} == {"d1", "d5"}

    def asked(link: Link) -> list[object]:
        every = [1, 5, 9], ["d1", "d5", "d9"]
        told = link.run("SELECT autology.sources($1, $2)", str(SPACE), every[0])[0][0]
        rows = link.run("SELECT autology.vectors($1, $2, $3)", str(SPACE), every[1], [0, 0, 0])[0][0]
        return [sorted(row[1] for row in told), [at for at, _ in rows]]

    assert links.read(asked) == [["d1", "d5"], [1, 2]]
    links.close()
    elsewhere = schema.space_id("acme", "other")
    owner = Links(read(old.dsn()))
    schema.open_space(owner, "acme", "other")
    owner.close()
    links = Links(read(old.dsn("bob")), f"-c autology.space={elsewhere}")
    with pytest.raises(HubError, match="not open to bob"):
        links.read(lambda link: link.run("SELECT autology.sources($1, $2)", str(SPACE), [1]))
    links.close()
    links = Links(read(old.dsn("bob")), "")
    assert links.read(lambda link: link.run("SELECT autology.sources($1, $2)", str(SPACE), [1])) == [[[]]]
    assert links.read(lambda link: link.run("SELECT * FROM autology.linked($1, $2, 9)", str(SPACE), ["d1"])) == []
    links.close()
