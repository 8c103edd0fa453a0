"""Statements go to a server together, each has its own answer, and whoever waits too long stops waiting."""

from __future__ import annotations

import threading
import time

import pytest

from autology.hub.postgres.connection import Connection
from autology.hub.postgres.deadlines import Watchdog
from autology.model.errors import HubError
from tests.hub import fixtures
from tests.hub.servers import Server


def test_each_statement_of_a_pipeline_has_its_own_rows(server: Server) -> None:
    pool = fixtures.pool(server, "acme", "together")
    text = (
        ("SELECT $1::text, generate_series(1, 2)", ("a",)),
        ("SELECT 1 WHERE $1::boolean", (False,)),
        ("SELECT $1::integer[], $2::text", ([3, 4], None)),
    )
    assert pool.read(lambda connection: connection.pipeline(*text)) == [[["a", 1], ["a", 2]], [], [[[3, 4], None]]]
    pool.close()


def test_a_failing_statement_undoes_its_whole_pipeline(server: Server) -> None:
    pool = fixtures.pool(server, "acme", "refused")
    put = "INSERT INTO autology.remark(space, name, text) VALUES (autology.here(), $1, '')"

    def ask(connection: Connection) -> None:
        connection.pipeline((put, ("one",)), ("SELECT 1 / $1::integer", (0,)), (put, ("two",)))

    with pool.pinned():
        with pytest.raises(HubError, match="division by zero"):
            pool.read(ask)
        there = "SELECT count(*) FROM autology.remark WHERE space = autology.here() AND name <> $1"
        assert pool.query(there, "") == [[0]]
    pool.close()


def test_the_watchdog_aborts_only_calls_past_their_deadline() -> None:
    watch, ended = Watchdog(), threading.Event()
    now = time.monotonic()
    with watch.deadline(lambda: None, now + 600) as patient, watch.deadline(ended.set, now + 0.01) as hasty:
        assert ended.wait(fixtures.PATIENCE)
    assert (patient.late, hasty.late) == (False, True)
    with watch.deadline(lambda: pytest.fail("it was over"), time.monotonic() + 0.01) as quick:
        pass
    ended.clear()
    with watch.deadline(ended.set, time.monotonic() + 0.02):
        assert ended.wait(fixtures.PATIENCE)
    assert not quick.late
