"""One server for the tests of a worker that only need it to be there."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.hub import fixtures
from tests.hub.servers import Server


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """A PostgreSQL with our schema; each test works in a space of its own."""
    with fixtures.running() as made:
        yield made
