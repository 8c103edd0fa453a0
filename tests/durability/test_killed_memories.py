"""Killed at any call, a batch of memories is stored wholly or not at all, root by root; what was reported is there."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from autology.core.memory import trash
from autology.core.memory.memories import Memories
from autology.core.memory.store import store
from autology.files.memory_folder import MemoryFolder
from autology.model.entry import MEMORY
from autology.model.memory import Scope
from tests.durability.killing import course, killed_at
from tests.fakes.project import on_disk

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="a child that dies midway is made by fork")

POINTS = int(os.environ.get("AUTOLOGY_KILL_POINTS", "10"))
HERE = Scope(project="shop")


def kept(root: Path) -> Memories:
    graph = on_disk(root / "shop")
    ours, wider = MemoryFolder(str(root / "shop")), MemoryFolder(str(root / "user"))
    return Memories(graph, ours, wider, lambda: HERE)


def note(content: str, **fields: object) -> dict[str, object]:
    return {"kind": "observation", "content": content, **fields}


def begun(root: Path) -> Path:
    (root / "shop").mkdir(parents=True)
    store(kept(root), [note("to change", id="n1"), note("to delete", id="n2"), note("gone", id="n3"), WIDER])
    store(kept(root), [{"id": "n3", "delete": True}])
    return root


WIDER = note("wider", id="w1", scope={"org": "acme"})
ACTIONS: dict[str, Callable[[Memories], object]] = {
    "one": lambda memories: store(memories, [note("new", id="a1")]),
    "batch": lambda memories: store(
        memories, [note("new", id="a1"), note("newer", id="a2"), note(""), {"id": "n1", "content": "changed"}]
    ),
    "both roots": lambda memories: store(
        memories, [note("new", id="a1"), note("w", id="w2", scope={"org": "acme"}), {"id": "w1", "content": "changed"}]
    ),
    "delete": lambda memories: store(memories, [{"id": "n2", "delete": True}]),
    "restore": lambda memories: trash.restore(memories, "n3"),
}


def state(root: Path, part: str) -> dict[str, bytes]:
    files = [*(root / part).glob(".autology/memory/*/*"), *(root / part).glob(".autology/trash/memory/*")]
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in files}


@pytest.mark.parametrize("name", ACTIONS)
def test_a_change_to_memories_that_is_killed_has_happened_or_has_not(tmp_path: Path, name: str) -> None:
    action = ACTIONS[name]
    template = begun(tmp_path / "template")
    before = {part: state(template, part) for part in ("shop", "user")}
    whole = shutil.copytree(template, tmp_path / "whole")
    stops = course(lambda: action(kept(whole))).stops(POINTS)
    after = {part: state(whole, part) for part in ("shop", "user")}
    assert before != after
    results = set()
    for stop in stops:
        root = shutil.copytree(template, tmp_path / f"at-{stop}")
        reported = root / "reported"
        killed_at(stop, lambda root=root, reported=reported: (action(kept(root)), reported.touch()))  # type: ignore[misc]
        memories = kept(root)
        for each in memories.roots:
            with each.files.locked():
                pass  # whoever writes next completes it
        for part in ("shop", "user"):
            result = state(root, part)
            assert result in (before[part], after[part]), (stop, part)
            assert result == after[part] or not reported.exists()
        results.add(all(state(root, part) == after[part] for part in ("shop", "user")))
        memories.refresh(walk=True)
        there = {path for part in ("shop", "user") for path in state(root, part) if "/trash/" not in path}
        indexed = {named.path for named in memories.index.named(MEMORY)}
        assert {path.replace("user:", "user/", 1) if ":" in path else f"shop/{path}" for path in indexed} == there
        assert memories.faults() == []
        assert not list(root.rglob("*.tmp"))
        shutil.rmtree(root)
    assert results == {True, False}
