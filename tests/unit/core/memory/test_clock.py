"""A clock that is set back by a day between two writes: no memory is lost, none is doubled, and none grows younger."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path

import pytest

from autology.core.memory import store as storing
from autology.core.memory import trash
from autology.core.memory.find import Request, find
from autology.core.memory.memories import Memories
from tests.fakes.remembered import NOW, a_memory, memories, write


class Clock:
    """The present moment, put back and forth."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> object:
        return self.now

    def back(self) -> None:
        self.now -= timedelta(days=1)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def known(tmp_path: Path, clock: Clock) -> Memories:
    (tmp_path / "shop").mkdir()
    return memories(tmp_path / "shop", tmp_path / "data", clock)  # type: ignore[arg-type]


def store(known: Memories, **item: object) -> storing.Outcome:
    [outcome] = storing.store(known, [{"kind": "observation", **item}], "skip").outcomes
    return outcome


def hit_ids(known: Memories, query: str = "zeppelin") -> list[str]:
    return [item.content for item in find(known, Request(query, mode="fast")).items]


def test_storing_the_same_memory_again_keeps_one(known: Memories, clock: Clock) -> None:
    first = store(known, content="The zeppelin lands.")
    clock.back()
    assert store(known, content="The zeppelin lands.").existing_id == first.id
    assert hit_ids(known) == ["The zeppelin lands."]


def test_a_change_is_found_and_is_not_older_than_what_it_changes(known: Memories, clock: Clock) -> None:
    first = store(known, content="The zeppelin lands.")
    clock.back()
    assert store(known, id=first.id, content="The zeppelin rises.").status == "updated"
    assert hit_ids(known) == ["The zeppelin rises."]
    memory = known.by_id(first.id)
    assert memory is not None
    assert memory.updated_at >= memory.created_at


def test_a_file_edited_by_hand_is_read_again(known: Memories, tmp_path: Path) -> None:
    file = write(tmp_path / "shop", a_memory("one", content="The zeppelin lands."))
    assert hit_ids(known) == ["The zeppelin lands."]
    file.write_bytes(file.read_bytes().replace(b"lands", b"rises"))
    yesterday = file.stat().st_mtime - 86_400
    os.utime(file, (yesterday, yesterday))
    assert hit_ids(known) == ["The zeppelin rises."]


def test_two_memories_deleted_under_one_id_can_both_be_restored(known: Memories, clock: Clock) -> None:
    store(known, id="one", content="The zeppelin lands.")
    store(known, id="one", delete=True)
    clock.back()
    store(known, id="one", content="The zeppelin rises.")
    store(known, id="one", delete=True)
    texts = set()
    for each in trash.trash(known):
        texts.add(trash.restore(known, each.name).content)
        store(known, id="one", delete=True)
    assert texts == {"The zeppelin lands.", "The zeppelin rises."}
