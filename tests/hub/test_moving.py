"""A space goes to another server while it is used: nothing is lost, nothing is there twice, nobody need notice."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from autology.hub.model import KEPT, READER, WRITER, Space
from autology.hub.postgres import schema, space_move
from autology.hub.postgres.address import parse_dsn
from autology.hub.postgres.connection_pool import ConnectionPool
from autology.hub.postgres.hub import PostgresHub
from autology.hub.postgres.space_move import SpaceMove
from autology.hub.postgres.space_servers import Access
from autology.model.errors import HubAwayError, HubError, HubMovedError, HubRefusedError
from autology.model.query import Filter, Terms
from tests.hub import fixtures
from tests.hub.proxy import Proxy
from tests.hub.servers import Server
from tests.hub.test_consent import a_chunk
from tests.hub.test_faults import an_offer
from tests.hub.test_scopes import a_memory
from tests.unit.cli_kit import autology

PATIENCE = 60.0


@pytest.fixture(scope="module")
def other() -> Iterator[Server]:
    """A second server, to which spaces go."""
    with fixtures.running() as made:
        yield made


@pytest.fixture
def space(server: Server, other: Server) -> Space:
    """A space with memories of several branches, a conversation, a writer and a reader of one branch."""
    made = fixtures.a_space("moving")
    hub = fixtures.a_hub(server, made, "ada", WRITER)
    hub.give_consent()
    hub.share_chunks([a_chunk(1)])
    hub.index.apply([a_memory("plain"), a_memory("branched", "release")])
    for number in range(1, 30):
        hub.store(_offer(number, made), None)
    hub.close()
    fixtures.a_hub(server, made, "grace", READER, "main").close()
    for login in ("ada", "grace", "eve"):
        for each in (server, other):
            fixtures.a_login(each, login)
    return made


def _offer(number: int, space: Space):  # type: ignore[no-untyped-def]
    return replace(an_offer(number)[0], space=space)


def a_move(server: Server, other: Server, space: Space) -> SpaceMove:
    return SpaceMove(parse_dsn(server.dsn()), parse_dsn(other.dsn()), schema.space_id(space.org, space.project))


def hub_on(server: Server, other: Server, space: Space, user: str = "ada") -> PostgresHub:
    """The hub as somebody sees it whose file knows both servers, and says of the first that it keeps all."""
    return PostgresHub(
        [("*", parse_dsn(server.dsn(user))), ("nothing", parse_dsn(other.dsn(user)))], space, Access(deadline=20.0)
    )


def rows(server: Server, space: Space) -> int:
    """How many rows a server has of the space, whatever they are of."""
    owner = ConnectionPool(parse_dsn(server.dsn()))
    id = str(schema.space_id(space.org, space.project))
    tables = (
        "SELECT table_name FROM information_schema.columns WHERE table_schema = 'autology' AND column_name = 'space'"
    )
    names = [name for (name,) in owner.query(tables) if name != "placing"]
    count = " + ".join(f"(SELECT count(*) FROM autology.{name} WHERE space = $1)" for name in names)
    try:
        return int(owner.query(f"SELECT {count}", id)[0][0])
    finally:
        owner.close()


def test_a_move_never_reads_from_a_replica(server: Server, other: Server, space: Space) -> None:
    behind = Proxy(server.port)
    before = rows(server, space)
    at = [parse_dsn(f"{each.dsn()}?replicas=127.0.0.1:{behind.port}") for each in (server, other)]
    move = SpaceMove(at[0], at[1], schema.space_id(space.org, space.project))
    move.run()
    move.close()
    assert rows(other, space) == before
    assert behind.accepted == 0
    behind.close()


def test_a_move_during_writes_loses_and_duplicates_nothing(server: Server, other: Server, space: Space) -> None:
    hub = hub_on(server, other, space)
    before = hub.versions()
    received: list[int] = []
    failed: list[Exception] = []
    stop = threading.Event()

    def write() -> None:
        writer = hub_on(server, other, space)
        number = 100
        try:
            while not stop.is_set():
                number += 1
                offer, put = an_offer(number)
                while not stop.is_set():
                    try:
                        assert writer.store(replace(offer, space=space), put).outcome == KEPT
                        received.append(number)
                        break
                    except HubAwayError:  # held still: it waits, as in an outbox
                        time.sleep(0.02)
        except Exception as error:
            failed.append(error)
        finally:
            writer.close()

    def wait_for(many: int) -> None:
        until = time.monotonic() + PATIENCE
        while len(received) < many and not failed and time.monotonic() < until:
            time.sleep(0.01)
        assert len(received) >= many, failed

    going = threading.Thread(target=write)
    going.start()
    move = a_move(server, other, space)
    try:
        wait_for(5)
        done = move.run()
        wait_for(len(received) + 5)
    finally:
        stop.set()
        going.join(PATIENCE)
        move.close()
    assert not failed
    assert done.rows["kept"] >= len(before) + 5
    assert hub.versions().keys() >= {f"m{number}" for number in (*range(1, 30), *received)}
    assert set(hub.versions().values()) == {1}
    assert {len(hub.history(f"m{number}")) for number in received} == {1}
    assert hub.place == f"127.0.0.1:{other.port}/postgres"
    assert rows(server, space) == 0
    hits = hub.index.lexical_candidates(Terms((("quokka",),)), Filter(kind="memory"), False, 9)
    assert {hit.source.id for hit in hits} == {"plain", "branched"}
    late = hub.index.lexical_candidates(Terms(((str(received[-1]),),)), Filter(kind="memory"), False, 9)
    assert f"m{received[-1]}" in {hit.source.id for hit in late}
    assert hub.chunks([a_chunk(1).id])[a_chunk(1).id] == (a_chunk(1), "ada")
    hub.close()


def test_roles_are_the_same_on_the_target_after_a_move(server: Server, other: Server, space: Space) -> None:
    move = a_move(server, other, space)
    move.run()
    move.close()
    grace = hub_on(server, other, space, "grace")
    listed = {source.id for source in grace.index.listed(Filter(kind="memory"), -1, "")}
    assert listed == {"plain"}  # no more than one branch
    with pytest.raises(HubError):
        grace.index.apply([a_memory("more", "main")])
    eve = hub_on(server, other, space, "eve")
    with pytest.raises(HubRefusedError):
        eve.versions()
    ada = hub_on(server, other, space)
    assert ada.withdraw_consent() == 1
    assert set(ada.remaining().values()) == {0}
    for hub in (grace, eve, ada):
        hub.close()


def test_a_client_that_cannot_follow_a_move_is_told_the_new_server(server: Server, other: Server, space: Space) -> None:
    move = a_move(server, other, space)
    move.run()
    assert move.run().copied == 0  # called again it has nothing to do
    move.close()
    ada = PostgresHub([("*", parse_dsn(server.dsn("ada")))], space)
    with pytest.raises(HubMovedError, match=f"127.0.0.1:{other.port}/postgres.*hub_dsn_file"):
        ada.versions()
    assert space not in ada.spaces()
    ada.close()


@pytest.mark.parametrize("at", ["_synchronise", "_hand_over", "_compare", "_arrive", "_erase_source"])
def test_a_move_interrupted_anywhere_leaves_one_complete_copy_and_can_be_resumed(
    server: Server, other: Server, space: Space, at: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class StopError(Exception):
        pass

    def stop(*_: object) -> None:
        raise StopError

    move = a_move(server, other, space)
    with monkeypatch.context() as patched:
        patched.setattr(space_move.SpaceMove, at, stop)
        with pytest.raises(StopError):
            move.run()
    move.close()
    hub = hub_on(server, other, space)
    if at == "_arrive":  # handed over, and not taken yet: nobody can write on either
        with pytest.raises(HubAwayError):
            hub.versions()
    else:
        assert hub.store(_offer(50, space), None).outcome == KEPT
    again = a_move(server, other, space)
    again.run()
    again.close()
    assert len(hub.versions()) == (29 if at == "_arrive" else 30)
    assert rows(server, space) == 0
    hub.close()


def test_an_aborted_move_leaves_the_space_in_place_and_no_rows_on_the_target(
    server: Server, other: Server, space: Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    move = a_move(server, other, space)
    with monkeypatch.context() as patched:
        patched.setattr(space_move.SpaceMove, "_hand_over", lambda _: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            move.run()
    assert rows(other, space) > 0
    before = rows(server, space)
    move.abort()
    assert (rows(other, space), rows(server, space)) == (0, before)
    hub = hub_on(server, other, space)
    assert hub.store(_offer(50, space), None).outcome == KEPT
    move.run()
    with pytest.raises(HubError, match="handed the space over already"):
        move.abort()
    move.close()
    hub.close()


def test_a_space_moved_there_and_back_is_unchanged(server: Server, other: Server, space: Space) -> None:
    for one, two in ((server, other), (other, server)):
        move = a_move(one, two, space)
        move.run()
        move.close()
    hub = hub_on(server, other, space)
    assert len(hub.versions()) == 29
    assert (rows(other, space), hub.place) == (0, f"127.0.0.1:{server.port}/postgres")
    hub.close()


def test_an_unsuitable_target_is_refused_before_copying(server: Server, other: Server, space: Space) -> None:
    same = a_move(server, server, space)
    with pytest.raises(HubError, match="already hosts the space"):
        same.run()
    same.close()
    fixtures.a_hub(other, space).close()
    taken = a_move(server, other, space)
    with pytest.raises(HubError, match="has a space of that name"):
        taken.run()
    taken.close()
    strange = fixtures.a_space("strange")
    fixtures.a_hub(server, strange, "only-here", WRITER).close()
    unknown = a_move(server, other, strange)
    with pytest.raises(HubError, match=r"does not know 1 of the space.s logins.*only-here"):
        unknown.run()
    unknown.close()


def test_two_migrations_of_a_space_at_once_are_refused(server: Server, other: Server, space: Space) -> None:
    first, second = (a_move(server, other, space) for _ in range(2))
    with first._exclusive(), pytest.raises(HubError, match="another migration of this space is already running"):
        second.run()
    for move in (first, second):
        move.close()


def test_a_space_is_moved_and_a_move_aborted_by_command(
    server: Server, other: Server, space: Space, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    address = tmp_path / "address"
    address.write_text(f"{other.dsn()}\n", encoding="utf-8")
    address.chmod(0o600)
    monkeypatch.setenv("AUTOLOGY_HUB_DSN", server.dsn())

    def run_json(*words: str) -> dict[str, object]:
        capsys.readouterr()
        assert autology("hub", "move", str(space), str(address), *words, "--json", project=tmp_path) == 0
        return json.loads(capsys.readouterr().out)  # type: ignore[no-any-return]

    where = {"space": str(space), "from": parse_dsn(server.dsn()).place, "to": parse_dsn(other.dsn()).place}
    assert run_json("--abort") == where
    done = run_json()
    assert done | where == done
    assert done["rows"]["kept"] == 29  # type: ignore[index]
    address.chmod(0o644)
    assert autology("hub", "move", str(space), str(address), project=tmp_path) == 1
    assert "can be read by others" in capsys.readouterr().err
