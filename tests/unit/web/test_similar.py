"""The page gets the pairs of similar notes where few notes are linked, or when it asks for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from autology.web.calls import answer
from autology.web.project import PageProject

TEXTS = {
    "mail": "# Retry failed mail\n\nMail that the mail server refuses is sent again from a queue.\n",
    "queue": "# Mail queue\n\nThe web server puts mail into a queue; a worker sends it to the mail server.\n",
    "theme": "# Dark theme\n\nThe colours of the page follow the dark theme of the system.\n",
    "colours": "# Accessible colours\n\nThe page's colours have enough contrast in the dark theme, too.\n",
}
PAIRS = [{"colours", "theme"}, {"mail", "queue"}]


@pytest.fixture
def project(tmp_path: Path) -> PageProject:
    root = tmp_path / "project"
    (root / "docs").mkdir(parents=True)
    for name, text in TEXTS.items():
        (root / "docs" / f"{name}.md").write_text(text, encoding="utf-8")
    return PageProject(str(root))


def pairs(project: PageProject, **given: str) -> list[set[str]] | None:
    graph = answer(project, "graph", given)
    if graph["similar"] is None:
        return None
    names = [Path(graph["nodes"][end]["id"]).stem for end in graph["similar"]]
    return sorted(({*pair} for pair in zip(names[::2], names[1::2], strict=True)), key=min)


def test_pairs_come_with_a_graph_of_few_links_unless_they_are_declined(project: PageProject) -> None:
    assert pairs(project) == pairs(project, similar="1") == PAIRS
    assert pairs(project, similar="0") is None


def test_pairs_of_a_graph_of_many_links_come_on_request(project: PageProject) -> None:
    (Path(project.root) / "docs" / "theme.md").write_text(f"{TEXTS['theme']}\n[1](mail.md)\n", encoding="utf-8")
    assert answer(project, "graph", {})["sparse"] is False
    assert pairs(project) is None
    assert pairs(project, similar="1") == PAIRS


def test_pairs_are_computed_again_only_after_a_change(project: PageProject) -> None:
    whole = project.whole
    assert project.with_similar(whole) is project.with_similar(whole)
    text = TEXTS["queue"].replace("Mail queue", "Queue of mail")
    (Path(project.root) / "docs" / "queue.md").write_text(f"{text}\nSee [mail](mail.md).\n", encoding="utf-8")
    assert pairs(project, similar="1") == PAIRS[:1]


def test_texts_that_wait_for_vectors_are_compared_on_request(
    project: PageProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("autology.core.documents.library.MANY", 1)
    first = answer(project, "graph", {})
    assert (first["similar"], first["waiting"]) == ([], True)
    assert answer(project, "compare", {}) == {"left": 0}
    assert answer(project, "graph", {})["waiting"] is False
    assert pairs(project) == PAIRS
