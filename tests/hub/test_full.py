"""A hub whose disk is full to the last byte: it still answers, and takes in what it refused once there is room."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from autology.core.memory.memories import Memories
from autology.hub.model import KEPT, WRITER, Space
from autology.hub.postgres.address import parse_dsn
from autology.hub.postgres.connection_pool import ConnectionPool
from autology.hub.postgres.hub import PostgresHub
from autology.hub.postgres.space_servers import Access
from autology.hub.sync import push_memories
from autology.hub.sync.outbox import Outbox
from autology.model.entry import MEMORY
from autology.model.errors import HubAwayError, HubError
from autology.model.memory import Scope
from autology.model.query import Filter, Terms
from tests.fakes import remembered
from tests.hub import fixtures
from tests.hub.fixtures import wait_until
from tests.hub.room import refused
from tests.hub.servers import DURABLE, Server
from tests.hub.test_faults import an_offer

pytestmark = pytest.mark.skipif(bool(refused()), reason=f"a disk cannot be filled here: {refused()}")

LOG = "-c max_wal_size=4MB -c min_wal_size=2MB -c wal_recycle=off -c autovacuum=off"
SIZE = 100_000_000
"""Bytes of a file system that holds a server with our schema, and some room."""
BIG = 60_000
"""Characters of a memory that does not fit into what is left of any page."""


@pytest.fixture
def confined() -> Iterator[Server]:
    """A server that runs where a small file system is, not made yet."""
    made = Server(f"{DURABLE} {LOG}")
    try:
        made.confine(SIZE)
        yield made
    finally:
        made.gone()


def noise(number: int, size: int = BIG) -> str:
    """Return a text that nothing makes smaller."""
    return Random(number).randbytes(size // 2).hex()


def a_hub(server: Server, space: Space) -> PostgresHub:
    fixtures.set_up(server)
    fixtures.a_hub(server, space, "ada", WRITER).close()
    return PostgresHub([("*", parse_dsn(server.dsn("ada")))], space, Access(deadline=fixtures.PATIENCE))


@pytest.fixture
def mine(tmp_path: Path) -> Memories:
    for name in ("project", "user"):
        (tmp_path / name).mkdir()
    return remembered.memories(tmp_path / "project", tmp_path / "user")


def write(mine: Memories, outbox: Outbox, user: Path, space: Space, number: int, text: str) -> None:
    """Write a memory for the whole organisation, as a tool does: it is offered."""
    remembered.write(user, remembered.a_memory(f"m{number}", None, content=text, scope=Scope(org=space.org)))
    mine.refresh(walk=True)
    push_memories.queue_changes(mine, outbox, space.org)


def test_a_disk_that_is_full_refuses_and_what_was_refused_is_taken_in_once_there_is_room(
    confined: Server, mine: Memories, tmp_path: Path
) -> None:
    space = fixtures.a_space()
    confined.data = confined.folder / "small" / "data"
    confined.make("--wal-segsize=1")
    assert confined.room is not None
    hub, outbox = a_hub(confined, space), Outbox(str(tmp_path / "outbox"))
    write(mine, outbox, tmp_path / "user", space, 1, "The first quokka.")
    assert push_memories.send_queued(mine, outbox, hub).sent == 1
    confined.room.fill()
    for number in (2, 3, 4):
        write(mine, outbox, tmp_path / "user", space, number, f"A later quokka. {noise(number)}")
    results = push_memories.send_queued(mine, outbox, hub)
    assert (results.sent, results.waiting, results.conflicts) == (0, 3, [])
    assert all("has no space left" in note and "sent again once there is room" in note for note in results.notes)
    assert [offer.id for offer in outbox.waiting()] == ["m2", "m3", "m4"]
    # What it has it tells, on connections that it makes now too.
    hub.close()
    assert hub.versions() == {"m1": 1}
    assert [held.version for held in hub.history("m1")] == [1]
    result = hub.index.lexical_candidates(Terms((("quokka",),)), Filter(kind=MEMORY), False, 9)
    assert {hit.source.id for hit in result} == {"m1"}
    confined.room.free()
    results = push_memories.send_queued(mine, outbox, hub)
    assert (results.sent, results.waiting, results.notes) == (3, 0, [])
    assert hub.versions() == {f"m{number}": 1 for number in (1, 2, 3, 4)}
    result = hub.index.lexical_candidates(Terms((("quokka",),)), Filter(kind=MEMORY), False, 9)
    assert {hit.source.id for hit in result} == {"m1", "m2", "m3", "m4"}
    once_each(confined, 4)
    hub.close()


def test_a_server_that_cannot_write_its_log_ends_and_has_all_that_it_said_it_keeps_when_it_is_back(
    confined: Server,
) -> None:
    space = fixtures.a_space()
    confined.make("--wal-segsize=1", "-X", confined.folder / "small" / "wal")
    room = confined.room
    assert room is not None
    hub = a_hub(confined, space)
    assert hub.store(*offered(space, 1)).outcome == KEPT
    room.fill()
    message, number, failed = [1], 1, None
    while failed is None:
        number += 1
        assert number < 60, "its log never ended"
        try:
            assert hub.store(*offered(space, number)).outcome == KEPT
            message.append(number)
        except HubError as error:
            failed = error
    assert isinstance(failed, HubAwayError), failed  # nobody knows whether that was taken in
    assert "Local work continues" in str(failed)
    assert "PANIC" in (confined.folder / "log").read_text(encoding="utf-8", errors="replace")
    room.free()
    wait_until(lambda: answers(confined) or not confined.lives())
    if not confined.lives():  # it could not even recover: whoever runs it starts it
        confined.start()
    assert hub.versions().keys() >= {f"m{one}" for one in message}
    for one in range(1, number + 1):
        assert hub.store(*offered(space, one)).version == 1  # the same operation, whether or not it was taken in
    assert hub.versions() == {f"m{one}": 1 for one in range(1, number + 1)}
    once_each(confined, number)
    hub.close()


def offered(space: Space, number: int):  # type: ignore[no-untyped-def]
    offer, put = an_offer(number)
    return replace(offer, space=space, file=noise(number, 2_000_000)), put


def answers(server: Server) -> bool:
    pool = ConnectionPool(parse_dsn(server.dsn()))
    try:
        return bool(pool.query("SELECT NOT pg_is_in_recovery()")[0][0])
    except HubError:
        return False
    finally:
        pool.close()


def once_each(server: Server, many: int) -> None:
    """Every operation was done once, and is in the audit once."""
    owner = ConnectionPool(parse_dsn(server.dsn()))
    for table in ("op", "audit", "history"):
        count = f"SELECT count(*) FROM autology.{table}"
        assert owner.query(count) == [[many]], table  # type: ignore[misc]
    owner.close()
