"""Search on the page: how it was done, in the page's own words."""

from __future__ import annotations

from pathlib import Path

from autology.core.nodes import capture
from autology.web.project import PageProject
from autology.web.searching import search


def test_the_explanation_speaks_the_words_of_the_page(home: Path, tmp_path: Path) -> None:
    page = PageProject(str(tmp_path))
    capture.capture(page.graph, capture.Material("Order", "What a customer wants, until it is paid.", "concept"))
    explained = search(page, "what did we decide about orders")["explanation"]
    assert explained.startswith("Searched by keyword and by meaning; found ")
    assert "1 in notes" in explained
    assert "_" not in explained


def test_words_that_are_nowhere_are_named(home: Path, tmp_path: Path) -> None:
    page = PageProject(str(tmp_path))
    capture.capture(page.graph, capture.Material("Order", "What a customer wants, until it is paid.", "concept"))
    reply = search(page, "zeppelin")
    assert reply["verdict"]
    assert reply.get("absent", ["zeppelin"]) == ["zeppelin"]
