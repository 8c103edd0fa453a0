"""The graph as displays get it: where each file lies, and the part around one of its vertices."""

from __future__ import annotations

from pathlib import Path

import pytest

from autology.core.atlas.atlas import Vertex
from autology.core.atlas.display import DisplayGraph, DisplayVertex, display_graph, neighbourhood
from autology.wire.project import Project
from tests.unit.cli_kit import autology


def chain(size: int) -> DisplayGraph:
    """A chain of *size* vertices, 0 to 1 to 2 …, and one vertex that nothing is linked to."""
    vertices = [DisplayVertex(Vertex(str(n), f"Note {n}", "concept"), "active", "", (), 0) for n in range(size + 1)]
    return DisplayGraph(vertices, [(n, "uses", n + 1) for n in range(size - 1)], {})


@pytest.mark.parametrize(("start", "steps", "limit", "ids"), [
    ("2", 1, 9, ["2", "1", "3"]),
    ("2", 2, 9, ["2", "1", "3", "0", "4"]),
    ("2", 2, 4, ["2", "1", "3", "0"]),
    ("6", 2, 9, ["6"]),
    ("nowhere", 2, 9, []),
])  # fmt: skip
def test_a_neighbourhood_is_what_links_reach_either_way_nearest_first(
    start: str, steps: int, limit: int, ids: list[str]
) -> None:
    part, is_cut = neighbourhood(chain(6), start, steps, limit)
    assert [vertex.vertex.id for vertex in part.vertices] == ids
    assert is_cut == (limit == 4)


def test_a_neighbourhood_has_the_links_between_its_vertices() -> None:
    part, _ = neighbourhood(chain(6), "2", 1, 9)
    named = {
        (part.vertices[source].vertex.id, type, part.vertices[target].vertex.id) for source, type, target in part.links
    }
    assert named == {("1", "uses", "2"), ("2", "uses", "3")}


def test_a_cycle_is_reached_once() -> None:
    graph = chain(3)
    part, _ = neighbourhood(DisplayGraph(graph.vertices, [*graph.links, (2, "uses", 0), (0, "uses", 0)], {}), "0", 5, 9)
    assert [vertex.vertex.id for vertex in part.vertices] == ["0", "1", "2"]


def test_every_vertex_has_its_folder_and_all_notes_share_one(tmp_path: Path) -> None:
    root = tmp_path / "project"
    (root / "docs" / "guides").mkdir(parents=True)
    (root / "README.md").write_text("# Read me\n", encoding="utf-8")
    (root / "docs" / "guides" / "one.md").write_text("# One\n", encoding="utf-8")
    for type in ("concept", "pattern"):
        assert autology("capture", "--title", type, "--content", type, "--type", type, project=root) == 0
    shown = display_graph(Project(str(root)).atlas).vertices
    assert {vertex.vertex.title: vertex.folder for vertex in shown} == {
        "Read me": "",
        "One": "docs/guides",
        "concept": ".autology/nodes",
        "pattern": ".autology/nodes",
    }
