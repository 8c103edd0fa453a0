"""One server for the tests of a worker that only need it to be there."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from autology.hub.postgres import connection_pool, host_connections
from tests.hub import fixtures
from tests.hub.servers import DURABLE, Server


@pytest.fixture(autouse=True)
def patient(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine is no fault of the hub, except where its faults are what is tried."""
    if request.path.name != "test_faults.py":
        monkeypatch.setattr(host_connections, "CONNECT", fixtures.PATIENCE)
        monkeypatch.setattr(connection_pool, "DEADLINE", fixtures.PATIENCE)


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """A PostgreSQL with our schema; each test works in a space of its own."""
    with fixtures.running() as made:
        yield made


@pytest.fixture
def own() -> Iterator[Server]:
    """A server of the test's own, which keeps what it says it keeps."""
    with fixtures.running(DURABLE) as made:
        yield made
