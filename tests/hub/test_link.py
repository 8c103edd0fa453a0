"""Statements go to a server together, each has its own answer, and whoever waits too long stops waiting."""

from __future__ import annotations

import threading
import time

import pytest

from autology.hub.link import Link
from autology.hub.watch import Watch
from autology.model.errors import HubError
from tests.hub import fixtures
from tests.hub.servers import Server


def test_each_of_several_statements_has_its_own_rows(server: Server) -> None:
    links = fixtures.links(server, "acme", "together")
    asked = (
        ("SELECT $1::text, generate_series(1, 2)", ("a",)),
        ("SELECT 1 WHERE $1::boolean", (False,)),
        ("SELECT $1::integer[], $2::text", ([3, 4], None)),
    )
    assert links.read(lambda link: link.together(*asked)) == [[["a", 1], ["a", 2]], [], [[[3, 4], None]]]
    links.close()


def test_of_several_statements_none_counts_where_one_is_refused(server: Server) -> None:
    links = fixtures.links(server, "acme", "refused")
    put = "INSERT INTO autology.remark(space, name, text) VALUES (autology.here(), $1, '')"

    def ask(link: Link) -> None:
        link.together((put, ("one",)), ("SELECT 1 / $1::integer", (0,)), (put, ("two",)))

    with links.held():
        with pytest.raises(HubError, match="division by zero"):
            links.read(ask)
        there = "SELECT count(*) FROM autology.remark WHERE space = autology.here() AND name <> $1"
        assert links.read(lambda link: link.run(there, "")) == [[0]]
    links.close()


def test_who_waits_too_long_is_ended_and_who_does_not_is_left_alone() -> None:
    watch, ended = Watch(), threading.Event()
    now = time.monotonic()
    with watch.over(lambda: None, now + 600) as patient, watch.over(ended.set, now + 0.01) as hasty:
        assert ended.wait(fixtures.PATIENCE)
    assert (patient.late, hasty.late) == (False, True)
    with watch.over(lambda: pytest.fail("it was over"), time.monotonic() + 0.01) as quick:
        pass
    ended.clear()
    with watch.over(ended.set, time.monotonic() + 0.02):
        assert ended.wait(fixtures.PATIENCE)
    assert not quick.late
