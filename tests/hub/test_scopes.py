"""Who sees and writes what is the database's to say: asked through the tools, and past them in plain SQL."""

from __future__ import annotations

import threading
from urllib.parse import quote
from uuid import uuid4

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from autology.core.content.files import Stamp
from autology.core.index.changes import Gone, Put
from autology.hub.model import ADMIN, KEPT, READER, SAME, WRITER, Offer, Space
from autology.hub.postgres import schema
from autology.hub.postgres.address import parse_dsn
from autology.hub.postgres.connection import Connection
from autology.hub.postgres.connection_pool import ConnectionPool
from autology.hub.postgres.hub import PostgresHub
from autology.hub.postgres.space_servers import Access
from autology.hub.search.server import HubServer
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


def visible_ids(hub: PostgresHub) -> set[str]:
    """What one finds by words, by listing, by tags: every way must agree."""
    by_words = {
        hit.source.id for hit in hub.index.lexical_candidates(Terms((("quokka",),)), Filter(kind=MEMORY), False, 50)
    }
    listed = {source.id for source in hub.index.listed(Filter(kind=MEMORY), -1, "")}
    tags = {tag for (tag,) in hub.pool.query("SELECT tag FROM autology.tag")}
    says = {text for (text,) in hub.pool.query("SELECT says FROM autology.text")}
    assert by_words == listed == tags
    assert bool(says - {None}) == bool(listed)
    return listed


def sql(server: Server, user: str, settings: str, ask: str, *values: object) -> list[list[object]]:
    pool = ConnectionPool(parse_dsn(server.dsn(user)), settings)
    try:
        return pool.query(ask, *values)
    finally:
        pool.close()


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
def test_without_a_space_every_table_is_empty(server: Server, space: Space, table: str) -> None:
    ada = fixtures.a_hub(server, space, "ada", READER)
    ada.close()
    assert sql(server, "ada", "", f"SELECT * FROM autology.{table}") == []


@pytest.mark.parametrize("table", TABLES)
def test_a_space_of_others_is_an_error(server: Server, space: Space, table: str) -> None:
    fixtures.a_login(server, "eve")
    with pytest.raises(HubRefusedError, match="not open to eve"):
        sql(server, "eve", at(space), f"SELECT * FROM autology.{table}")


@pytest.mark.parametrize("table", ["space", "member", "posting", "volume", "op", "migration"])
def test_internal_tables_can_be_read_only_through_functions(server: Server, space: Space, table: str) -> None:
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
def test_security_definer_functions_check_the_scope_themselves(server: Server, space: Space, call: str) -> None:
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
        ada.pool.execute(statement)
    assert visible_ids(ada) == {"plain", "branched"}
    ada.close()


def test_a_writer_writes_into_no_other_space(server: Server, space: Space) -> None:
    other = fixtures.a_space("other")
    for one in (space, other):
        fixtures.a_hub(server, one, "ada", WRITER if one is space else READER).close()
    strange = schema.space_id(other.org, other.project)
    ada = fixtures.a_hub(server, space, "ada", WRITER)
    with pytest.raises(HubError, match="row-level security"):
        ada.pool.execute("INSERT INTO autology.remark(space, name, text) VALUES ($1, 'a', 'b')", str(strange))
    ada.close()


def test_a_branch_member_sees_that_branch_and_rows_without_a_branch(server: Server, space: Space) -> None:
    grace = fixtures.a_hub(server, space, "grace", WRITER, "main")
    assert visible_ids(grace) == {"plain"}
    grace.index.apply([a_memory("mine", "main")])
    assert visible_ids(grace) == {"plain", "mine"}
    with pytest.raises(HubError, match="row-level security"):
        grace.index.apply([a_memory("theirs", "release")])
    with pytest.raises(HubError):
        grace.index.apply([a_memory("everybodys")])
    grace.index.apply([Gone(a_memory("plain").path)])  # is not theirs to remove, and stays
    assert visible_ids(grace) == {"plain", "mine"}
    grace.close()
    settings = f"{at(space)} -c autology.branches=release"
    with pytest.raises(HubRefusedError, match="the branch release is not open to grace"):
        sql(server, "grace", settings, "SELECT * FROM autology.source")


def test_a_revoked_role_is_gone_immediately(server: Server, space: Space) -> None:
    ada = fixtures.a_hub(server, space, "ada", WRITER)
    assert (ada.role(), len(visible_ids(ada))) == (WRITER, 2)
    owner = fixtures.a_hub(server, space)
    assert owner.revoke("ada") == 1
    with pytest.raises(HubRefusedError):
        visible_ids(ada)  # on the very same connection
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

    def take_back(hub: PostgresHub, login: str) -> None:
        def both(connection: Connection) -> None:
            connection.run("SELECT autology.role_in(autology.here())")
            meet.wait(fixtures.PATIENCE)
            connection.run("SELECT autology.take_back($1, NULL)", login)

        try:
            hub.pool.write(both, 2 * fixtures.PATIENCE)
        except HubError as error:
            refused.append(error)

    threads = [threading.Thread(target=take_back, args=pair) for pair in ((one, "grace"), (two, "ada"))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(3 * fixtures.PATIENCE)
    assert len(refused) == 1
    assert {one.role(), two.role()} == {ADMIN, None}
    one.close()
    two.close()


LOGINS = ("ann", "bob")
SPACES = ("one", "two")
BRANCHES = (None, "b1", "b2")


def open_to(held: dict[str, str | None], mine: dict[str, str]) -> set[str]:
    """What of *held*, by its branches, who may so much is shown."""
    return {name for name, branch in held.items() if mine and (branch is None or "" in mine or branch in mine)}


class Isolation(RuleBasedStateMachine):
    """Rights come and go, memories are written and kept; what each login finds is always what a plain model says.

    Asked in every way that there is: by words, in lists and in plain SQL, as what is kept, and as a find that goes
    through all spaces of the server.
    """

    server: Server

    @initialize()
    def begin(self) -> None:
        self.org = fixtures.a_space().org
        self.rights: dict[tuple[str, str], dict[str, str]] = {}
        self.held: dict[str, dict[str, str | None]] = {name: {} for name in SPACES}
        self.kept: dict[str, dict[str, str | None]] = {name: {} for name in SPACES}
        self.owners = {name: fixtures.a_hub(self.server, Space(self.org, name)) for name in SPACES}
        for login in LOGINS:
            fixtures.a_login(self.server, login)
        self.seen = {
            (login, name): fixtures.a_hub(self.server, Space(self.org, name), login)
            for login in LOGINS
            for name in SPACES
        }

    @rule(login=st.sampled_from(LOGINS), space=st.sampled_from(SPACES), role=st.sampled_from([READER, WRITER, ADMIN]),
          branch=st.sampled_from(["", "b1", "b2"]))  # fmt: skip
    def grant(self, login: str, space: str, role: str, branch: str) -> None:
        self.owners[space].grant(login, role, branch)
        self.rights.setdefault((login, space), {})[branch] = role

    @rule(login=st.sampled_from(LOGINS), space=st.sampled_from(SPACES))
    def revoke(self, login: str, space: str) -> None:
        self.owners[space].revoke(login)
        self.rights.pop((login, space), None)

    def may(self, login: str, space: str, branch: str | None) -> bool:
        mine = self.rights.get((login, space), {})
        return any(mine.get(each) in (WRITER, ADMIN) for each in ("", branch) if each is not None)

    @rule(login=st.sampled_from(LOGINS), space=st.sampled_from(SPACES), branch=st.sampled_from(BRANCHES),
          number=st.integers(1, 3))  # fmt: skip
    def write(self, login: str, space: str, branch: str | None, number: int) -> None:
        name = f"{space}-{branch}-{number}"
        try:
            self.seen[login, space].index.apply([a_memory(name, branch)])
        except HubError:
            assert not self.may(login, space, branch)
        else:
            assert self.may(login, space, branch)
            self.held[space][name] = branch

    @rule(login=st.sampled_from(LOGINS), space=st.sampled_from(SPACES), branch=st.sampled_from(BRANCHES))
    def store(self, login: str, space: str, branch: str | None) -> None:
        id = f"kept-{branch}"
        offer = Offer(str(uuid4()), Space(self.org, space), id, 0, "observation", branch, f"of {branch}")
        try:
            assert self.seen[login, space].store(offer, None).outcome in (KEPT, SAME)
        except HubError:
            assert not self.may(login, space, branch)
        else:
            assert self.may(login, space, branch)
            self.kept[space][id] = branch

    @rule(login=st.sampled_from(LOGINS), space=st.sampled_from(SPACES))
    def grants_oneself(self, login: str, space: str) -> None:
        if ADMIN in self.rights.get((login, space), {}).values():
            return
        with pytest.raises(HubError):
            self.seen[login, space].grant(login, ADMIN)

    @invariant()
    def everyone_finds_what_is_theirs_to_find(self) -> None:
        for (login, space), hub in getattr(self, "seen", {}).items():
            mine = self.rights.get((login, space), {})
            if not mine:
                for ask in (lambda hub=hub: visible_ids(hub), hub.versions, lambda hub=hub: hub.history("kept-None")):
                    with pytest.raises(HubRefusedError):
                        ask()
                continue
            assert visible_ids(hub) == open_to(self.held[space], mine)
            assert hub.versions().keys() == open_to(self.kept[space], mine)
            for id, branch in self.kept[space].items():
                assert bool(hub.history(id)) == (id in open_to({id: branch}, mine))

    @invariant()
    def a_find_through_all_spaces_finds_no_more(self) -> None:
        for login in LOGINS if hasattr(self, "seen") else ():
            hub = self.seen[login, SPACES[0]]
            peer = HubServer(hub, lambda hub=hub: [each for each in hub.spaces() if each.org == self.org])
            parts = peer.sources("quokka", Filter(kind=MEMORY), 50, semantic=False)
            result = {(space.project, hit.source.id) for part in parts for space, hit in part}
            assert result == {
                (space, name)
                for space in SPACES
                for name in open_to(self.held[space], self.rights.get((login, space), {}))
            }

    def teardown(self) -> None:
        for hub in (*getattr(self, "seen", {}).values(), *getattr(self, "owners", {}).values()):
            hub.close()


def test_no_sequence_of_grants_revocations_and_writes_exposes_foreign_rows(server: Server) -> None:
    machine = type("Machine", (Isolation,), {"server": server})
    quietly = settings(max_examples=5, stateful_step_count=8)
    run_state_machine_as_test(machine, settings=quietly)  # type: ignore[no-untyped-call]


def test_a_hub_is_set_up_by_an_owner_who_is_no_superuser(server: Server) -> None:
    root = ConnectionPool(parse_dsn(server.dsn()))
    root.query("CREATE ROLE managed LOGIN CREATEROLE")
    root.query("CREATE DATABASE managed OWNER managed")
    root.query("CREATE ROLE judy LOGIN")
    root.query("GRANT autology_member TO managed WITH ADMIN OPTION")  # another database made it
    root.close()
    inside = ConnectionPool(parse_dsn(server.dsn("", "managed")))
    inside.query("CREATE EXTENSION vector")
    inside.close()
    space = Space("managed", "p")
    owner = PostgresHub([("*", parse_dsn(server.dsn("managed", "managed")))], space)
    assert owner.schema_state().step == 0
    assert owner.role() is None
    assert owner.migrate() == len(schema.migrations())
    assert owner.create_space(64) is True
    owner.grant("judy", READER)
    owner.index.apply([a_memory("plain"), a_memory("branched", "release")])
    judy = PostgresHub([("*", parse_dsn(server.dsn("judy", "managed")))], space)
    assert visible_ids(judy) == {"plain", "branched"}
    with pytest.raises(HubError):
        judy.index.apply([a_memory("more")])
    assert visible_ids(owner) == {"plain", "branched"}
    owner.close()
    judy.close()


# ---- tries to get in -------------------------------------------------------------------------------


def test_a_user_defined_operator_does_not_bypass_row_level_security(server: Server, space: Space) -> None:
    grace = fixtures.a_hub(server, space, "grace", WRITER, "main")
    owner = ConnectionPool(parse_dsn(server.dsn()))
    for statement in (
        "CREATE SCHEMA IF NOT EXISTS evil",
        "GRANT USAGE, CREATE ON SCHEMA evil TO grace",
    ):
        owner.execute(statement)
    owner.close()
    shadow = (
        "CREATE OR REPLACE FUNCTION evil.yes(text, text) RETURNS boolean LANGUAGE sql AS 'SELECT true'",
        "DROP OPERATOR IF EXISTS evil.= (text, text)",
        "CREATE OPERATOR evil.= (LEFTARG = text, RIGHTARG = text, FUNCTION = evil.yes)",
        "CREATE OR REPLACE FUNCTION evil.current_setting(text, boolean) RETURNS text LANGUAGE sql AS $$ SELECT '*' $$",
        "CREATE OR REPLACE FUNCTION evil.nullif(text, text) RETURNS text LANGUAGE sql AS $$ SELECT NULL $$",
    )
    for statement in shadow:
        grace.pool.execute(statement)

    def shadowed(connection: Connection) -> list[list[object]]:
        connection.run("SET LOCAL search_path = evil, pg_catalog, autology")
        rows = connection.run("SELECT id FROM autology.source")
        connection.run("SET LOCAL search_path = pg_temp, evil, autology, pg_catalog")
        return rows + connection.run("SELECT id FROM autology.source")

    assert grace.pool.write(shadowed) == [["plain"], ["plain"]]

    def forged(connection: Connection) -> None:
        connection.run("SET LOCAL search_path = evil, pg_catalog, autology")
        connection.run(
            "INSERT INTO autology.tag(space, tag, source)"
            " SELECT autology.here(), 'mine', s.number FROM autology.source s"
        )

    with pytest.raises(HubError, match="row-level security"):
        grace.pool.write(forged)
    grace.close()


def test_a_leaky_function_sees_no_hidden_rows(server: Server, space: Space) -> None:
    grace = fixtures.a_hub(server, space, "grace", READER, "main")

    def peek(connection: Connection) -> list[list[object]]:
        connection.run("CREATE TEMP TABLE seen(id text) ON COMMIT DROP")
        connection.run(
            "CREATE FUNCTION pg_temp.peek(text) RETURNS boolean LANGUAGE plpgsql COST 0.0001 AS"
            " $$ BEGIN INSERT INTO pg_temp.seen VALUES ($1); RETURN true; END $$"
        )
        connection.run("SELECT id FROM autology.source WHERE pg_temp.peek(id)")
        connection.run(
            "SELECT id FROM autology.text t JOIN autology.source s USING (space) WHERE pg_temp.peek(says || id)"
        )
        return connection.run("SELECT DISTINCT id FROM pg_temp.seen WHERE id ~ 'branched'")

    assert grace.pool.write(peek) == []
    grace.close()


@pytest.mark.parametrize(
    "statement",
    [
        "SET ROLE owner",
        "SET SESSION AUTHORIZATION owner",
        "SET row_security = off; SELECT * FROM autology.source",
        "ALTER TABLE autology.source DISABLE ROW LEVEL SECURITY",
        "ALTER POLICY reading ON autology.source USING (true)",
        "CREATE OR REPLACE FUNCTION autology.here() RETURNS uuid LANGUAGE sql AS 'SELECT NULL::uuid'",
        "GRANT SELECT ON autology.space TO PUBLIC",
        "SELECT autology.forget(autology.here(), 'owner', gen_random_uuid())",
        "SELECT autology.merge_all(autology.here())",
        "SELECT autology.noted(gen_random_uuid(), 'a', 'b', 1, 'c')",
        "INSERT INTO autology.member(space, login, role) VALUES (autology.here(), 'grace', 'admin')",
        "UPDATE autology.placing SET state = 'gone', place = 'evil:5432/x'",
        "INSERT INTO autology.placing(space, state, place) VALUES (autology.here(), 'gone', 'evil:5432/x')",
        "SELECT autology.prune(gen_random_uuid(), 1, 1, true)",
        "COPY autology.source TO PROGRAM 'cat'",
    ],
)
def test_statements_beyond_a_writers_role_are_refused(server: Server, space: Space, statement: str) -> None:
    grace = fixtures.a_hub(server, space, "grace", WRITER)
    with pytest.raises(HubError):
        grace.pool.execute(statement)
    assert grace.role() == WRITER
    grace.close()


def test_set_role_does_not_change_who_is_asking(server: Server, space: Space) -> None:
    """The role that all share may nothing by itself: who asks is whoever connected."""
    grace = fixtures.a_hub(server, space, "grace", READER, "main")

    def as_all(connection: Connection) -> list[list[object]]:
        connection.run("SET LOCAL ROLE autology_member")
        return connection.run("SELECT id FROM autology.source")

    assert grace.pool.write(as_all) == [["plain"]]
    grace.close()


NAMES = ("o'brien; drop table autology.source; --", 'per"cent%s', "autology_member\\", "ада", "$$x$$", "-c role=owner")


@pytest.mark.parametrize("name", NAMES)
def test_names_are_names_whatever_they_look_like(server: Server, name: str) -> None:
    space = Space(f"{fixtures.a_space().org}{name}", name)
    hub = fixtures.a_hub(server, space, "ada", ADMIN)
    quoted = name.replace('"', '""')
    owner = ConnectionPool(parse_dsn(server.dsn()))
    if not owner.query("SELECT FROM pg_roles WHERE rolname = $1", name):
        owner.execute(f'CREATE ROLE "{quoted}" LOGIN')
    owner.close()
    hub.grant(name, WRITER, name)
    assert [member.branch for member in hub.members() if member.login == name] == [name]
    hub.index.apply([a_memory("plain"), a_memory("named", name)])
    assert visible_ids(hub) == {"plain", "named"}
    where = Filter(kind=MEMORY, tags=(name,))
    assert hub.index.lexical_candidates(Terms(((name,),)), where, False, 9) == []
    who = f"postgresql://{quote(name, safe='')}@127.0.0.1:{server.port}/postgres"
    result = PostgresHub([("*", parse_dsn(who))], space, Access(branch=lambda: name))
    if " " not in name:  # a setting of several is split there: then nothing is open, and nothing more
        assert visible_ids(result) == {"plain", "named"}
    else:
        with pytest.raises(HubRefusedError, match="is not open to"):
            visible_ids(result)
    assert hub.revoke(name) == 1
    with pytest.raises(HubRefusedError):
        visible_ids(result)
    result.close()
    hub.close()


def test_a_branch_writer_cannot_add_rows_to_sources_of_others(server: Server, space: Space) -> None:
    grace = fixtures.a_hub(server, space, "grace", WRITER, "main")
    grace.index.apply([a_memory("mine", "main")])
    number = "(SELECT s.number FROM autology.source s WHERE s.id = 'plain')"
    here = "(space, {}) VALUES (autology.here(), {})"
    for table, columns, values in (
        ("tag", "tag, source", f"'forged', {number}"),
        ("reference", "path, source", f"'forged.py', {number}"),
        ("alias", "alias, source", f"'forged', {number}"),
        ("title_word", "word, source", f"'forged', {number}"),
        ("edge", "from_number, source, type, target, confidence, kind", f"{number}, 'plain', 'x', 'mine', 1, 'memory'"),
        (
            "text",
            "number, source, field, kind, branch, length, words, says",
            f"99999, {number}, 'body', 'memory', 'main', 1, '', 'forged'",
        ),
    ):
        statement = f"INSERT INTO autology.{table}{here.format(columns, values)}"
        with pytest.raises(HubError, match="row-level security"):
            grace.pool.execute(statement)
        grace.pool.execute(f"DELETE FROM autology.{table}")
    owner = fixtures.a_hub(server, space)
    ask = "SELECT DISTINCT tag FROM autology.tag WHERE space = autology.here() ORDER BY 1"
    tags = owner.pool.query(ask)
    assert tags == [["branched"], ["plain"]]  # of what is theirs all went, and of the rest nothing
    owner.close()
    grace.close()
