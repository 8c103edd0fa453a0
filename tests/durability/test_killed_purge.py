"""Killed at any call, a purge leaves each memory in its place or whole in the trash; two at once move each once."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from autology.core.memory.purge import purge
from autology.core.memory.trash import restore, trash
from autology.files.atomic import STAGED
from autology.model.memory import Scope
from tests.durability.killing import course, killed_at
from tests.durability.test_refused import refusing
from tests.fakes.remembered import a_memory, kept, memories, trashed, write
from tests.unit.cli_kit import SERVER

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="a child that dies midway is made by fork")

POINTS = int(os.environ.get("AUTOLOGY_KILL_POINTS", "12"))
OVER, WIDE, ALIVE = ("one", "two", "three"), "wide", "alive"


def prepared(root: Path) -> dict[str, bytes]:
    """A project and a user, with memories that are over and one that is not; return each one's text by its id."""
    files = [write(root / "project", a_memory(id, days=-1, content=f"{id} " * 300)) for id in OVER]
    files.append(write(root / "project", a_memory(ALIVE, days=10)))
    files.append(write(root / "user", a_memory(WIDE, days=-1, scope=Scope(org="acme"))))
    for file in files:
        os.utime(file, (1_700_000_000, 1_700_000_000))
    result = memories(root / "project", root / "user")
    result.refresh(walk=True)
    return {file.stem: file.read_bytes() for file in files}


def act(root: Path) -> None:
    purge(memories(root / "project", root / "user"))


def check(root: Path, texts: dict[str, bytes], at: object) -> set[str]:
    """Every memory is whole somewhere, and none is torn; return which are in the trash only."""
    gone = set()
    for place in (root / "project", root / "user"):
        result = kept(place)
        for name, data in result.items():
            assert name.endswith(".json") or data in texts.values(), f"{name} is torn after {at}"
        for id, text in texts.items():
            here = result.get(f"memory/observation/{id}.md")
            assert here in (None, text), (id, at)
            if (id == WIDE) is (place.name == "user") and not here:
                assert trashed(place).get(id) == text, f"{id} is lost, or cannot be brought back, after {at}"
                gone.add(id)
    assert ALIVE not in gone
    return gone


def test_a_killed_purge_loses_nothing_and_the_next_one_completes_it(tmp_path: Path, quick_path: Path) -> None:
    texts = prepared(tmp_path / "origin")
    died, between = 0, 0
    shutil.copytree(tmp_path / "origin", quick_path / "counted")
    for stop in course(lambda: act(quick_path / "counted")).stops(POINTS):
        root = quick_path / "tried"
        shutil.copytree(tmp_path / "origin", root)
        died += killed_at(stop, lambda root=root: act(root))
        between += bool(0 < len(check(root, texts, f"a kill at {stop}")) < 4)
        result = memories(root / "project", root / "user")
        result.refresh(walk=True)  # who looks next completes what was begun
        gone = check(root, texts, f"a look after a kill at {stop}")
        assert {id for id in texts if result.by_id(id) is None} == gone
        assert {item.id for item in trash(result)} == gone
        done = {memory.id for memory in purge(result).moved}
        assert done == {*OVER, WIDE} - gone
        assert check(root, texts, f"the next purge after a kill at {stop}") == {*OVER, WIDE}
        assert not list(root.rglob(f"*{STAGED}"))
        shutil.rmtree(root)
    assert died > 3 * POINTS // 2
    assert between > 2, "no kill fell between two memories"


def test_a_killed_restore_has_happened_or_has_not(tmp_path: Path, quick_path: Path) -> None:
    prepared(tmp_path / "origin")
    act(tmp_path / "origin")
    bring = lambda root: restore(memories(root / "project", root / "user"), "two")  # noqa: E731
    died = 0
    shutil.copytree(tmp_path / "origin", quick_path / "counted")
    for stop in course(lambda: bring(quick_path / "counted")).stops(POINTS):
        root = quick_path / "tried"
        shutil.copytree(tmp_path / "origin", root)
        died += killed_at(stop, lambda root=root: bring(root))
        result = memories(root / "project", root / "user")
        result.refresh(walk=True)
        there = result.by_id("two")
        assert (there is None) is ("two" in trashed(root / "project"))
        assert len(kept(root / "project")) == (2 * len(OVER) + 1 if there is None else 2 * len(OVER))
        assert there is None or there.content == "two " * 300
        shutil.rmtree(root)
    assert died > POINTS


@pytest.mark.parametrize("lasting", [False, True], ids=["once", "from then on"])
def test_a_disk_that_refuses_at_any_call_of_a_purge_loses_nothing(
    tmp_path: Path, quick_path: Path, lasting: bool
) -> None:
    texts = prepared(tmp_path / "origin")
    refused = 0
    for at in range(1, 200):
        root = quick_path / "tried"
        shutil.copytree(tmp_path / "origin", root)
        with refusing(at, 10_000 if lasting else at) as result:
            done = purge(memories(root / "project", root / "user"))
            calls = result[0]
        if calls >= at:
            refused += bool(done.failed)
            check(root, texts, f"a refusal at {at}")
            purge(memories(root / "project", root / "user"))
            assert check(root, texts, f"the next purge after {at}") == {*OVER, WIDE}
        shutil.rmtree(root)
        if calls < at:
            break
    assert refused > 3


PURGER = """
import sys
from pathlib import Path
from autology.core.memory.purge import purge
from tests.fakes.remembered import memories
sys.stdin.readline()
print(*(memory.id for memory in purge(memories(Path(sys.argv[1]) / "project", Path(sys.argv[1]) / "user")).moved))
"""


def test_purges_of_four_processes_at_once_move_each_memory_once(tmp_path: Path) -> None:
    for number in range(150):
        write(tmp_path / "project", a_memory(f"over{number}", days=-1))
    memories(tmp_path / "project", tmp_path / "user").refresh()
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(SERVER), str(SERVER.parent)])}
    begun = [
        subprocess.Popen(
            [sys.executable, "-c", PURGER, str(tmp_path)], env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        for _ in range(4)
    ]
    moved = [id for process in begun for id in process.communicate(b"now\n")[0].decode().split()]
    assert sorted(moved) == sorted(f"over{number}" for number in range(150))
    assert sorted(trashed(tmp_path / "project")) == sorted(moved)
    assert len([name for name in kept(tmp_path / "project") if name.endswith(".md")]) == 150
