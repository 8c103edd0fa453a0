"""Several asked at once: what came in time is kept, who did not end is named."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from autology.hub.search.fan_out import fan_out
from autology.model.errors import HubLateError


@dataclass(frozen=True)
class Somebody:
    """One who says some parts, and then ends, fails, or falls silent."""

    name: str
    parts: tuple[str, ...] = ()
    ends: str = ""

    def says(self, freed: threading.Event) -> Iterator[list[str]]:
        for part in self.parts:
            yield [part]
        if self.ends == "fails":
            raise OSError("it broke")
        if self.ends == "late":
            raise HubLateError(self.name, 2.0)
        if self.ends == "silent":
            freed.wait(60)


def test_results_before_the_deadline_are_kept_and_unfinished_servers_are_named() -> None:
    freed = threading.Event()
    requests = [
        Somebody("one", ("a", "b")),
        Somebody("two", ("c",), "silent"),
        Somebody("three", (), "silent"),
        Somebody("four", ("d",), "fails"),
        Somebody("five", (), "fails"),
        Somebody("six", ("e",), "late"),
        Somebody("seven", (), "late"),
    ]
    results, notes = fan_out([(server.name, partial(server.says, freed)) for server in requests], 2.0)
    freed.set()
    assert sorted(results) == ["a", "b", "c", "d", "e"]
    assert sorted(notes) == [
        "the team's five was not searched: it broke",
        "the team's four was not searched completely: it broke",
        "the team's seven did not answer within 2 seconds",
        "the team's six answered only partly within 2 seconds",
        "the team's three did not answer within 2 seconds",
        "the team's two answered only partly within 2 seconds",
    ]


def test_asking_no_servers_returns_nothing() -> None:
    assert fan_out([], 1.0) == ([], [])
