"""The graph sees what others did to the files, however quickly, and changes what they say, not what it remembers."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

import pytest

from autology.core.nodes import delete_restore, relate, search
from autology.core.nodes.capture import Material, capture
from autology.core.nodes.graph import Graph
from autology.core.nodes.update import Fields, update
from autology.files import safe_read
from autology.files.node_folder import AutologyFolder
from autology.index.sqlite import SqliteIndex
from autology.model.errors import ConflictError, NotFoundError, StorageError
from autology.model.query import Filter
from tests.fakes.files import MemoryFiles
from tests.fakes.index import MemoryIndex
from tests.fakes.portrait import fresh, of_graph
from tests.fakes.project import a_graph, an_id, on_disk


def titles(graph: Graph) -> list[str]:
    graph.refresh(walk=True)
    return sorted(source.title for source in graph.index.listed(Filter(), -1, ""))


def note(graph: Graph, title: str = "A note") -> str:
    return capture(graph, Material(title, "some text", "concept")).node.id


def rewrite(path: Path, old: str, new: str, keep_time: bool = False) -> None:
    facts = path.stat()
    path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    if keep_time:
        os.utime(path, ns=(facts.st_atime_ns, facts.st_mtime_ns))


def test_another_text_of_the_same_length_and_time_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(safe_read, "YOUNG_NS", 600_000_000_000)  # this very moment lasts, on a busy machine
    graph = on_disk(tmp_path)
    path = tmp_path / ".autology" / "nodes" / "concepts" / f"{note(graph)}.md"
    for before, after in (("A note", "B note"), ("B note", "C note"), ("C note", "D note")):
        path.write_text(path.read_text(encoding="utf-8"), encoding="utf-8")  # young again
        other = on_disk(tmp_path)
        assert titles(other) == [before]  # another process indexes it at this very moment
        rewrite(path, before, after, keep_time=True)
        assert titles(graph) == [after]
        assert titles(other) == [after]


def test_an_edit_in_place_of_a_file_changed_lately_is_seen_at_once(tmp_path: Path) -> None:
    graph = on_disk(tmp_path)
    path = tmp_path / ".autology" / "nodes" / "concepts" / f"{note(graph)}.md"
    graph.refresh(walk=True)
    graph.freshness.cost = 60.0  # as if a look at every file took long: the next one is twenty minutes away
    for word in ("apples", "pears"):
        path.write_text(path.read_text(encoding="utf-8") + f"{word}\n", encoding="utf-8")
        assert [hit.path.endswith(path.name) for hit in search.search(graph, search.NodeQuery(word)).hits] == [True]


def test_a_change_is_made_to_what_the_file_says_and_not_to_what_is_remembered(tmp_path: Path) -> None:
    graph = on_disk(tmp_path)
    id = note(graph)
    path = tmp_path / ".autology" / "nodes" / "concepts" / f"{id}.md"
    time.sleep(0.03)  # old enough to be remembered
    search.search(graph, search.NodeQuery("note"))
    rewrite(path, "some text", "more text", keep_time=True)
    update(graph, id, Fields(tags=("new",)))
    assert "more text" in path.read_text(encoding="utf-8")


def test_a_file_that_goes_while_the_folder_is_listed_is_simply_not_there(tmp_path: Path) -> None:
    graph = on_disk(tmp_path)
    for number in range(20):
        note(graph, f"Note {number}")
    folder = tmp_path / ".autology" / "nodes" / "concepts"
    ended = threading.Event()

    def come_and_go() -> None:
        while not ended.is_set():
            for path in folder.glob("*0000000?-*.md"):
                text = path.read_bytes()
                path.unlink()
                path.write_bytes(text)

    thread = threading.Thread(target=come_and_go)
    thread.start()
    try:
        for _ in range(300):
            graph.files.scan()
        for _ in range(20):
            graph.refresh(walk=True)
    finally:
        ended.set()
        thread.join()
    assert of_graph(graph) == fresh(graph.files, tmp_path / "fresh")


@pytest.mark.parametrize("kind", ["disk", "memory"])
def test_a_lost_index_is_rebuilt_from_the_files(tmp_path: Path, kind: str) -> None:
    index = MemoryIndex() if kind == "memory" else SqliteIndex(lambda: str(tmp_path / "index.sqlite"))
    graph = a_graph(MemoryFiles(), index)
    ids = [note(graph, f"Note {n}") for n in range(3)]
    relate.relate(graph, ids[0], ids[1], "uses")
    if isinstance(index, MemoryIndex):
        index.lose()
    else:
        (tmp_path / "index.sqlite").unlink()
    assert {hit.node.id for hit in search.search(graph, search.NodeQuery("note")).hits} == set(ids)
    assert [edge.target for edge in graph.index.edges()] == [ids[1]]


def test_two_graphs_on_one_project_see_each_other_at_once(tmp_path: Path) -> None:
    one, other = on_disk(tmp_path), on_disk(tmp_path, first_id=50)
    id = note(one)
    update(other, id, Fields(title="By the other"))
    assert [hit.node.title for hit in search.search(one, search.NodeQuery(id)).hits] == ["By the other"]
    delete_restore.delete(other, id)
    with pytest.raises(NotFoundError):
        update(one, id, Fields(title="Too late"))


class Meddling(AutologyFolder):
    """A folder in which somebody saves a file between an operation's look and its commit, *times* over."""

    def __init__(self, root: str, times: int) -> None:
        super().__init__(root)
        self.times = times
        self.file = ""

    def commit(self, changes):  # type: ignore[no-untyped-def]
        if self.times and self.file:
            self.times -= 1
            path = Path(self.root) / self.file
            path.write_text(f"{path.read_text(encoding='utf-8')}by hand {self.times}\n", encoding="utf-8")
        return super().commit(changes)


def meddled(tmp_path: Path, times: int) -> tuple[Graph, Path]:
    files = Meddling(str(tmp_path), times)
    graph = a_graph(files, SqliteIndex(lambda: str(tmp_path / "index.sqlite")))
    id = note(graph)
    files.file = f".autology/nodes/concepts/{id}.md"
    return graph, tmp_path / files.file


def test_a_change_is_begun_again_when_an_editor_came_between(tmp_path: Path) -> None:
    graph, path = meddled(tmp_path, times=2)
    update(graph, an_id(1), Fields(tags=("new",)))
    text = path.read_text(encoding="utf-8")
    assert "by hand 1" in text
    assert "by hand 0" in text
    assert "- new" in text


def test_a_change_is_refused_when_an_editor_keeps_saving(tmp_path: Path) -> None:
    graph, path = meddled(tmp_path, times=99)
    with pytest.raises(ConflictError, match=r"the file changed since it was read\. Nothing was written"):
        update(graph, an_id(1), Fields(tags=("new",)))
    text = path.read_text(encoding="utf-8")
    assert text.count("by hand") == 3
    assert "- new" not in text


def test_a_file_in_the_folder_of_another_type_can_be_given_that_type(tmp_path: Path) -> None:
    graph = on_disk(tmp_path)
    id = note(graph)
    path = tmp_path / ".autology" / "nodes" / "concepts" / f"{id}.md"
    there = tmp_path / ".autology" / "nodes" / "issues" / f"{id}.md"
    path.rename(there)  # by hand; its text still says concept
    update(graph, id, Fields(type="issue"))
    assert "type: issue" in there.read_text(encoding="utf-8")
    assert [source.type for source in graph.index.by_prefix(id, 2)] == ["issue"]


def test_an_unreadable_file_is_named_by_whoever_wants_to_change_it(tmp_path: Path) -> None:
    graph = on_disk(tmp_path)
    id = note(graph)
    path = tmp_path / ".autology" / "nodes" / "concepts" / f"{id}.md"
    graph.refresh(walk=True)
    graph.freshness.cost = 60.0  # as in a very large project: it does not look at every file again yet
    path.write_text("no node any more", encoding="utf-8")
    with pytest.raises(StorageError, match="has no frontmatter"):
        update(graph, id, Fields(tags=("x",)))
    assert path.read_text(encoding="utf-8") == "no node any more"
