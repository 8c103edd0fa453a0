"""Many processes at once lose nothing: no update, no note, no relation; and an editor beside them neither."""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

from autology.core.nodes import graph_index_file
from autology.core.nodes.capture import Material, capture
from autology.core.nodes.node_codec import NodeCodec
from autology.core.nodes.status import status
from autology.core.nodes.update import Fields, update
from autology.files.atomic import STAGED
from autology.model.errors import AutologyError, StorageError
from autology.model.node import Node
from autology.wire.project import Project
from tests.durability.killing import course
from tests.fakes.portrait import fresh, of_graph

WRITERS = 8
COUNT = int(os.environ.get("AUTOLOGY_WRITER_OPERATIONS", "60"))
"""Operations of each writer; 200 take half a minute."""
TESTS = Path(__file__).parents[1]
PATH = [str(TESTS.parent / "server"), str(TESTS.parent)]


def started(root: Path, number: int, shared: list[str]) -> subprocess.Popen[str]:
    command = [sys.executable, str(Path(__file__).with_name("writer.py")), str(root), str(number), str(COUNT), *shared]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(PATH)}
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True, encoding="utf-8")


def nodes_on_disk(root: Path) -> dict[str, Node]:
    files = (root / ".autology" / "nodes").rglob("*.md")
    nodes = [NodeCodec().parse(path.read_bytes(), path.relative_to(root).as_posix()) for path in files]
    assert len({node.id for node in nodes}) == len(nodes)
    return {node.id: node for node in nodes}


def test_writes_of_eight_processes_are_all_kept(quick_path: Path) -> None:
    root = quick_path / "project"
    root.mkdir()
    graph = Project(str(root)).graph
    shared = [capture(graph, Material(f"Shared {n}", "at first", "concept")).node.id for n in range(4)]
    writers = [started(root, number, shared) for number in range(WRITERS)]
    reports = [json.loads(writer.communicate(timeout=500)[0]) for writer in writers]
    assert [writer.returncode for writer in writers] == [0] * WRITERS
    retried = [result for report in reports for result in report["retried"]]
    assert [result for report in reports for result in report["failed"]] == [], retried
    print(f"{WRITERS} × {COUNT} operations, {len(retried)} healed by one retry: {sorted(set(retried))[:5]}")
    check_notes(root, shared, reports)
    check_shared_fields(root, reports)
    check_bookkeeping(root)


def check_notes(root: Path, shared: list[str], reports: list[dict[str, Any]]) -> None:
    result = nodes_on_disk(root)
    notes = {id: note for report in reports for id, note in report["notes"].items()}
    assert result.keys() == notes.keys() | set(shared)
    for id, note in notes.items():
        assert (result[id].title, result[id].content) == (note["title"], note["content"])
    relations = {tuple(key): value for report in reports for *key, value in report["relations"]}
    written = {(node.id, r.type.value, r.target): r.confidence for node in result.values() for r in node.relations}
    assert written == relations
    assert len(notes) > WRITERS * 2
    assert any(report["gone"] for report in reports)


def check_shared_fields(root: Path, reports: list[dict[str, Any]]) -> None:
    result = nodes_on_disk(root)
    values = {key: value for report in reports for key, value in report["values"].items()}
    assert len(values) >= 6
    for key, value in values.items():
        id, field = key.split()
        written = getattr(result[id], field)
        assert (list(written) if isinstance(written, tuple) else written) == value, key


def check_bookkeeping(root: Path) -> None:
    graph = Project(str(root)).graph
    result = status(graph)
    assert (result.unreadable, result.dangling, result.notes) == ((), 0, ())
    assert of_graph(graph) == fresh(graph.files, root / "fresh")
    assert list((root / ".autology").rglob(f"*{STAGED}")) == []
    assert list((root / ".autology" / "cache" / "journal").iterdir()) == []
    graph_index_file.write(graph)
    lines = json.loads((root / ".autology" / "graph" / "index.json").read_text(encoding="utf-8"))["relations"]
    written = {(node.id, r.type.value, r.target) for node in nodes_on_disk(root).values() for r in node.relations}
    assert {(line["source"], line["type"], line["target"]) for line in lines} == written


# ---- an editor beside them -----------------------------------------------------------------------------


class Editor:
    """A person's editor: it reads a file, and some time later writes it in place, knowing of no lock."""

    def __init__(self, path: Path, lines: int) -> None:
        self.path = path
        self.lines = [f"line {n} by hand" for n in range(lines)]
        self.thread = threading.Thread(target=self._work)

    def _work(self) -> None:
        for line in self.lines:
            text = self.path.read_text(encoding="utf-8")
            if text:
                self.path.write_text(f"{text}{line}\n", encoding="utf-8")
            time.sleep(0.003)


def test_saves_of_an_editor_during_updates_are_not_lost(quick_path: Path) -> None:
    graph = Project(str(quick_path)).graph
    node = capture(graph, Material("Edited note", "first line\n", "concept")).node
    editor = Editor(quick_path / node.path, 150)
    editor.thread.start()
    refused = done = 0
    while editor.thread.is_alive():
        try:
            update(graph, node.id, Fields(tags=(f"tag-{done}",)))
            done += 1
        except AutologyError:  # while the editor's file is empty it is no note
            refused += 1
        time.sleep(0.001)
    editor.thread.join()
    text = (quick_path / node.path).read_text(encoding="utf-8")
    assert [line for line in editor.lines if line not in text] == []
    assert done > 5
    update(graph, node.id, Fields(tags=("last",)))
    assert nodes_on_disk(quick_path)[node.id].tags == ("last",)


def test_an_editor_that_saves_at_any_call_of_an_update_is_not_overwritten(quick_path: Path) -> None:
    graph = Project(str(quick_path)).graph
    node = capture(graph, Material("Edited note", "first line", "concept")).node
    path = quick_path / node.path
    original = path.read_text(encoding="utf-8")
    edited = original.replace("first line", "the line of a person")
    change = functools.partial(update, graph, node.id, Fields(confidence=0.42))
    way = course(change)
    closely = {at + shift for at in way.decisive for shift in range(-60, 60)}
    lost, saved = [], 0
    for at in sorted(closely | set(range(1, way.calls, 40))):
        path.write_text(original, encoding="utf-8")
        if saved_during(change, path, edited, at):
            saved += 1
            if "the line of a person" not in path.read_text(encoding="utf-8"):
                lost.append(at)
    assert saved > 300
    assert lost == []
    assert list(path.parent.glob(f".*{STAGED}")) == []


def saved_during(action: Any, path: Path, text: str, at: int) -> bool:
    """Run *action*, and at its *at*-th call save *text* in place; false if it made fewer calls."""
    left, saved = at, False

    def tick(frame: object, event: str, argument: object) -> None:
        nonlocal left, saved
        left -= 1
        if left == 0:
            sys.setprofile(None)
            path.write_text(text, encoding="utf-8")
            saved = True

    sys.setprofile(tick)
    try:
        action()
    except StorageError:
        pass
    finally:
        sys.setprofile(None)
    return saved
