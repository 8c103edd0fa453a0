"""Who sees and writes what is the database's to say: asked through the tools, and past them in plain SQL."""

from __future__ import annotations

import threading

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from autology.core.hub.port import ADMIN, READER, WRITER, Space
from autology.core.ports import Gone, Put, Stamp
from autology.hub import schema
from autology.hub.address import read
from autology.hub.link import Link, Links
from autology.hub.team import TeamHub
from autology.model.entry import MEMORY, Entry
from autology.model.errors import HubError, HubRefusedError
from autology.model.passage import Passage
from autology.model.query import Filter, Terms
from tests.hub import fixtures
from tests.hub.servers import Server

DAY = "2026-03-01T00:00:00Z"


def a_memory(name: str, branch: str | None = None) -> Put:
    entry = Entry(name, MEMORY, "observation", f"about {name}", DAY, DAY, tags=(name,), branch=branch)
    return Put(f".autology/memory/observation/{name}.md", Stamp(1, 1), entry, (Passage(0, 9, "", "the secret quokka"),))


def found(hub: TeamHub) -> set[str]:
    """What one finds by words, by listing, by tags: every way must agree."""
    by_words = {hit.source.id for hit in hub.index.words(Terms((("quokka",),)), Filter(kind=MEMORY), False, 50)}
    listed = {source.id for source in hub.index.listed(Filter(kind=MEMORY), -1, "")}
    tags = {tag for (tag,) in hub.links.read(lambda link: link.run("SELECT tag FROM autology.tag"))}
    says = {text for (text,) in hub.links.read(lambda link: link.run("SELECT says FROM autology.text"))}
    assert by_words == listed == tags
    assert bool(says - {None}) == bool(listed)
    return listed


def sql(server: Server, user: str, settings: str, ask: str, *values: object) -> list[list[object]]:
    links = Links(read(server.dsn(user)), settings)
    try:
        return links.read(lambda link: link.run(ask, *values))
    finally:
        links.close()


@pytest.fixture
def space(server: Server) -> Space:
    made = fixtures.a_space("secret")
    hub = fixtures.a_hub(server, made)
    hub.index.apply([a_memory("plain"), a_memory("branched", "release")])
    hub.close()
    return made


def at(space: Space) -> str:
    return f"-c autology.space={schema.space_id(space.org, space.project)}"


TABLES = (
    "source", "text", "tag", "reference", "alias", "title_word", "edge", "problem", "remark", "kept", "history",
    "consent", "said",
)  # fmt: skip


@pytest.mark.parametrize("table", TABLES)
def test_without_a_space_there_is_nothing_to_see(server: Server, space: Space, table: str) -> None:
    ada = fixtures.a_hub(server, space, "ada", READER)
    ada.close()
    assert sql(server, "ada", "", f"SELECT * FROM autology.{table}") == []


@pytest.mark.parametrize("table", TABLES)
def test_a_space_of_others_is_an_error(server: Server, space: Space, table: str) -> None:
    fixtures.a_login(server, "eve")
    with pytest.raises(HubRefusedError, match="not open to eve"):
        sql(server, "eve", at(space), f"SELECT * FROM autology.{table}")


@pytest.mark.parametrize("table", ["space", "member", "posting", "volume", "op", "migration"])
def test_what_belongs_to_the_hub_itself_is_read_by_its_functions_alone(
    server: Server, space: Space, table: str
) -> None:
    ada = fixtures.a_hub(server, space, "ada", ADMIN)
    ada.close()
    with pytest.raises(HubRefusedError, match="permission denied"):
        sql(server, "ada", at(space), f"SELECT * FROM autology.{table}")


@pytest.mark.parametrize(
    "call",
    [
        "measured(null, '{quokka}')",
        "candidates('body', null, '{quokka}', '{1}', '{1}', 10)",
        "beginning(null, 'q')",
        "volume_of('body', null)",
        "members()",
        "remains('owner')",
    ],
)
def test_the_functions_apply_the_scope_again(server: Server, space: Space, call: str) -> None:
    fixtures.a_login(server, "eve")
    with pytest.raises(HubRefusedError):
        sql(server, "eve", at(space), f"SELECT * FROM autology.{call}")
    rows = sql(server, "eve", "", f"SELECT * FROM autology.{call}")
    assert all(value in (0, "0") or isinstance(value, str) for row in rows for value in row), "nothing is counted"


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO autology.remark(space, name, text) VALUES (autology.here(), 'x', 'y')",
        "UPDATE autology.source SET title = 'mine'",
        "DELETE FROM autology.source",
        "SELECT autology.number(1)",
        "SELECT autology.post('[]')",
        "SELECT autology.keep(gen_random_uuid(), 'x', 0, 'observation', null, 'text')",
        "SELECT autology.agree(gen_random_uuid())",
        "SELECT autology.give('ada', 'admin', '')",
        "SELECT autology.take_back('owner', null)",
        "INSERT INTO autology.audit(space, op, login, action) VALUES (autology.here(), gen_random_uuid(), 'ada', 'a')",
        "UPDATE autology.kept SET file = ''",
        "DELETE FROM autology.history",
    ],
)
def test_a_reader_changes_nothing(server: Server, space: Space, statement: str) -> None:
    ada = fixtures.a_hub(server, space, "ada", READER)
    with pytest.raises(HubError):
        ada.links.write(lambda link: link.run(statement))
    assert found(ada) == {"plain", "branched"}
    ada.close()


def test_a_writer_writes_into_no_other_space(server: Server, space: Space) -> None:
    other = fixtures.a_space("other")
    for one in (space, other):
        fixtures.a_hub(server, one, "ada", WRITER if one is space else READER).close()
    strange = schema.space_id(other.org, other.project)
    ada = fixtures.a_hub(server, space, "ada", WRITER)
    with pytest.raises(HubError, match="row-level security"):
        ada.links.write(
            lambda link: link.run("INSERT INTO autology.remark(space, name, text) VALUES ($1, 'a', 'b')", str(strange))
        )
    ada.close()


def test_who_may_one_branch_sees_that_and_what_is_of_none(server: Server, space: Space) -> None:
    grace = fixtures.a_hub(server, space, "grace", WRITER, "main")
    assert found(grace) == {"plain"}
    grace.index.apply([a_memory("mine", "main")])
    assert found(grace) == {"plain", "mine"}
    with pytest.raises(HubError, match="row-level security"):
        grace.index.apply([a_memory("theirs", "release")])
    with pytest.raises(HubError):
        grace.index.apply([a_memory("everybodys")])
    grace.index.apply([Gone(a_memory("plain").path)])  # is not theirs to remove, and stays
    assert found(grace) == {"plain", "mine"}
    grace.close()
    settings = f"{at(space)} -c autology.branches=release"
    with pytest.raises(HubRefusedError, match="the branch release is not open to grace"):
        sql(server, "grace", settings, "SELECT * FROM autology.source")


def test_a_right_that_was_taken_back_is_gone_at_once(server: Server, space: Space) -> None:
    ada = fixtures.a_hub(server, space, "ada", WRITER)
    assert (ada.role(), len(found(ada))) == (WRITER, 2)
    owner = fixtures.a_hub(server, space)
    assert owner.revoke("ada") == 1
    with pytest.raises(HubRefusedError):
        found(ada)  # on the very same connection
    assert ada.role() is None
    with pytest.raises(HubError, match="keeps an admin"):
        owner.revoke("owner")
    with pytest.raises(HubError, match="no login called nobody-knows"):
        owner.grant("nobody-knows", READER)
    ada.close()
    owner.close()


def test_two_admins_who_take_back_each_others_rights_leave_one(server: Server) -> None:
    space = fixtures.a_space()
    one, two = (fixtures.a_hub(server, space, name, ADMIN) for name in ("ada", "grace"))
    assert one.revoke("owner") == 1
    refused: list[HubError] = []
    meet = threading.Barrier(2)

    def take_back(hub: TeamHub, login: str) -> None:
        def both(link: Link) -> None:
            link.run("SELECT autology.role_in(autology.here())")
            meet.wait(20)
            link.run("SELECT autology.take_back($1, NULL)", login)

        try:
            hub.links.write(both, 30)
        except HubError as error:
            refused.append(error)

    threads = [threading.Thread(target=take_back, args=pair) for pair in ((one, "grace"), (two, "ada"))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(40)
    assert len(refused) == 1
    assert {one.role(), two.role()} == {ADMIN, None}
    one.close()
    two.close()


LOGINS = ("ann", "bob")
SPACES = ("one", "two")
BRANCHES = (None, "b1", "b2")
_RANK = {READER: 1, WRITER: 2, ADMIN: 3}


class Isolation(RuleBasedStateMachine):
    """Rights come and go, memories are written; what each login finds is always what a plain model says."""

    server: Server

    @initialize()
    def begin(self) -> None:
        self.org = fixtures.a_space().org
        self.rights: dict[tuple[str, str], dict[str, str]] = {}
        self.held: dict[str, dict[str, str | None]] = {name: {} for name in SPACES}
        self.owners = {name: fixtures.a_hub(self.server, Space(self.org, name)) for name in SPACES}
        for login in LOGINS:
            fixtures.a_login(self.server, login)
        self.seen = {
            (login, name): fixtures.a_hub(self.server, Space(self.org, name), login)
            for login in LOGINS
            for name in SPACES
        }

    @rule(login=st.sampled_from(LOGINS), space=st.sampled_from(SPACES), role=st.sampled_from([READER, WRITER]),
          branch=st.sampled_from(["", "b1", "b2"]))  # fmt: skip
    def grant(self, login: str, space: str, role: str, branch: str) -> None:
        self.owners[space].grant(login, role, branch)
        self.rights.setdefault((login, space), {})[branch] = role

    @rule(login=st.sampled_from(LOGINS), space=st.sampled_from(SPACES))
    def revoke(self, login: str, space: str) -> None:
        self.owners[space].revoke(login)
        self.rights.pop((login, space), None)

    @rule(login=st.sampled_from(LOGINS), space=st.sampled_from(SPACES), branch=st.sampled_from(BRANCHES),
          number=st.integers(1, 3))  # fmt: skip
    def write(self, login: str, space: str, branch: str | None, number: int) -> None:
        name = f"{space}-{branch}-{number}"
        mine = self.rights.get((login, space), {})
        may = mine.get("") == WRITER or (branch is not None and mine.get(branch) == WRITER)
        try:
            self.seen[login, space].index.apply([a_memory(name, branch)])
        except HubError:
            assert not may
        else:
            assert may
            self.held[space][name] = branch

    @invariant()
    def everyone_finds_what_is_theirs_to_find(self) -> None:
        for (login, space), hub in getattr(self, "seen", {}).items():
            mine = self.rights.get((login, space), {})
            if not mine:
                with pytest.raises(HubRefusedError):
                    found(hub)
                continue
            open_to = {
                name for name, branch in self.held[space].items() if branch is None or "" in mine or branch in mine
            }
            assert found(hub) == open_to

    def teardown(self) -> None:
        for hub in (*getattr(self, "seen", {}).values(), *getattr(self, "owners", {}).values()):
            hub.close()


def test_whatever_is_granted_taken_back_and_written_nobody_finds_what_is_not_theirs(server: Server) -> None:
    machine = type("Machine", (Isolation,), {"server": server})
    quietly = settings(
        max_examples=6, stateful_step_count=10, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True
    )
    run_state_machine_as_test(machine, settings=quietly)  # type: ignore[no-untyped-call]


def test_a_hub_is_set_up_by_an_owner_who_is_no_superuser(server: Server) -> None:
    root = Links(read(server.dsn()))
    root.read(lambda link: link.run("CREATE ROLE managed LOGIN CREATEROLE"))
    root.read(lambda link: link.run("CREATE DATABASE managed OWNER managed"))
    root.read(lambda link: link.run("CREATE ROLE judy LOGIN"))
    root.read(lambda link: link.run("GRANT autology_member TO managed WITH ADMIN OPTION"))  # another database made it
    root.close()
    inside = Links(read(server.dsn("", "managed")))
    inside.read(lambda link: link.run("CREATE EXTENSION vector"))
    inside.close()
    space = Space("managed", "p")
    owner = TeamHub([("*", read(server.dsn("managed", "managed")))], space)
    assert owner.state().step == 0
    assert owner.role() is None
    assert owner.migrate() == len(schema.steps())
    assert owner.make(64) is True
    owner.grant("judy", READER)
    owner.index.apply([a_memory("plain"), a_memory("branched", "release")])
    judy = TeamHub([("*", read(server.dsn("judy", "managed")))], space)
    assert found(judy) == {"plain", "branched"}
    with pytest.raises(HubError):
        judy.index.apply([a_memory("more")])
    assert found(owner) == {"plain", "branched"}
    owner.close()
    judy.close()
