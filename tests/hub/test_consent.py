"""Conversations leave a machine by consent alone, and all of them are gone once that is taken back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from autology.hub.model import READER, WRITER, Space
from autology.hub.postgres.address import parse_dsn
from autology.hub.postgres.connection_pool import ConnectionPool
from autology.hub.postgres.hub import PostgresHub
from autology.hub.search.server import HubServer, SharedChunk
from autology.hub.sync.conversations import anonymous
from autology.model.conversation import Chunk
from autology.model.errors import HubError, HubRefusedError
from autology.model.query import Filter
from tests.hub import fixtures
from tests.hub.servers import Server


def a_chunk(number: int, text: str = "we retry payments three times") -> Chunk:
    at = f"2026-03-{number:02}T10:00:00Z"
    return Chunk(
        f"{number:024x}", "conversation", text, "assistant", at, at, "transcript", number, "session", "acme/p",
        "/home/ada/p", "exchange", "turn", "how do we retry?", participants=("user", "assistant"), files=("pay.py",),
    )  # fmt: skip


@pytest.fixture
def ada(server: Server) -> Iterator[PostgresHub]:
    hub = fixtures.a_hub(server, fixtures.a_space("p"), "ada", WRITER)
    yield hub
    hub.close()


def test_shared_chunks_contain_no_secrets_and_no_local_paths() -> None:
    files = ("/home/ada/p/a.py", "/etc/x", "b.py")
    result = replace(a_chunk(1, "the key is AKIAIOSFODNN7EXAMPLE"), path="/home/ada/p/src/pay.py", files=files)
    sent = anonymous(result)
    assert "AKIA" not in sent.text
    assert (sent.folder, sent.transcript, sent.path, sent.files) == ("p", "", "src/pay.py", ("a.py", "x", "b.py"))
    assert "/home" not in repr(sent)


def titles_of_hits(hub: PostgresHub, words: str = "retry payments") -> list[str]:
    return [each.chunk.id for each in shared_hits(hub, words)]


def shared_hits(hub: PostgresHub, words: str, since: str | None = None) -> list[SharedChunk]:
    parts = HubServer(hub, lambda: [hub.space]).chunks(words, Filter(kind=None, since=since), 10)
    return [each for part in parts for each in part]


def test_nothing_is_shared_before_one_agrees(ada: PostgresHub) -> None:
    assert not ada.has_consent()
    with pytest.raises(HubRefusedError, match="ada has not agreed"):
        ada.share_chunks([a_chunk(1)])
    assert titles_of_hits(ada) == []


def test_shared_conversations_are_found_by_others_with_the_login_that_shared_them(
    server: Server, ada: PostgresHub
) -> None:
    ada.give_consent()
    ada.share_chunks([a_chunk(1), a_chunk(2, "the cache is cold")])
    ada.share_chunks([a_chunk(1)])
    bob = fixtures.a_hub(server, ada.space, "bob", READER)
    assert titles_of_hits(bob, "three times") == [a_chunk(1).id]
    (one,) = shared_hits(bob, "three times")
    assert (one.login, one.chunk) == ("ada", a_chunk(1))
    assert [each.chunk.id for each in shared_hits(bob, "", "2026-03-02T00:00:00Z")] == [a_chunk(2).id]
    bob.close()


def test_consent_of_one_login_does_not_cover_another(server: Server, ada: PostgresHub) -> None:
    ada.give_consent()
    bob = fixtures.a_hub(server, ada.space, "bob", WRITER)
    with pytest.raises(HubRefusedError, match="bob has not agreed"):
        bob.share_chunks([a_chunk(3)])
    bob.close()


def test_withdrawing_consent_deletes_all_chunks_of_that_login_and_no_others(server: Server, ada: PostgresHub) -> None:
    bob = fixtures.a_hub(server, ada.space, "bob", WRITER)
    for hub in (ada, bob):
        hub.give_consent()
    ada.share_chunks([a_chunk(number, "we never told anybody of the zanzibar plan") for number in range(1, 9)])
    bob.share_chunks([a_chunk(9)])
    assert ada.remaining()["chunks"] == 8
    assert ada.withdraw_consent() == 8
    assert set(ada.remaining().values()) == {0}
    owner = fixtures.a_hub(server, ada.space)
    for table in ("source", "text", "said"):
        which = f"FROM autology.{table} WHERE space = autology.here() AND {table}::text LIKE '%zanzibar%'"
        assert owner.pool.query(f"SELECT count(*) {which}") == [[0]]  # type: ignore[misc]
    ask = "SELECT count(*) FROM autology.posting WHERE space = autology.here() AND term LIKE 'zanzibar%'"
    assert owner.pool.query(ask) == [[0]]
    assert (titles_of_hits(bob, "zanzibar plan"), titles_of_hits(bob)) == ([], [a_chunk(9).id])
    assert not ada.has_consent()
    with pytest.raises(HubRefusedError):
        ada.share_chunks([a_chunk(1)])
    owner.close()
    bob.close()


def test_a_reader_can_withdraw_consent(server: Server, ada: PostgresHub) -> None:
    ada.give_consent()
    ada.share_chunks([a_chunk(1)])
    owner = fixtures.a_hub(server, ada.space)
    owner.grant("ada", READER)
    assert ada.withdraw_consent() == 1
    assert titles_of_hits(owner) == []
    owner.close()


def everywhere(server: Server, word: str) -> dict[str, int]:
    """How many rows of which table say *word*, of all tables that the hub has."""
    owner = ConnectionPool(parse_dsn(server.dsn()))
    tables = (
        "SELECT table_name FROM information_schema.tables WHERE table_schema = 'autology' AND table_type = 'BASE TABLE'"
    )
    result = {}
    for (name,) in owner.query(tables):
        count = f"SELECT count(*) FROM autology.{name} t WHERE t::text ILIKE $1"
        many = owner.query(count, f"%{word}%")[0][0]  # type: ignore[misc]
        result[str(name)] = int(many)
    owner.close()
    return {name: many for name, many in result.items() if many}


@pytest.mark.parametrize("by", ["whoever said it", "an admin"])
def test_withdrawing_consent_works_after_the_role_was_revoked(server: Server, ada: PostgresHub, by: str) -> None:
    owner = fixtures.a_hub(server, ada.space)
    ada.give_consent()
    ada.share_chunks([a_chunk(number, "the xylophone plan is ours alone") for number in range(1, 4)])
    assert everywhere(server, "xylophone").keys() >= {"text", "said", "posting"}
    owner.revoke("ada")
    with pytest.raises(HubRefusedError):
        ada.versions()
    assert ada.remaining()["vectors"] == 0  # asked by whoever said it, who may see nothing else
    assert ada.remaining()["texts"] > 0
    assert (ada.withdraw_consent() if by == "whoever said it" else owner.withdraw_consent("ada")) == 3
    assert set(ada.remaining().values()) == set(owner.remaining("ada").values()) == {0}
    assert everywhere(server, "xylophone") == {}
    owner.close()


def test_only_an_admin_can_withdraw_consent_of_another_login(server: Server, ada: PostgresHub) -> None:
    ada.give_consent()
    ada.share_chunks([a_chunk(1)])
    bob = fixtures.a_hub(server, ada.space, "bob", WRITER)
    bob.give_consent()
    with pytest.raises(HubRefusedError, match="no admin"):
        bob.withdraw_consent("ada")
    for statement in (
        "DELETE FROM autology.source",
        "DELETE FROM autology.text",
        "UPDATE autology.source SET told_by = 'bob', kind = kind",
        "UPDATE autology.source SET kind = 'node'",
        "UPDATE autology.text SET says = 'something else'",
    ):
        bob.pool.execute(statement)
    with pytest.raises(HubError, match="row-level security"):
        bob.pool.execute(
            "INSERT INTO autology.text(space, number, source, field, kind, length, words, says)"
            " SELECT s.space, 9999, s.number, 'body', 'conversation', 1, '', 'that' FROM autology.source s"
        )
    assert shared_hits(bob, "retry")[0].login == "ada"
    assert shared_hits(bob, "retry")[0].chunk == a_chunk(1)
    eve = PostgresHub([("*", parse_dsn(server.dsn(fixtures.a_login(server, "eve"))))], ada.space)
    assert eve.withdraw_consent() == 0  # who said nothing, and may nothing, takes nothing out, and learns nothing
    assert ada.remaining()["chunks"] == 1
    for hub in (bob, eve):
        hub.close()


def test_a_space_of_others_is_not_asked(server: Server) -> None:
    stranger = PostgresHub(fixtures.a_hub(server, fixtures.a_space("x"))._servers, Space("nobody"))
    assert Space("nobody") not in stranger.spaces()
    stranger.close()
