"""A hub that lets nobody in any more: local work goes on, what is missing is said, and what waits is sent later."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest
from anyio import to_thread

from autology.hub.model import WRITER, Space
from autology.hub.postgres.address import parse_dsn
from autology.hub.postgres.connection_pool import ConnectionPool
from autology.hub.postgres.hub import PostgresHub
from autology.hub.postgres.space_servers import Access
from autology.hub.sync import background_retry
from autology.model.errors import HubAwayError
from autology.tools import calls, memory_find, memory_store
from autology.tools.project import ServedProject
from autology.wire import user
from tests.hub import fixtures
from tests.hub.fixtures import wait_until
from tests.hub.proxy import Proxy
from tests.hub.servers import DURABLE, Server

CONNECTIONS = 6
FULL = "too many clients already|remaining connection slots are reserved"
SECONDS = 20.0
"""Seconds for what a server refuses at once, on a machine where much else runs."""


@pytest.fixture
def small() -> Iterator[Server]:
    """A server that lets few in at a time."""
    with fixtures.running(f"{DURABLE} -c max_connections={CONNECTIONS} -c superuser_reserved_connections=3") as made:
        yield made


def crowd(server: Server) -> list[ConnectionPool]:
    """Take every connection that people may have, until they are closed."""
    taken = [ConnectionPool(parse_dsn(server.dsn("ada")), deadline=SECONDS) for _ in range(CONNECTIONS)]
    refused = [pool for pool in taken if not _let_in(pool)]
    assert refused
    return taken


def _let_in(pool: ConnectionPool) -> bool:
    try:
        return pool.query("SELECT true") == [[True]]
    except HubAwayError:
        return False


def test_with_all_connections_in_use_local_tools_answer_and_changes_are_sent_later(
    small: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    space = fixtures.a_space()
    fixtures.a_hub(small, space, "ada", WRITER).close()
    monkeypatch.setenv("AUTOLOGY_HUB_DSN", small.dsn("ada"))
    monkeypatch.setenv("AUTOLOGY_HUB_DEADLINE", f"{SECONDS}")
    monkeypatch.setenv("CORTEX_ORG", space.org)
    monkeypatch.setattr(background_retry, "PAUSE", 0.05)
    monkeypatch.setattr(background_retry, "RETRY", 0.1)
    project = ServedProject(str(tmp_path))
    scope = {"org": space.org}
    item = {"kind": "observation", "content": "The cache holds 40 entries.", "scope": scope}
    taken = crowd(small)

    async def call() -> None:
        async with calls.calls(project) as made:
            answer = await made.run(memory_store.TOOL, memory_store.Store(items=[item]))
            assert isinstance(answer, dict)
            assert answer["stored"] == 1
            begun = time.monotonic()
            requests = memory_find.Find.model_validate({"query": "cache entries", "scope": scope})
            result = await made.run(memory_find.TOOL, requests)
            assert time.monotonic() - begun < SECONDS
            assert isinstance(result, dict)
            assert [each["content"] for each in result["items"]] == [item["content"]]
            (missing,) = [note for note in result["degraded"] if f"127.0.0.1:{small.port}" in note]
            assert "was not searched" in missing
            assert any(words in missing for words in FULL.split("|")), missing
            await to_thread.run_sync(lambda: wait_until(lambda: len(user.outbox().waiting()) == 1))
            for pool in taken:
                pool.close()
            await to_thread.run_sync(
                lambda: wait_until(lambda: not user.outbox().waiting() and not project.team.sender.pending)
            )

    anyio.run(call)
    owner = fixtures.a_hub(small, space)
    assert list(owner.versions().values()) == [1]
    assert owner.pool.query("SELECT count(*) FROM autology.op") == [[1]]
    owner.close()
    assert project.team.search is not None
    project.team.search.close()


def error(code: str, text: str) -> bytes:
    """Return what a server says that lets one not in."""
    fields = b"".join(f"{name}{value}\0".encode() for name, value in (("S", "FATAL"), ("C", code), ("M", text))) + b"\0"
    return b"E" + (len(fields) + 4).to_bytes(4, "big") + fields


REFUSALS = {
    "no more connections allowed (max_client_conn)": error("08P01", "no more connections allowed (max_client_conn)"),
    'too many connections for role "ada"': error("53300", 'too many connections for role "ada"'),
    "the database system is shutting down": error("57P03", "the database system is shutting down"),
    "cannot be reached": b"",
}


@pytest.mark.parametrize("said", REFUSALS)
def test_a_pooler_that_refuses_is_said_at_once_and_another_host_is_tried(server: Server, said: str) -> None:
    space = fixtures.a_space()
    fixtures.a_hub(server, space, "ada", WRITER).close()
    proxy = Proxy(server.port)
    proxy.mode, proxy.refusal = "refuse", REFUSALS[said]
    hub = PostgresHub(
        [("*", parse_dsn(server.dsn("ada", port=proxy.port)))], Space(space.org), Access(deadline=SECONDS)
    )
    begun = time.monotonic()
    with pytest.raises(HubAwayError) as refused:
        hub.versions()
    assert time.monotonic() - begun < SECONDS
    assert said in str(refused.value)
    assert "Local work continues" in str(refused.value)
    both = f"postgresql://ada@127.0.0.1:{proxy.port},127.0.0.1:{server.port}/postgres"
    other = PostgresHub([("*", parse_dsn(both))], Space(space.org), Access(deadline=SECONDS))
    assert other.role() == WRITER
    proxy.mode = "pass"
    assert hub.role() == WRITER
    hub.close()
    other.close()
    proxy.close()
