"""Killed at any call, an operation has happened or has not: no file is torn, none is lost, nothing is left over."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from autology.core.nodes import delete_restore, graph_index_file, relate
from autology.core.nodes.capture import Material, RequestedRelation, capture
from autology.core.nodes.graph import Graph
from autology.core.nodes.update import Fields, update
from autology.files.atomic import STAGED
from tests.durability.killing import course, killed_at
from tests.fakes.portrait import fresh, of_graph
from tests.fakes.project import an_id, on_disk

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="a child that dies midway is made by fork")

POINTS = int(os.environ.get("AUTOLOGY_KILL_POINTS", "16"))
"""Evenly spread points for each operation, beside those around every call that changes the disk."""
MODEL, OLD, NEW, TRASHED = an_id(1), an_id(2), an_id(3), an_id(4)
LONG = "A paragraph about storage and words that goes on.\n\n" * 40

Action = Callable[[Graph], object]
ACTIONS: dict[str, Action] = {
    "capture": lambda graph: capture(
        graph,
        Material(
            "Use a cache for words",
            LONG,
            type="decision",
            tags=("cache",),
            relations=(RequestedRelation("affects", MODEL, "why"), RequestedRelation("uses", NEW)),
            supersedes=(OLD,),
        ),
        automatic=2.0,
    ),
    "update of the title": lambda graph: update(graph, MODEL, Fields(title="Another title")),
    "update of the content": lambda graph: update(graph, MODEL, Fields(content=LONG * 3, tags=("a", "b"))),
    "update of the type": lambda graph: update(graph, MODEL, Fields(type="issue")),
    "relate": lambda graph: relate.relate(graph, OLD, NEW, "uses", "because"),
    "supersede": lambda graph: relate.relate(graph, NEW, OLD, "supersedes"),
    "unrelate": lambda graph: relate.unrelate(graph, MODEL, NEW, "affects"),
    "delete": lambda graph: delete_restore.delete(graph, MODEL),
    "restore": lambda graph: delete_restore.restore(graph, TRASHED),
}


@dataclass(frozen=True)
class State:
    """What people would see of a project: its notes and its trash, each file's text by its path."""

    files: dict[str, bytes]


def state(root: Path) -> State:
    kept = [path for part in ("nodes", "trash") for path in (root / ".autology" / part).rglob("*") if path.is_file()]
    return State({str(path.relative_to(root)): path.read_bytes() for path in kept if STAGED not in path.name})


def leftovers(root: Path) -> list[Path]:
    cache = root / ".autology" / "cache"
    return [*(root / ".autology").rglob(f"*{STAGED}"), *(cache / "journal").iterdir()]


@pytest.fixture(scope="module")
def origin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project whose notes refer to each other, with one in the trash."""
    root = tmp_path_factory.mktemp("origin")
    graph = on_disk(root)
    for title, kind in (("The model", "component"), ("The old way", "decision"), ("The new way", "decision")):
        capture(graph, Material(title, LONG, type=kind, tags=("storage",)), automatic=2.0)
    capture(
        graph,
        Material("Deleted note", LONG, type="issue", relations=(RequestedRelation("affects", NEW),)),
        automatic=2.0,
    )
    for source, target, kind in (
        (MODEL, NEW, "affects"),
        (OLD, MODEL, "uses"),
        (NEW, MODEL, "uses"),
        (NEW, TRASHED, "relates_to"),
        (OLD, TRASHED, "uses"),
    ):
        relate.relate(graph, source, target, kind)
    delete_restore.delete(graph, TRASHED)
    for path in (root / ".autology").rglob("*.md"):  # long ago: only what happens now is young
        os.utime(path, (1_700_000_000, 1_700_000_000))
    graph.refresh(walk=True)
    return root


def copied(origin: Path, to: Path) -> Path:
    shutil.copytree(origin, to, symlinks=True)
    return to


def act(root: Path, action: Action) -> None:
    action(on_disk(root, first_id=50))


def check_files(found: State, before: State, after: State) -> None:
    """Every file is the old or the new one, to the byte."""
    for path in before.files.keys() | after.files.keys() | found.files.keys():
        assert found.files.get(path) in (before.files.get(path), after.files.get(path)), path


def check_reopened(root: Path, before: State, after: State, at: int) -> bool:
    """The next look sees the whole change or nothing of it, and an index that knows exactly the files."""
    graph = on_disk(root, first_id=90)
    results = of_graph(graph)
    result = state(root)
    assert result in (before, after), f"half a change after a kill at {at}"
    expected = fresh(graph.files, root / "fresh")
    assert results == expected, f"the index does not know the files after a kill at {at}"
    assert results.faults == []
    return result == after


def check_next_write(root: Path) -> None:
    """The next write leaves nothing of the dead one behind, and the projection can be made anew."""
    graph = on_disk(root, first_id=90)
    update(graph, OLD, Fields(confidence=0.77))
    assert leftovers(root) == []
    graph_index_file.write(graph)
    lines = (root / ".autology" / "graph" / "index.json").read_text(encoding="utf-8")
    assert lines.count('"source"') == len(graph.index.edges())


@pytest.mark.parametrize("name", ACTIONS)
def test_a_killed_operation_has_happened_or_has_not(origin: Path, quick_path: Path, name: str) -> None:
    action = ACTIONS[name]
    before = state(origin)
    done = copied(origin, quick_path / "done")
    act(done, action)
    after = state(done)
    assert before != after
    way = course(partial(act, copied(origin, quick_path / "counted"), action))
    assert way.calls > 500
    assert len(way.decisive) > 10
    outcomes = []
    for at in way.stops(POINTS):
        root = copied(origin, quick_path / str(at))
        if not killed_at(at, partial(act, root, action)):
            assert at > way.calls * 0.9  # small differences in the count at the very end
            continue
        check_files(state(root), before, after)
        outcomes.append(check_reopened(root, before, after, at))
        check_next_write(root)
        shutil.rmtree(root)
    assert len(outcomes) > 40
    assert set(outcomes) == {False, True}  # killed too early to count, and too late to be undone


def test_a_recovery_that_is_killed_too_is_completed_by_the_next(origin: Path, quick_path: Path) -> None:
    before = state(origin)
    done = copied(origin, quick_path / "done")
    act(done, ACTIONS["delete"])
    after = state(done)
    way = course(partial(act, copied(origin, quick_path / "counted"), ACTIONS["delete"]))
    midway = None
    for at in way.decisive:
        root = copied(origin, quick_path / "try")
        killed_at(at, partial(act, root, ACTIONS["delete"]))
        if state(root) not in (before, after):
            midway = copied(root, quick_path / "midway")
        shutil.rmtree(root)
        if midway:
            break
    assert midway, "no kill fell between two renames"
    mending = course(on_disk(copied(midway, quick_path / "mended")).refresh)
    points = 0
    for at in mending.stops(POINTS):
        root = copied(midway, quick_path / str(at))
        points += killed_at(at, on_disk(root).refresh)
        check_files(state(root), before, after)
        assert check_reopened(root, before, after, at)
        check_next_write(root)
        shutil.rmtree(root)
    assert points > 40


def test_a_first_capture_that_is_killed_leaves_a_project_that_can_be_used(quick_path: Path) -> None:
    def first(root: Path) -> None:
        capture(on_disk(root), Material("First note", "text", type="concept"))

    (quick_path / "counted").mkdir()
    way = course(lambda: first(quick_path / "counted"))
    for at in way.stops(POINTS):
        root = quick_path / str(at)
        root.mkdir()
        killed_at(at, lambda root=root: first(root))
        capture(on_disk(root, first_id=9), Material("Second note", "other text", type="concept"))
        titles = {source.title for source in on_disk(root).index.by_title(["First note", "Second note"])}
        assert "Second note" in titles
        assert leftovers(root) == []
        assert of_graph(on_disk(root)) == fresh(on_disk(root).files, root / "fresh")
        shutil.rmtree(root)
