"""A hub that fails as servers and networks do: what was said to be kept is kept, and nobody waits for long."""

from __future__ import annotations

import contextlib
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from uuid import uuid4

import anyio
import pytest
from anyio import to_thread

from autology.core.content.files import Stamp
from autology.core.index.changes import Put
from autology.hub.model import CONFLICT, KEPT, WRITER, Offer, OfferResult, Space
from autology.hub.postgres import schema
from autology.hub.postgres.address import parse_dsn
from autology.hub.postgres.connection_pool import ConnectionPool
from autology.hub.postgres.hub import PostgresHub
from autology.hub.postgres.space_servers import Access
from autology.hub.search.server import MAX_OPEN_SPACES, HubServer
from autology.hub.search.team import HubTeamSearch
from autology.hub.sync import background_retry, push_memories
from autology.hub.sync.outbox import Outbox
from autology.model.entry import MEMORY, Entry
from autology.model.errors import HubAwayError, HubError, HubRefusedError
from autology.model.memory import Scope
from autology.model.passage import Passage
from autology.model.query import Filter
from autology.tools import calls, memory_store
from autology.tools.project import ServedProject
from autology.wire import user
from tests.fakes import remembered
from tests.hub import fixtures
from tests.hub.fixtures import PATIENCE, wait_for_askers, wait_until
from tests.hub.proxy import Proxy
from tests.hub.room import refused
from tests.hub.servers import Server, free_port
from tests.hub.test_consent import a_chunk

SPACE = Space("acme")
DAY = "2026-03-01T00:00:00Z"


def an_offer(number: int, op: str = "") -> tuple[Offer, Put]:
    id = f"m{number}"
    op = op or f"00000000-0000-4000-8000-{number:012x}"
    entry = Entry(id, MEMORY, "observation", id, DAY, DAY)
    put = Put(f"kept/{id}", Stamp(1, 1), entry, (Passage(0, 9, "", f"number {number}"),))
    return Offer(op, SPACE, id, 0, "observation", None, f"text of {id}"), put


def a_hub(server: Server, port: int = 0, deadline: float = 5.0) -> PostgresHub:
    made = fixtures.a_hub(server, SPACE, "ada", WRITER)
    made.close()
    return PostgresHub([("*", parse_dsn(server.dsn("ada", port=port)))], SPACE, Access(deadline=deadline))


def test_a_hub_that_is_down_is_said_at_once() -> None:
    hub = PostgresHub([("*", parse_dsn(f"postgresql://ada@127.0.0.1:{free_port()}/x"))], SPACE)
    begun = time.monotonic()
    with pytest.raises(HubAwayError, match=r"cannot be reached.*Local work continues"):
        hub.versions()
    assert time.monotonic() - begun < hub.pool.deadline


@pytest.mark.parametrize("mode", ["require", "verify-full"])
def test_a_server_without_encryption_receives_no_data(server: Server, mode: str) -> None:
    hub = PostgresHub([("*", parse_dsn(f"{server.dsn('ada')}?sslmode={mode}"))], SPACE)
    with pytest.raises(HubRefusedError, match=r"TLS handshake failed.*sslmode=disable only within"):
        hub.versions()
    hub.close()


def test_a_server_with_a_foreign_certificate_receives_no_data(server: Server, tmp_path: Path) -> None:
    made = subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=db.example.org",
         "-addext", "subjectAltName=DNS:db.example.org", "-keyout", tmp_path / "key", "-out", tmp_path / "certificate"],
        capture_output=True,
    )  # fmt: skip
    assert made.returncode == 0, made.stderr
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "certificate", tmp_path / "key")
    proxy = Proxy(server.port, context)
    fixtures.a_hub(server, SPACE, "ada", WRITER).close()
    at = f"postgresql://ada@127.0.0.1:{proxy.port}/postgres"
    for options in ("sslmode=verify-full", f"sslmode=verify-full&sslrootcert={tmp_path / 'certificate'}"):
        hub = PostgresHub([("*", parse_dsn(f"{at}?{options}"))], SPACE)
        with pytest.raises(HubRefusedError, match="TLS handshake failed"):
            hub.role()
        hub.close()
    hub = PostgresHub([("*", parse_dsn(f"{at}?sslmode=require"))], SPACE)
    assert hub.role() == WRITER  # encrypted, whoever that is: one asked for no more
    hub.close()
    proxy.close()


@contextlib.contextmanager
def writing(hub: PostgresHub) -> Iterator[list[int]]:
    """Keep one memory after the other meanwhile, each until it is answered; tell those that were said to be kept."""
    received: list[int] = []
    stop = threading.Event()

    def write() -> None:
        number = 0
        while not stop.is_set():
            number += 1
            while not stop.is_set():
                try:
                    assert hub.store(*an_offer(number)).outcome == KEPT  # the same operation until it is answered
                    received.append(number)
                    break
                except HubError:
                    time.sleep(0.05)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        yield received
    finally:
        stop.set()
        writer.join(PATIENCE)


def kept_once(server: Server, hub: PostgresHub, said: list[int]) -> None:
    """All that was said to be kept is there, once, and nothing is there by half."""
    versions = hub.versions()
    assert versions.keys() >= {f"m{number}" for number in said}
    assert set(versions.values()) == {1}
    listed = {source.id for source in hub.index.listed(Filter(kind=MEMORY), -1, "")}
    assert listed == versions.keys()  # the memory and what finds it come together or not at all
    owner = ConnectionPool(parse_dsn(server.dsn()))
    assert owner.query("SELECT count(*) FROM autology.op") == [[len(versions)]]
    assert owner.query("SELECT count(*) FROM autology.audit") == [[len(versions)]]
    owner.close()


def test_killed_while_writing_it_has_all_that_it_said_it_keeps_once_and_nothing_half(own: Server) -> None:
    hub = a_hub(own)
    with writing(hub) as message:
        for _ in range(2):
            before = len(message)
            wait_until(lambda: len(message) >= before + 15)  # noqa: B023
            own.kill()
            own.start()
        before = len(message)
        wait_until(lambda: len(message) >= before + 5)
    kept_once(own, hub, message)
    hub.close()


def test_a_network_that_drops_packets_blocks_no_call_past_its_deadline(server: Server) -> None:
    proxy = Proxy(server.port)
    hub = a_hub(server, proxy.port, deadline=3.0)
    assert hub.role() == WRITER
    proxy.mode = "swallow"
    begun = time.monotonic()
    with pytest.raises(HubAwayError, match=r"did not answer within 3 seconds"):
        hub.versions()
    assert time.monotonic() - begun < 20  # the network itself gives up after minutes
    proxy.mode = "pass"
    assert hub.role() == WRITER
    hub.close()
    proxy.close()


def test_a_host_that_hangs_after_its_greeting_does_not_block_the_others(server: Server) -> None:
    space = fixtures.a_space()
    fixtures.a_hub(server, space, "ada", WRITER).close()
    proxy = Proxy(server.port)
    proxy.mode = "greet"
    at = f"postgresql://ada@127.0.0.1:{proxy.port},127.0.0.1:{server.port}/postgres"
    hub = PostgresHub([("*", parse_dsn(at))], space, Access(deadline=20.0))
    assert hub.role() == WRITER  # by the other one
    hub.close()
    proxy.close()


def test_a_slow_network_only_takes_longer(server: Server) -> None:
    proxy = Proxy(server.port)
    proxy.mode, proxy.delay = "slow", 0.02
    hub = a_hub(server, proxy.port)
    offer, put = an_offer(900, "00000000-0000-4000-8000-00000000900a")
    assert hub.store(offer, put).outcome == KEPT
    hub.close()
    proxy.close()


def test_broken_connections_are_replaced(own: Server) -> None:
    hub = a_hub(own)
    assert hub.role() == WRITER
    own.stop("immediate")
    own.start()
    assert hub.role() == WRITER  # read again on a new connection, nothing is said of it
    hub.close()


@pytest.mark.skipif(not refused(), reason="a disk can be filled here, which shows more: tests/hub/test_full.py")
def test_a_full_disk_refuses_and_what_was_refused_is_taken_in_later(own: Server) -> None:
    hub = a_hub(own)
    hub.store(*an_offer(1))
    owner = ConnectionPool(parse_dsn(own.dsn()))
    big = "x" * 2_000_000
    own.stop()
    own.bounded(20_000_000)  # no file may grow past that, and none of the log's does
    own.start()
    offers = [an_offer(number) for number in range(2, 40)]
    noise = [
        Offer(o.op, o.space, o.id, o.base, o.kind, o.branch, _incompressible(big, n)) for n, (o, _) in enumerate(offers)
    ]
    refused, message = None, ""
    for offer in noise:
        try:
            hub.store(offer, None)
        except HubError as error:
            refused, message = offer, str(error)
            break
    assert refused is not None
    assert "no room left" in message
    assert hub.role() == WRITER  # it still answers
    own.stop()
    own.bounded(None)
    own.start()
    assert hub.store(refused, None).outcome == KEPT
    assert hub.versions()[refused.id] == 1
    owner.close()
    hub.close()


def _incompressible(text: str, seed: int) -> str:
    from random import Random

    return Random(seed).randbytes(len(text) // 2).hex()


def test_concurrent_migrations_run_each_step_once() -> None:
    server = Server()
    try:
        server.make()
        done: list[int] = []

        def migrate() -> None:
            pool = ConnectionPool(parse_dsn(server.dsn()))
            done.append(schema.migrate(pool))
            pool.close()

        both = [threading.Thread(target=migrate) for _ in range(2)]
        for each in both:
            each.start()
        for each in both:
            each.join(30)
        assert sum(done) == len(schema.migrations())
    finally:
        server.gone()


def test_when_the_primary_dies_the_one_that_takes_over_has_everything(own: Server) -> None:
    hub = a_hub(own)
    hub.store(*an_offer(1))
    standby = own.standby()
    try:
        both = f"postgresql://ada@127.0.0.1:{own.port},127.0.0.1:{standby.port}/postgres"
        result = PostgresHub([("*", parse_dsn(both))], SPACE, Access(deadline=4))
        received = []
        for number in range(2, 12):
            assert result.store(*an_offer(number)).outcome == KEPT
            received.append(f"m{number}")
        own.kill()
        with pytest.raises(HubAwayError):
            result.store(*an_offer(50))  # one that only reads is none to write to
        standby.call("pg_ctl", "-D", standby.data, "-w", "promote")
        assert result.store(*an_offer(50)).outcome == KEPT
        assert result.versions().keys() == {"m1", *received, "m50"}
        result.close()
    finally:
        standby.gone()
    hub.close()


def test_when_the_primary_dies_while_it_is_written_to_nothing_is_lost_and_nothing_there_twice(own: Server) -> None:
    a_hub(own).close()
    standby = own.standby()
    try:
        both = f"postgresql://ada@127.0.0.1:{own.port},127.0.0.1:{standby.port}/postgres"
        result = PostgresHub([("*", parse_dsn(both))], SPACE, Access(deadline=20.0))
        with writing(result) as message:
            wait_until(lambda: len(message) >= 15)
            own.kill()
            standby.call("pg_ctl", "-D", standby.data, "-w", "promote")
            before = len(message)
            wait_until(lambda: len(message) >= before + 10)
        kept_once(standby, result, message)
        result.close()
    finally:
        standby.gone()


def test_of_two_concurrent_edits_of_a_memory_the_second_is_a_conflict(server: Server) -> None:
    space = fixtures.a_space()
    hubs = [fixtures.a_hub(server, space, name, WRITER) for name in ("ada", "bob")]
    meet = threading.Barrier(2)
    for base in range(4):
        answers: list[OfferResult] = []

        def change(number: int, base: int = base, answers: list[OfferResult] = answers) -> None:
            offer = replace(an_offer(1)[0], op=str(uuid4()), space=space, base=base, file=f"{base} by {number}")
            meet.wait(PATIENCE)
            answers.append(hubs[number].store(offer, None))

        both = [threading.Thread(target=change, args=(number,)) for number in (0, 1)]
        for each in both:
            each.start()
        for each in both:
            each.join(PATIENCE)
        assert sorted(answer.outcome for answer in answers) == [CONFLICT, KEPT]
        (lost,) = [answer for answer in answers if answer.outcome == CONFLICT]
        (held,) = hubs[0].memories(["m1"])
        assert (lost.version, lost.file, lost.login) == (held.version, held.file, held.login)
    assert [one.version for one in hubs[0].history("m1")] == [4, 3, 2, 1]
    for hub in hubs:
        hub.close()


def test_writes_while_the_hub_hangs_are_answered_and_sent_later(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    space = fixtures.a_space()
    hub = fixtures.a_hub(server, space)
    proxy = Proxy(server.port)
    proxy.mode = "swallow"
    monkeypatch.setenv("AUTOLOGY_HUB_DSN", server.dsn(port=proxy.port))
    monkeypatch.setenv("AUTOLOGY_HUB_DEADLINE", "2")
    monkeypatch.setenv("CORTEX_ORG", space.org)
    monkeypatch.setattr(background_retry, "PAUSE", 0.05)
    monkeypatch.setattr(background_retry, "RETRY", 0.1)
    project = ServedProject(str(tmp_path))
    item = {"kind": "observation", "content": "It is kept.", "scope": {"org": space.org}}
    waited: list[int] = []

    async def call() -> None:
        async with calls.calls(project) as made:
            answer = await made.run(memory_store.TOOL, memory_store.Store(items=[item]))
            assert isinstance(answer, dict)
            assert answer["stored"] == 1  # answered, while nothing gets through
            await to_thread.run_sync(lambda: wait_until(lambda: bool(user.outbox().waiting())))
            waited.append(len(user.outbox().waiting()))
            proxy.mode = "pass"
            proxy.cut()  # what was swallowed is not said again
            await to_thread.run_sync(
                lambda: wait_until(lambda: bool(hub.versions()) and not project.team.sender.pending)
            )

    anyio.run(call)
    assert waited == [1]
    assert (list(hub.versions().values()), user.outbox().waiting()) == ([1], [])
    hub.close()
    proxy.close()


def test_a_clock_that_is_wrong_takes_nothing_from_others_and_changes_no_order(server: Server, tmp_path: Path) -> None:
    space = fixtures.a_space()
    fixtures.a_hub(server, space, "ada", WRITER).close()
    hub = PostgresHub([("*", parse_dsn(server.dsn("ada")))], space)
    (tmp_path / "project").mkdir()
    (tmp_path / "user").mkdir()
    made = remembered.a_memory("brief", 1, content="It holds for a day.", scope=Scope(org=space.org))
    file = remembered.write(tmp_path / "user", made)
    outbox = Outbox(str(tmp_path / "outbox"))
    right = remembered.memories(tmp_path / "project", tmp_path / "user")
    right.refresh(walk=True)
    push_memories.queue_changes(right, outbox, space.org)
    assert push_memories.send_queued(right, outbox, hub).sent == 1
    file.unlink()  # as a machine does whose clock is three days ahead, for which its time is over
    for days, offers in ((3, 0), (30, 1)):
        ahead = remembered.memories(
            tmp_path / "project", tmp_path / "user", lambda days=days: remembered.NOW + timedelta(days=days)
        )
        ahead.refresh(walk=True)
        assert push_memories.queue_changes(ahead, outbox, space.org) == offers
    assert hub.memories(["brief"])[0].file is not None
    late = replace(an_offer(7)[0], space=space)
    hub.store(late, None)
    early = replace(late, op=str(uuid4()), base=1, file="made in 1999, says its clock")
    assert hub.store(early, None).outcome == KEPT
    assert [one.version for one in hub.history(late.id)] == [2, 1]  # the server's order, not the clocks'
    hub.close()


def test_a_replica_answers_what_it_knows_and_never_hides_what_one_wrote(own: Server) -> None:
    hub = a_hub(own)
    hub.store(*an_offer(1))
    standby = own.standby(waits=False)
    follower = ConnectionPool(parse_dsn(f"{standby.dsn()}?target_session_attrs=any"))
    try:
        at = f"{own.dsn('ada')}?replicas=127.0.0.1:{standby.port}"
        mine, theirs = (
            PostgresHub([("*", parse_dsn(each))], SPACE, Access(deadline=20.0))
            for each in (at, f"{at}&application_name=b")
        )
        wait_until(lambda: mine.versions() == {"m1": 1})
        requests = "SELECT count(*) FROM pg_stat_activity WHERE usename = 'ada'"
        assert follower.query(requests) == [[1]]  # it is the replica that answered
        follower.query("SELECT pg_wal_replay_pause()")
        hub.store(*an_offer(2))  # by somebody else
        assert mine.versions() == {"m1": 1}  # as old as the replica is
        assert mine.store(*an_offer(3)).outcome == KEPT
        assert mine.versions() == {"m1": 1, "m2": 1, "m3": 1}  # one's own, so that the server itself answers
        with mine.index.keep_open():
            assert mine.history("m3")[0].version == 1
        follower.query("SELECT pg_wal_replay_resume()")
        wait_until(lambda: theirs.versions() == {"m1": 1, "m2": 1, "m3": 1})
        assert mine.replica_problems() == {}
        standby.kill()
        assert "cannot be reached" in mine.replica_problems()[f"127.0.0.1:{standby.port}/postgres"]
        assert mine.versions().keys() == {"m1", "m2", "m3"}  # without it the server answers
        assert mine.store(*an_offer(4)).outcome == KEPT
        assert mine.versions().keys() == {"m1", "m2", "m3", "m4"}
        mine.close()
        theirs.close()
    finally:
        follower.close()
        standby.gone()
        hub.close()


# ---- several servers -----------------------------------------------------------------------------------


def test_spaces_lie_on_the_server_that_their_pattern_names(server: Server, own: Server) -> None:
    shards = [("acme/*", parse_dsn(server.dsn())), ("*", parse_dsn(own.dsn()))]
    one = PostgresHub(shards, Space("acme", "sharded"))
    other = one.in_space(Space("umbrella", "sharded"))
    for hub in (one, other):
        hub.create_space(64)
        hub.store(*an_offer(1))
    assert (one.place, other.place) == (f"127.0.0.1:{server.port}/postgres", f"127.0.0.1:{own.port}/postgres")
    assert Space("acme", "sharded") in one.spaces()
    assert other.spaces() == [Space("umbrella", "sharded")]
    one.close()


def test_results_in_time_are_returned_and_silent_servers_are_named(server: Server, own: Server) -> None:
    proxy = Proxy(own.port)
    space = fixtures.a_space("peers")
    for each in (server, own):
        hub = fixtures.a_hub(each, space, "ada", WRITER)
        hub.give_consent()
        hub.share_chunks([a_chunk(1 if each is server else 2)])
        hub.close()
    near = PostgresHub([("*", parse_dsn(server.dsn("ada")))], space)
    far = PostgresHub([("*", parse_dsn(own.dsn("ada", port=proxy.port)))], space, Access(deadline=4.5))
    down = PostgresHub([("*", parse_dsn(f"postgresql://ada@127.0.0.1:{free_port()}/x"))], space)
    team = HubTeamSearch(lambda: [HubServer(hub, lambda: [space]) for hub in (near, far, down)], 3.0)
    result, notes = team.recall("retry payments", Filter(kind=None), 10)
    assert {each.chunk.id for each in result} == {a_chunk(1).id, a_chunk(2).id}
    assert {each.source for each in result} == {"ada"}
    assert len(notes) == 1
    assert "cannot be reached" in notes[0]
    proxy.mode = "swallow"
    begun = time.monotonic()
    result, notes = team.recall("retry payments", Filter(kind=None), 10)
    assert time.monotonic() - begun < 20
    assert [each.chunk.id for each in result] == [a_chunk(1).id]
    assert any(far.place in note and "did not answer within 3 seconds" in note for note in notes)
    wait_for_askers()
    for hub in (near, far, down):
        hub.close()
    proxy.close()


def test_a_search_of_many_spaces_keeps_few_connections_open(server: Server) -> None:
    org = fixtures.a_space().org
    spaces = [Space(org, f"p{number}") for number in range(MAX_OPEN_SPACES + 4)]
    for space in spaces:
        fixtures.a_hub(server, space, "paul", WRITER).close()
    there = fixtures.a_hub(server, spaces[-1], "paul")
    there.give_consent()
    there.share_chunks([a_chunk(1)])
    there.close()
    peer = PostgresHub([("*", parse_dsn(server.dsn("paul")))], spaces[0])
    parts = HubServer(peer, lambda: spaces).chunks("retry payments", Filter(kind=None), 5)
    assert [each.chunk.id for part in parts for each in part] == [a_chunk(1).id]
    owner = ConnectionPool(parse_dsn(server.dsn()))
    ask = "SELECT count(*) FROM pg_stat_activity WHERE usename = 'paul'"
    wait_until(lambda: owner.query(ask) == [[MAX_OPEN_SPACES]])  # it takes a moment to see that one left
    owner.close()
    peer.close()
