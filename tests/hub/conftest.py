"""Servers and timeouts for the tests of the hub."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from autology.hub.postgres import connection_pool, host_connections
from tests.hub import fixtures
from tests.hub.servers import DURABLE, Server


@pytest.fixture(autouse=True)
def patient(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Raise the timeouts for busy machines, except in tests of the timeouts themselves."""
    if request.path.name != "test_faults.py":
        monkeypatch.setattr(host_connections, "CONNECT_TIMEOUT", fixtures.PATIENCE)
        monkeypatch.setattr(connection_pool, "DEADLINE", fixtures.PATIENCE)


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """A server shared by all tests; each works in spaces of its own."""
    with fixtures.running() as made:
        yield made


@pytest.fixture
def own() -> Iterator[Server]:
    """A server of the test's own with durable commits."""
    with fixtures.running(DURABLE) as made:
        yield made
