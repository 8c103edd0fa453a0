"""A plan to bring the index up to the files harms nothing that happened since it was made."""

from __future__ import annotations

from pathlib import Path

from autology.core.content.plan import plan
from autology.core.nodes import capture
from autology.wire.project import Project


def test_a_node_written_since_the_files_were_listed_stays_in_the_index(tmp_path: Path) -> None:
    graph = Project(str(tmp_path)).graph
    graph.files.create()
    listed_before = graph.files.scan()
    node = capture.capture(graph, capture.Material("A thing", "Its text.", "concept")).node
    stale = plan(listed_before, graph.stamps())
    assert stale.gone == (node.path,)
    graph.apply(stale)
    assert node.id in graph.index.by_ids([node.id])


def test_a_node_whose_file_is_gone_leaves_the_index(tmp_path: Path) -> None:
    graph = Project(str(tmp_path)).graph
    node = capture.capture(graph, capture.Material("A thing", "Its text.", "concept")).node
    (tmp_path / node.path).unlink()
    graph.apply(graph.changes())
    assert not graph.index.by_ids([node.id])
