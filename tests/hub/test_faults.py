"""A hub that fails as servers and networks do: what was said to be kept is kept, and nobody waits for long."""

from __future__ import annotations

import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from autology.core.hub.peers import OPEN, HubPeer
from autology.core.hub.port import KEPT, WRITER, Offer, Space
from autology.core.ports import Put, Stamp
from autology.core.recall.peers import Team
from autology.hub import schema
from autology.hub.address import read
from autology.hub.link import Links
from autology.hub.team import TeamHub
from autology.model.entry import MEMORY, Entry
from autology.model.errors import HubAwayError, HubError, HubRefusedError
from autology.model.passage import Passage
from autology.model.query import Filter
from tests.hub import fixtures
from tests.hub.proxy import Proxy
from tests.hub.servers import DURABLE, Server, free_port
from tests.hub.test_consent import a_chunk

SPACE = Space("acme")
DAY = "2026-03-01T00:00:00Z"


@pytest.fixture
def own() -> Iterator[Server]:
    """A server of the test's own, which keeps what it says it keeps."""
    with fixtures.running(DURABLE) as made:
        yield made


def an_offer(number: int, op: str = "") -> tuple[Offer, Put]:
    id = f"m{number}"
    op = op or f"00000000-0000-4000-8000-{number:012x}"
    entry = Entry(id, MEMORY, "observation", id, DAY, DAY)
    put = Put(f"kept/{id}", Stamp(1, 1), entry, (Passage(0, 9, "", f"number {number}"),))
    return Offer(op, SPACE, id, 0, "observation", None, f"text of {id}"), put


def a_hub(server: Server, port: int = 0, deadline: float = 5.0) -> TeamHub:
    made = fixtures.a_hub(server, SPACE, "ada", WRITER)
    made.close()
    return TeamHub([("*", read(server.dsn("ada", port=port)))], SPACE, deadline=deadline)


def test_a_hub_that_is_down_is_said_at_once() -> None:
    hub = TeamHub([("*", read(f"postgresql://ada@127.0.0.1:{free_port()}/x"))], SPACE)
    begun = time.monotonic()
    with pytest.raises(HubAwayError, match=r"cannot be reached.*Local work goes on"):
        hub.versions()
    assert time.monotonic() - begun < hub.links.deadline


@pytest.mark.parametrize("mode", ["require", "verify-full"])
def test_a_server_that_cannot_encrypt_is_told_nothing(server: Server, mode: str) -> None:
    hub = TeamHub([("*", read(f"{server.dsn('ada')}?sslmode={mode}"))], SPACE)
    with pytest.raises(HubRefusedError, match=r"cannot be talked with encrypted.*sslmode=disable only within"):
        hub.versions()
    hub.close()


def test_another_server_than_the_one_that_was_named_is_told_nothing(server: Server, tmp_path: Path) -> None:
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
        hub = TeamHub([("*", read(f"{at}?{options}"))], SPACE)
        with pytest.raises(HubRefusedError, match="cannot be talked with encrypted"):
            hub.role()
        hub.close()
    hub = TeamHub([("*", read(f"{at}?sslmode=require"))], SPACE)
    assert hub.role() == WRITER  # encrypted, whoever that is: one asked for no more
    hub.close()
    proxy.close()


def test_killed_while_writing_it_has_all_that_it_said_it_keeps_once_and_nothing_half(own: Server) -> None:
    hub = a_hub(own)
    said: list[int] = []
    stop = threading.Event()

    def write() -> None:
        number = 0
        while not stop.is_set():
            number += 1
            while not stop.is_set():
                try:
                    assert hub.keep(*an_offer(number)).outcome == KEPT  # the same operation until it is answered
                    said.append(number)
                    break
                except HubError:
                    time.sleep(0.05)

    writer = threading.Thread(target=write)
    writer.start()
    for _ in range(2):
        before = len(said)
        while len(said) < before + 15:
            time.sleep(0.01)
        own.kill()
        own.start()
    before = len(said)
    while len(said) < before + 5:
        time.sleep(0.01)
    stop.set()
    writer.join(20)
    versions = hub.versions()
    assert versions.keys() >= {f"m{number}" for number in said}
    assert set(versions.values()) == {1}
    listed = {source.id for source in hub.index.listed(Filter(kind=MEMORY), -1, "")}
    assert listed == versions.keys()  # the memory and what finds it come together or not at all
    owner = Links(read(own.dsn()))
    assert owner.read(lambda link: link.run("SELECT count(*) FROM autology.op")) == [[len(versions)]]
    assert owner.read(lambda link: link.run("SELECT count(*) FROM autology.audit")) == [[len(versions)]]
    owner.close()
    hub.close()


def test_a_network_that_swallows_everything_holds_nobody_for_longer_than_the_deadline(server: Server) -> None:
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


def test_of_several_hosts_one_that_falls_silent_once_it_greeted_holds_nobody_either(server: Server) -> None:
    space = fixtures.a_space()
    fixtures.a_hub(server, space, "ada", WRITER).close()
    proxy = Proxy(server.port)
    proxy.mode = "greet"
    at = f"postgresql://ada@127.0.0.1:{proxy.port},127.0.0.1:{server.port}/postgres"
    hub = TeamHub([("*", read(at))], space, deadline=20.0)
    assert hub.role() == WRITER  # by the other one
    hub.close()
    proxy.close()


def test_a_slow_network_only_takes_longer(server: Server) -> None:
    proxy = Proxy(server.port)
    proxy.mode, proxy.delay = "slow", 0.02
    hub = a_hub(server, proxy.port)
    offer, put = an_offer(900, "00000000-0000-4000-8000-00000000900a")
    assert hub.keep(offer, put).outcome == KEPT
    hub.close()
    proxy.close()


def test_connections_that_were_cut_meanwhile_are_made_anew(own: Server) -> None:
    hub = a_hub(own)
    assert hub.role() == WRITER
    own.stop("immediate")
    own.start()
    assert hub.role() == WRITER  # read again on a new connection, nothing is said of it
    hub.close()


def test_a_full_disk_refuses_and_what_was_refused_is_taken_in_later(own: Server) -> None:
    hub = a_hub(own)
    hub.keep(*an_offer(1))
    owner = Links(read(own.dsn()))
    big = "x" * 2_000_000
    own.stop()
    own.bounded(20_000_000)  # no file may grow past that, and none of the log's does
    own.start()
    offers = [an_offer(number) for number in range(2, 40)]
    noise = [
        Offer(o.op, o.space, o.id, o.base, o.kind, o.branch, _incompressible(big, n)) for n, (o, _) in enumerate(offers)
    ]
    refused, said = None, ""
    for offer in noise:
        try:
            hub.keep(offer, None)
        except HubError as error:
            refused, said = offer, str(error)
            break
    assert refused is not None
    assert "no room left" in said
    assert hub.role() == WRITER  # it still answers
    own.stop()
    own.bounded(None)
    own.start()
    assert hub.keep(refused, None).outcome == KEPT
    assert hub.versions()[refused.id] == 1
    owner.close()
    hub.close()


def _incompressible(text: str, seed: int) -> str:
    from random import Random

    return Random(seed).randbytes(len(text) // 2).hex()


def test_a_step_that_is_interrupted_is_taken_whole_by_the_next_call() -> None:
    server = Server(DURABLE)
    try:
        server.make()
        links = Links(read(server.dsn()))
        every = schema.steps()
        slow = schema.Step(every[1].number, every[1].name, every[1].sql + "; SELECT pg_sleep(30);")
        failed: list[Exception] = []

        def migrate() -> None:
            try:
                schema.migrate(links, all_steps=[every[0], slow, *every[2:]])
            except HubError as error:
                failed.append(error)

        going = threading.Thread(target=migrate)
        going.start()
        other = Links(read(server.dsn()))
        asleep = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'"
        while other.read(lambda link: link.run(asleep)) != [[1]]:
            time.sleep(0.02)
        server.kill()
        going.join(20)
        assert failed
        server.start()
        assert schema.state(other).step == 1
        assert other.read(lambda link: link.run("SELECT to_regclass('autology.source') IS NULL")) == [[True]]
        assert schema.migrate(other) == len(every) - 1
        assert schema.migrate(other) == 0
        assert schema.state(other).step == every[-1].number
        links.close()
        other.close()
    finally:
        server.gone()


def test_two_that_migrate_at_once_take_each_step_once() -> None:
    server = Server()
    try:
        server.make()
        done: list[int] = []

        def migrate() -> None:
            links = Links(read(server.dsn()))
            done.append(schema.migrate(links))
            links.close()

        both = [threading.Thread(target=migrate) for _ in range(2)]
        for each in both:
            each.start()
        for each in both:
            each.join(30)
        assert sum(done) == len(schema.steps())
    finally:
        server.gone()


def test_when_the_primary_dies_the_one_that_takes_over_has_everything(own: Server) -> None:
    hub = a_hub(own)
    hub.keep(*an_offer(1))
    standby = own.standby()
    try:
        both = f"postgresql://ada@127.0.0.1:{own.port},127.0.0.1:{standby.port}/postgres"
        seen = TeamHub([("*", read(both))], SPACE, deadline=4)
        said = []
        for number in range(2, 12):
            assert seen.keep(*an_offer(number)).outcome == KEPT
            said.append(f"m{number}")
        own.kill()
        with pytest.raises(HubAwayError):
            seen.keep(*an_offer(50))  # one that only reads is none to write to
        standby.call("pg_ctl", "-D", standby.data, "-w", "promote")
        assert seen.keep(*an_offer(50)).outcome == KEPT
        assert seen.versions().keys() == {"m1", *said, "m50"}
        seen.close()
    finally:
        standby.gone()
    hub.close()


# ---- several servers -----------------------------------------------------------------------------------


def test_spaces_lie_on_the_server_that_their_pattern_names(server: Server, own: Server) -> None:
    shards = [("acme/*", read(server.dsn())), ("*", read(own.dsn()))]
    one = TeamHub(shards, Space("acme", "sharded"))
    other = one.at(Space("umbrella", "sharded"))
    for hub in (one, other):
        hub.make(64)
        hub.keep(*an_offer(1))
    assert (one.place, other.place) == (f"127.0.0.1:{server.port}/postgres", f"127.0.0.1:{own.port}/postgres")
    assert Space("acme", "sharded") in one.spaces()
    assert other.spaces() == [Space("umbrella", "sharded")]
    one.close()


def test_what_came_in_time_is_told_and_who_did_not_answer_is_named(server: Server, own: Server) -> None:
    proxy = Proxy(own.port)
    space = fixtures.a_space("peers")
    for each in (server, own):
        hub = fixtures.a_hub(each, space, "ada", WRITER)
        hub.agree()
        hub.share([a_chunk(1 if each is server else 2)])
        hub.close()
    near = TeamHub([("*", read(server.dsn("ada")))], space)
    far = TeamHub([("*", read(own.dsn("ada", port=proxy.port)))], space, deadline=4.5)
    down = TeamHub([("*", read(f"postgresql://ada@127.0.0.1:{free_port()}/x"))], space)
    team = Team(lambda: [HubPeer(hub, lambda: [space]) for hub in (near, far, down)], 3.0)
    found, notes = team.recall("retry payments", Filter(kind=None), 10)
    assert {each.chunk.id for each in found} == {a_chunk(1).id, a_chunk(2).id}
    assert {each.source for each in found} == {"ada"}
    assert len(notes) == 1
    assert "cannot be reached" in notes[0]
    proxy.mode = "swallow"
    begun = time.monotonic()
    found, notes = team.recall("retry payments", Filter(kind=None), 10)
    assert time.monotonic() - begun < 20
    assert [each.chunk.id for each in found] == [a_chunk(1).id]
    assert any(far.place in note and "did not answer within 3 seconds" in note for note in notes)
    time.sleep(2.0)  # what was left behind ends with its own deadline
    for hub in (near, far, down):
        hub.close()
    proxy.close()


def test_who_may_into_many_spaces_keeps_connections_with_few_of_them(server: Server) -> None:
    org = fixtures.a_space().org
    spaces = [Space(org, f"p{number}") for number in range(OPEN + 4)]
    for space in spaces:
        fixtures.a_hub(server, space, "paul", WRITER).close()
    there = fixtures.a_hub(server, spaces[-1], "paul")
    there.agree()
    there.share([a_chunk(1)])
    there.close()
    peer = TeamHub([("*", read(server.dsn("paul")))], spaces[0])
    found = HubPeer(peer, lambda: spaces).find("retry payments", Filter(kind=None), 5)
    assert [each.chunk.id for each in found] == [a_chunk(1).id]
    owner = Links(read(server.dsn()))
    ask = "SELECT count(*) FROM pg_stat_activity WHERE usename = 'paul'"
    until = time.monotonic() + 20
    while owner.read(lambda link: link.run(ask)) != [[OPEN]] and time.monotonic() < until:
        time.sleep(0.05)  # the server takes a moment to see that one left
    assert owner.read(lambda link: link.run(ask)) == [[OPEN]]
    owner.close()
    peer.close()
