"""Files that are looked at whenever anything is asked."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

from autology.core.content.files import Stamp
from autology.core.content.recent_edits import RecentEdits


def test_threads_that_look_and_threads_that_write_do_not_meet() -> None:
    def stamp(path: str) -> Stamp:
        time.sleep(0)  # as a disk does, it lets others on
        return Stamp(1, len(path))

    edits = RecentEdits(stamp, tuple)
    edits.watch({f"{number}.md": Stamp(1, 1) for number in range(100)})
    until = time.monotonic() + 0.5

    def look() -> None:
        while time.monotonic() < until:
            edits.edited()

    def write() -> None:
        number = 0
        while time.monotonic() < until:
            number += 1
            edits.indexed({f"{threading.get_ident()}-{number}.md": Stamp(1, 1)})

    with ThreadPoolExecutor(6) as pool:
        for done in [pool.submit(work) for work in (look, look, look, look, write, write)]:
            done.result()


def test_reported_edits_are_repeated_until_they_are_indexed() -> None:
    result = [["a.md"]]
    edits = RecentEdits(lambda _: Stamp(1, 2), lambda: result.pop() if result else [])
    edits.watch({})
    assert edits.edited() == edits.edited() == {"a.md": Stamp(1, 2)}
    edits.indexed({"a.md": Stamp(1, 2)})
    assert edits.edited() == {}


def test_edits_already_indexed_are_not_reported_again() -> None:
    edits = RecentEdits(lambda _: Stamp(1, 2), lambda: ["a.md"])
    edits.watch({"a.md": Stamp(1, 2)})
    assert edits.edited() == {}
