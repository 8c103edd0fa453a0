"""The picture in a file of its own, and as large as it gets."""

from __future__ import annotations

import random
from pathlib import Path

from autology.core.atlas.atlas import Vertex
from autology.core.atlas.display import DisplayGraph, DisplayVertex
from autology.render.graph.html import html
from tests.browser.browser import Browser
from tests.unit.cli_kit import autology

TYPES = ("decision", "component", "convention", "concept", "pattern", "issue", "session")
MANY = 10_000
KEY = "AKIA" + "QX3TZ7PLMNB2WRD5"


def whole(size: int) -> DisplayGraph:
    """A graph of *size* nodes in fifty communities."""
    chance = random.Random(1)
    spots = [
        DisplayVertex(Vertex(f"{n:08d}", f"Node {n}", TYPES[n % 7]), "active", "2026-01-01T00:00:00Z", (), n % 50 + 1)
        for n in range(size)
    ]
    links = [(n, "relates_to", (n + 50 * chance.randrange(1, 9)) % size) for n in range(size)]
    links += [(n, "uses", chance.randrange(size)) for n in range(0, size, 9)]
    return DisplayGraph(spots, links, {n: (f"part {n}",) for n in range(1, 51)})


def test_ten_thousand_nodes_are_drawn_moved_and_walked(tmp_path: Path, browser: Browser) -> None:
    file = tmp_path / "graph.html"
    file.write_text(html(whole(MANY), "many"), encoding="utf-8", newline="")
    page = browser.page(file.as_uri())
    page.until("document.querySelector('.graph')?.dataset.settled === 'yes'", seconds=60)
    page.sees("10,000 nodes, 11,112 links")
    page.click(".graph-search input")
    page.write("node 4711")
    page.press("Enter")
    page.until("document.querySelector('.graph-card h2')?.textContent === 'Node 4711'")
    page.choose("Neighbourhood", "2")
    page.choose("Neighbourhood", "0")
    page.choose("Colour", "group")
    page.click("button", "Path from here")
    page.click(".graph-search input")
    page.write("node 9001")
    page.press("Enter")
    page.sees("The shortest path has")
    for name in ("Zoom in", "Zoom out", "Show all"):
        page.click(f"button[aria-label='{name}']")
    page.click(".graph-filters label", "issue")
    page.sees("8,572 of 10,000 nodes")
    assert page.troubles == []
    assert page.requests == [file.as_uri()]
    page.close()


def test_the_file_holds_the_picture_alone_and_nothing_in_it_acts(tmp_path: Path, browser: Browser, home: Path) -> None:
    root = tmp_path / "shop & more"
    (root / "docs").mkdir(parents=True)
    hostile = "</script><script>document.title='acted'</script><!-- \u2028"
    (root / "docs" / "one.md").write_text(f"# {hostile}\n\n[[two]]\n", encoding="utf-8")
    (root / "docs" / "two.md").write_text(f"# Two with {KEY}\n", encoding="utf-8")
    out = tmp_path / "graph.html"
    assert autology("graph", "--html", str(out), project=root) == 0
    assert autology("memory", "store", "A secret plan", "--kind", "todo", project=root) == 0
    assert autology("graph", "--html", str(out), "--force", project=root) == 0
    text = out.read_text(encoding="utf-8")
    assert "secret" not in text
    assert KEY not in text
    page = browser.page(out.as_uri())
    page.until("document.querySelector('.graph')?.dataset.settled === 'yes'")
    page.sees("2 nodes, 1 link")
    assert page.tell("document.title") == "shop & more — knowledge graph"
    assert page.text("h1") == "shop & more"
    page.tell("document.querySelector('canvas').focus()")
    page.press("ArrowDown")
    page.until("document.querySelector('.graph-card:not([hidden])')")
    assert "Open" not in page.text(".graph-card .row")
    assert page.requests == [out.as_uri()]
    assert page.troubles == []
    page.close()
    assert autology("graph", "--html", str(tmp_path / "no" / "folder.html"), project=root) == 1
