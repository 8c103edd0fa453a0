"""Where a record says that it amends another, the note's relations and the graph say so, once and in one direction."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from autology.core.nodes.export import export
from autology.settings import adopt_records
from autology.web.calls import answer
from autology.web.project import PageProject
from tests.unit.adoption_kit import nygard

FOLDER = "docs/adr"
FIRST, SECOND, THIRD, FOURTH = "Lay out folders", "Lay out data", "Assign addresses", "Assign addresses again"
TEXTS = (
    nygard(1, FIRST, "Accepted\n\nAmended by [2. Lay out data](0002-lay-out-data.md)"),
    nygard(2, SECOND, f"Accepted\n\nAmends [1. {FIRST}](0001-lay-out-folders.md)")
    + "See [1](0001-lay-out-folders.md).",
    nygard(3, THIRD, "Accepted") + "The ranges are superseded by [ADR 4](0004-assign-addresses-again.md).",
    nygard(4, FOURTH, "Accepted") + "This ADR in part supersedes [0003](0003-assign-addresses.md).",
)


@pytest.fixture
def page(tmp_path: Path) -> PageProject:
    folder = tmp_path / FOLDER
    folder.mkdir(parents=True)
    for number, (title, text) in enumerate(zip((FIRST, SECOND, THIRD, FOURTH), TEXTS, strict=True), 1):
        (folder / f"{number:04}-{title.lower().replace(' ', '-')}.md").write_text(text)
    adopt_records(str(tmp_path), [FOLDER])
    made = PageProject(str(tmp_path))
    made.graph.refresh(walk=True)
    return made


def links(page: PageProject, title: str) -> list[tuple[str, bool, str]]:
    (one,) = [one for one in answer(page, "titles", {"beginning": title})["titles"] if one["title"] == title]
    opened: list[dict[str, Any]] = answer(page, "opened", {"id": one["id"]})["links"]
    return [(link["type"], link["out"], link["title"]) for link in opened]


def test_a_record_names_what_it_changes_once_by_its_own_word(page: PageProject) -> None:
    assert links(page, SECOND) == [("amends", True, FIRST)]
    assert links(page, FIRST) == [("amends", False, SECOND)]
    assert links(page, FOURTH) == [("supersedes in part", True, THIRD)]
    assert links(page, THIRD) == [("supersedes in part", False, FOURTH)]


def test_the_graph_has_one_line_for_each_pair_from_what_changes_to_what_is_changed(page: PageProject) -> None:
    graph = answer(page, "graph", {})
    titles = [node["title"] for node in graph["nodes"]]
    flat = graph["links"]
    lines = {(titles[flat[at]], graph["types"][flat[at + 1]], titles[flat[at + 2]]) for at in range(0, len(flat), 3)}
    assert len(flat) == 3 * len(lines)
    assert lines == {(SECOND, "amends", FIRST), (FOURTH, "supersedes in part", THIRD)}


def test_a_worded_relation_is_removed_as_the_one_that_is_stored(page: PageProject) -> None:
    (one,) = answer(page, "titles", {"beginning": SECOND})["titles"]
    (link,) = answer(page, "opened", {"id": one["id"]})["links"]
    assert link["stored"]["type"] == "relates_to"
    reply = answer(page, "unrelate", link["stored"])
    assert links(page, SECOND) == links(page, FIRST) == []
    answer(page, "undo", {"step": reply["undo"]})
    assert links(page, SECOND) == [("amends", True, FIRST)]


def test_drawings_for_other_tools_say_what_the_record_says(page: PageProject) -> None:
    assert '-->|"amends"|' in export(page.graph, "mermaid").text
    assert '"supersedes in part"' in export(page.graph, "dot").text
