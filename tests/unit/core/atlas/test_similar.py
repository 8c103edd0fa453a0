"""Similar texts are paired for the display alone: the graph, its measures and its files know nothing of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from autology.core.atlas import similar
from autology.core.atlas.display import DisplayGraph, display_graph
from autology.core.atlas.similar import with_similar
from autology.core.atlas.stats import stats
from autology.render.graph import data
from autology.wire.project import Project
from tests.unit.cli_kit import autology

TEXTS = {
    "PostgreSQL for orders": "Orders are stored in a PostgreSQL database, with transactions and a replica.",
    "PostgreSQL for users": "Users are stored in a PostgreSQL database, with transactions and a backup.",
    "Retry failed mail": "Mail that the mail server refuses is sent again from a queue, an hour later.",
    "Mail queue": "The web server puts mail into a queue, from which a worker sends it to the mail server.",
    "Dark theme": "Colours of the page follow the dark theme of the system; contrast is checked.",
    "Accessible colours": "The page's colours have enough contrast in the light and in the dark theme.",
    "Holidays": "The office is closed between Christmas and the new year.",
}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    root = tmp_path / "project"
    (root / "docs").mkdir(parents=True)
    for number, (title, text) in enumerate(TEXTS.items()):
        (root / "docs" / f"{number}.md").write_text(f"# {title}\n\n{text}\n", encoding="utf-8")
    return Project(str(root))


def shown(project: Project) -> DisplayGraph:
    return with_similar(project.graph.index, display_graph(project.atlas))


def titles(graph: DisplayGraph) -> set[frozenset[str]]:
    assert graph.similar is not None
    return {frozenset(graph.vertices[end].vertex.title for end in pair) for pair in graph.similar}


def test_texts_about_the_same_are_paired_and_one_about_something_else_is_not(project: Project) -> None:
    assert titles(shown(project)) == {
        frozenset({"PostgreSQL for orders", "PostgreSQL for users"}),
        frozenset({"Retry failed mail", "Mail queue"}),
        frozenset({"Dark theme", "Accessible colours"}),
    }


def test_linked_texts_are_not_paired(project: Project) -> None:
    with (Path(project.root) / "docs" / "2.md").open("a", encoding="utf-8") as file:
        file.write("\nSee [the queue](3.md).\n")
    assert frozenset({"Retry failed mail", "Mail queue"}) not in titles(shown(project))


def test_pairs_are_neither_links_nor_relations(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    graph = shown(project)
    assert graph.similar
    assert graph.links == []
    assert not project.graph.index.edges()
    assert stats(project.atlas).edges == 0
    assert stats(project.atlas).orphans == len(TEXTS)
    assert autology("graph", "--format", "json", project=Path(project.root)) == 0
    assert json.loads(capsys.readouterr().out)["edges"] == []
    assert data.whole(graph)["links"] == []
    assert len(data.whole(graph)["similar"]) == 2 * len(graph.similar)
    assert data.whole(display_graph(project.atlas))["similar"] is None


def test_a_graph_is_sparse_while_fewer_than_half_of_its_texts_are_linked(project: Project) -> None:
    assert display_graph(project.atlas).is_sparse
    (Path(project.root) / "docs" / "0.md").write_text("[1](1.md) [2](2.md) [3](3.md)\n", encoding="utf-8")
    assert not display_graph(project.atlas).is_sparse
    assert not DisplayGraph((), (), {}).is_sparse


def test_too_many_texts_are_not_compared(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(similar, "MOST", len(TEXTS) - 1)
    assert shown(project).similar == ()


def test_texts_that_wait_for_their_vectors_are_compared_once_they_have_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, project: Project
) -> None:
    monkeypatch.setattr("autology.core.documents.library.MANY", 1)
    assert shown(project).similar == []
    assert project.graph.encode() == 0
    assert len(titles(shown(project))) == 3


def test_a_page_to_share_has_the_pairs(project: Project, tmp_path: Path) -> None:
    out = tmp_path / "graph.html"
    assert autology("graph", "--html", str(out), project=Path(project.root)) == 0
    (stored,) = [line for line in out.read_text(encoding="utf-8").splitlines() if 'id="graph"' in line]
    assert len(json.loads(stored.partition(">")[2].rpartition("</script>")[0])["similar"]) == 6
