"""Two notes of one title are told apart wherever they are listed, and others are listed by their titles alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from autology.core.index.namesakes import namesakes
from autology.core.nodes import capture
from autology.model.hit import Source
from autology.web.calls import answer
from autology.web.project import PageProject


def source(id: str, path: str, created: str, title: str = "Networking") -> Source:
    return Source(id, "decision", title, "active", 0.9, created, created, path)


@pytest.mark.parametrize(
    ("paths", "created", "marks"),
    [
        (("adr/0003-net.md", "adr/0033-ip.md"), ("2017-06-30", "2018-09-26"), ["0003", "0033"]),
        (("a/0003-net.md", "b/0003-net.md"), ("2017-06-30", "2018-09-26"), ["2017-06-30", "2018-09-26"]),
        (("a/0003-net.md", "b/0003-net.md"), ("2017-06-30", "2017-06-30"), ["a/0003-net.md", "b/0003-net.md"]),
        ((".autology/nodes/concepts/1.md", "net.md"), ("2017-06-30", ""), ["00000000", "net.md"]),
    ],
)
def test_the_shortest_way_that_tells_notes_of_one_title_apart_is_taken(
    paths: tuple[str, str], created: tuple[str, str], marks: list[str]
) -> None:
    ids = ("00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002")
    sources = [source(id, path, at) for id, path, at in zip(ids, paths, created, strict=True)]
    assert [*namesakes([*sources, source("3", "adr/0004-other.md", "", "Other")]).values()] == marks


def test_a_pair_is_told_apart_in_the_graph_the_switcher_the_picker_the_search_and_on_the_page(tmp_path: Path) -> None:
    page = PageProject(str(tmp_path))
    texts = ("Where the office has its cables.", "Which fibre the shop has.")
    first, second = (
        capture.capture(page.graph, capture.Material("Networking", text, "concept")).node for text in texts
    )
    alone = capture.capture(page.graph, capture.Material("Cables", "Of copper.", "concept")).node
    drawn = {node["id"]: node["title"] for node in answer(page, "graph", {})["nodes"]}
    assert drawn[alone.id] == "Cables"
    assert len({*drawn.values()}) == 3
    for call, arguments, key in (
        ("jump", {"text": "networking"}, "items"),
        ("titles", {"beginning": "networking"}, "titles"),
        ("search", {"query": "networking"}, "results"),
    ):
        marks = {one["id"]: one.get("mark") for one in answer(page, call, arguments)[key]}
        assert marks[first.id] != marks[second.id], call
        assert drawn[first.id] == f"Networking ({marks[first.id]})"
    assert answer(page, "opened", {"id": first.id})["mark"]
    assert "mark" not in answer(page, "opened", {"id": alone.id})
