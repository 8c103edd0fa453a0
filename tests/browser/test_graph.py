"""The graph's screen: what is aside, what is emphasised, groups, labels, addresses; and the graph beside a note."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.browser import projects
from tests.browser.browser import Browser, Page
from tests.browser.conftest import Served, serve
from tests.conftest import places
from tests.unit.cli_kit import autology

Go = Callable[[str, str], None]
Box = list[float]

SETTLED = "document.querySelector('.graph')?.dataset.settled === 'yes'"
TITLES = "[...document.querySelectorAll('.unlinked li a')].map((link) => link.textContent)"
EMPHASISED = """
[...(picture.canvas.emphasis()?.nodes ?? [])].map((node) => picture.canvas.graph.nodes[node].title).sort()
"""


def number(title: str) -> str:
    """Return the code that finds the number of a node."""
    return f"picture.canvas.graph.nodes.findIndex((node) => node.title === {json.dumps(title)})"


def point_at(page: Page, spot: str) -> None:
    """Move the pointer to *spot*, code for [x, y] in the graph."""
    code = f"(([x, y], box) => [box.x + x, box.y + y])({spot}, picture.canvas.element.getBoundingClientRect())"
    x, y = page.tell(code)
    page.call("Input.dispatchMouseEvent", {"type": "mouseMoved", "x": x, "y": y})


def labels(page: Page) -> list[Box]:
    """Return the boxes of the titles that are drawn."""
    page.tell("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    boxes: list[Box] = page.tell("[...picture.canvas.painter.labelBoxes.values()]")
    return boxes


def overlaps(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[Page]:
    """The page of a project of 500 notes."""
    root, home = tmp_path_factory.mktemp("crowd"), tmp_path_factory.mktemp("crowd-home")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in places(home).items():
            patch.setenv(name, value)
        projects.large(root, 500)
    process, url = serve(root, home)
    page = browser.page(url)
    page.until(SETTLED)
    yield page
    page.close()
    Served(root, {}, process, url).end()


def test_notes_without_links_are_in_a_list_that_is_opened_and_searched(page: Page, shop: Served) -> None:
    linked = page.tell("picture.canvas.visible.reduce((sum, one) => sum + one, 0)")
    page.sees(f"{13 - linked} not linked")
    page.click(".graph-status button", "not linked")
    assert page.tell("document.activeElement.tagName") == "SUMMARY"
    titles = page.until(TITLES)
    assert len(titles) == 13 - linked
    assert "Errors end in the next step" in titles
    page.tell("document.querySelector('.unlinked input[type=search]').focus()")
    page.write("NEXT errors")
    assert page.tell(TITLES) == ["Errors end in the next step"]
    page.write("zzz")
    page.sees("No titles match")
    page.tell("(field => { field.value = ''; field.dispatchEvent(new Event('input')) })(document.activeElement)")
    page.click(".unlinked a", "Errors end in the next step")
    page.sees("Whoever reads an error wants to go on.")
    page.tell("history.back()")
    page.until("document.querySelector('#view > .graph')")
    page.click(".unlinked .check", "Draw them")
    page.until("picture.canvas.visible.every((one) => one) && location.hash.includes('unlinked=1')")
    page.click(".unlinked .check", "Draw them")
    page.until(SETTLED)


def test_nothing_linked_is_said_and_drawn_by_folder_on_request(tmp_path: Path, home: Path, browser: Browser) -> None:
    (tmp_path / "docs").mkdir()
    for name in ("one.md", "two.md", "docs/three.md"):
        (tmp_path / name).write_text(f"# Text {name}\n\nAlone.\n", encoding="utf-8")
    process, url = serve(tmp_path, home)
    page = browser.page(url)
    page.sees("None of these 3 notes is linked to another.")
    assert len(page.tell(TITLES)) == 3
    page.click(".graph-empty button", "Draw them by folder")
    page.until("picture.canvas.graph.boxes.length === 2")
    assert page.tell("picture.canvas.graph.boxes.map((box) => box.name)") == ["(top folder)", "docs"]
    assert "None of these" not in page.text()
    assert page.troubles == []
    page.close()
    Served(tmp_path, {}, process, url).end()


def test_pointing_at_a_note_shows_its_neighbours_without_drawing_the_graph_again(page: Page) -> None:
    page.tell("picture.canvas.fit()")
    page.tell("new Promise((done) => setTimeout(done, 300))")
    page.tell(
        "(painter => { const paint = painter.paint; globalThis.painted = 0;"
        " painter.paint = (...args) => { painted++; paint.apply(painter, args) } })(picture.canvas.painter)"
    )
    point_at(page, f"picture.canvas.positionOf({number('Outbox')})")
    assert page.until(EMPHASISED) == ["Mail worker", "Order service", "Outbox"]
    page.tell("new Promise((done) => setTimeout(done, 100))")
    assert page.tell("painted") == 0
    point_at(page, "[3, 3]")
    page.until("picture.canvas.emphasis() === null")
    assert page.tell("painted") == 0
    page.tell("picture.canvas.element.focus()")
    page.press("ArrowDown")
    selected = page.until("document.querySelector('.graph-card h2')?.textContent")
    assert selected in page.tell(EMPHASISED)
    assert page.text(".graph-stage > .unseen").startswith(selected)
    page.press("Escape")
    page.until("picture.canvas.emphasis() === null")


def test_pointing_at_a_link_names_its_relation(page: Page) -> None:
    page.tell("picture.canvas.fit()")
    ends = [f"picture.canvas.positionOf({number(f'Keep orders in {name}')})" for name in ("MySQL", "PostgreSQL")]
    point_at(page, f"((one, other) => [(one[0] + other[0]) / 2, (one[1] + other[1]) / 2])({', '.join(ends)})")
    link = "picture.canvas.graph.links.type[picture.canvas.hoveredLink]"
    assert page.until(f"picture.canvas.hoveredLink >= 0 && picture.canvas.graph.types[{link}]") == "supersedes"
    point_at(page, "[3, 3]")


def test_a_few_relations_have_their_types_written_on_them(page: Page) -> None:
    relations = page.tell("picture.canvas.painter.fewRelations().length")
    assert 0 < relations <= 12
    labels(page)
    assert page.tell("picture.canvas.painter.typeBoxes.size") > relations / 2


def test_a_folder_is_counted_and_what_is_linked_outside_of_it_says_so(page: Page) -> None:
    page.tell("document.querySelector('select[aria-label=Folder]').focus()")
    page.choose("Folder", "docs")
    page.until("location.hash.includes('folder=docs')")
    assert page.tell("document.activeElement.ariaLabel") == "Folder"
    assert page.tell("document.activeElement.title") == "docs"
    shown = page.tell(
        "picture.canvas.graph.nodes.filter((node) => picture.filters.accepts(picture.canvas.graph, node)).length"
    )
    counts = (
        "[...document.querySelectorAll('.graph-filters fieldset')].map((each) =>"
        " [...each.querySelectorAll('small')].reduce((sum, one) => sum + Number(one.textContent), 0))"
    )
    assert page.tell(counts)[0] == shown
    outside = (
        "[...picture.canvas.visible.keys()].find((node) =>"
        " picture.canvas.visible[node] && picture.canvas.neighboursOutside(node).length)"
    )
    count = page.tell(f"picture.canvas.neighboursOutside({outside}).length")
    wanted = f"{count} neighbour{'s' * (count > 1)} outside this view"
    point_at(page, f"picture.canvas.positionOf({outside})")
    page.until(f"picture.canvas.element.title === {json.dumps(wanted)}")
    page.tell(f"picture.canvas.handlers.onSelect({outside})")
    page.until(f"document.querySelector('.graph-card')?.textContent.includes({json.dumps(wanted)})")
    page.choose("Folder", "")
    assert page.tell(counts)[0] == 13


def test_the_graph_is_fitted_again_when_the_window_is_resized_considerably(page: Page) -> None:
    size = {"height": 800, "deviceScaleFactor": 1, "mobile": False}
    inside = (
        "picture.canvas.graph.nodes.every((_, node) => {"
        "const {canvas} = picture, [x, y] = canvas.positionOf(node);"
        "return !canvas.visible[node] || (x > 0 && y > 0 && x < canvas.width && y < canvas.height) })"
    )
    page.tell("(picture.canvas.movedAt = 0, picture.canvas.fit())")
    for width in (390, 1280):
        page.call("Emulation.setDeviceMetricsOverride", {**size, "width": width})
        page.until(f"picture.canvas.fittedTo[0] === {width} && {inside}", 5)
    k = page.tell("picture.canvas.view.k")
    page.call("Emulation.setDeviceMetricsOverride", {**size, "width": 1200})
    page.until("innerWidth === 1200")
    labels(page)
    assert page.tell("picture.canvas.view.k") == k
    page.call("Emulation.setDeviceMetricsOverride", {**size, "width": 1280})


def test_links_of_a_type_are_hidden_and_no_path_leads_over_them(page: Page, shop: Served) -> None:
    page.click(".graph-filters label", "relates to")
    page.tell(f"picture.show('{shop.ids['Outbox']}')")
    page.sees("No links")
    assert page.tell(EMPHASISED) == ["Outbox"]
    page.click(".graph-filters label", "relates to")
    page.sees("2 neighbours")
    page.press("Escape")


def test_similar_notes_are_connected_where_few_are_linked_and_elsewhere_on_request(
    tmp_path: Path, home: Path, browser: Browser
) -> None:
    for name, text in {
        "mail": "# Retry failed mail\n\nMail that the mail server refuses is sent again from a queue.\n",
        "queue": "# Mail queue\n\nThe web server puts mail into a queue; a worker sends it to the mail server.\n",
        "theme": "# Dark theme\n\nThe colours of the page follow the dark theme of the system.\n",
        "colours": "# Accessible colours\n\nThe page's colours have enough contrast in the dark theme, too.\n",
        "office": "# Holidays\n\nThe office is closed between Christmas and the new year.\n",
    }.items():
        (tmp_path / f"{name}.md").write_text(text, encoding="utf-8")
    process, url = serve(tmp_path, home)
    page = browser.page(url)
    page.sees("5 nodes, 0 links, 2 similar pairs · 1 neither linked nor similar")
    page.sees("Shown because few notes are linked.")
    assert page.tell(TITLES) == ["Holidays"]
    drawn = "picture.canvas.visible.reduce((sum, one) => sum + one, 0)"
    assert page.tell(drawn) == 4
    page.until(SETTLED)
    point_at(page, f"picture.canvas.positionOf({number('Mail queue')})")
    assert page.until(EMPHASISED) == ["Mail queue", "Retry failed mail"]
    page.tell(f"picture.canvas.handlers.onSelect({number('Dark theme')})")
    card = "document.querySelector('.graph-card')?.textContent"
    page.until(f"{card}.includes('No links1 similar noteAccessible colours')")
    toggle = "document.querySelector('[aria-describedby=similar-hint]')"
    page.tell(f"{toggle}.focus()")
    page.press(" ")
    page.sees("5 nodes, 0 links · 5 not linked")
    page.until("location.hash.endsWith('?similar=0')")
    assert page.tell(f"document.activeElement === {toggle}")
    assert page.tell(drawn) == 0
    tab = page.tab(page.tell("location.href"))
    tab.sees("5 nodes, 0 links · 5 not linked")
    tab.tell(f"{toggle}.focus()")
    tab.press(" ")
    tab.sees("2 similar pairs")
    tab.until("!location.hash.includes('similar')")
    assert tab.tell(f"document.activeElement === {toggle}")
    assert (page.troubles, tab.troubles) == ([], [])
    tab.close_tab()
    page.close()
    Served(tmp_path, {}, process, url).end()


def test_similar_notes_are_not_connected_where_most_are_linked_until_it_is_asked(page: Page) -> None:
    page.sees("Off because most notes are linked.")
    linked = page.tell("picture.canvas.visible.reduce((sum, one) => sum + one, 0)")
    page.click(".graph-filters label", "Similar")
    page.until("picture.canvas.graph.similar.count && location.hash.includes('similar=1')")
    assert page.tell("picture.canvas.graph.pairs.count") == page.tell("picture.canvas.graph.similar.count")
    assert page.tell("picture.canvas.visible.reduce((sum, one) => sum + one, 0)") > linked
    page.click(".graph-filters label", "Similar")
    page.until(f"!picture.canvas.graph.similar.count && location.hash === '#/' && {SETTLED}")


@pytest.mark.parametrize("by", ["cluster", "folder", "tag", "type"])
def test_groups_are_boxes_with_their_notes_in_them(page: Page, by: str) -> None:
    page.choose("Group by", by)
    page.until(f"picture.canvas.graph.boxes.length && {SETTLED}")
    outside = page.tell(
        "(({boxes, positions}) => boxes.flatMap(({nodes, left, top, right, bottom}) => nodes.filter((node) =>"
        " !(positions[2 * node] > left && positions[2 * node] < right &&"
        " positions[2 * node + 1] > top && positions[2 * node + 1] < bottom))))(picture.canvas.graph)"
    )
    assert outside == []
    boxes = page.tell("picture.canvas.graph.boxes.map(({left, top, right, bottom}) => [left, top, right, bottom])")
    assert not [pair for pair in itertools.combinations(boxes, 2) if overlaps(*pair)]
    names = page.tell("picture.canvas.graph.boxes.map(({name}) => name)")
    assert {"tag": "mail", "type": "decision", "folder": ".autology/nodes"}.get(by, names[0]) in names
    page.choose("Group by", "")
    page.until(f"!picture.canvas.graph.boxes.length && {SETTLED}")


@pytest.mark.parametrize("zoom", [0.3, 1, 2.5, 7])
def test_no_title_overlaps_another_or_is_cut_off_at_any_zoom(crowd: Page, zoom: float) -> None:
    crowd.tell(f"picture.canvas.fit(), picture.canvas.zoom({zoom})")
    boxes = labels(crowd)
    width, height = crowd.tell("[picture.canvas.width, picture.canvas.height]")
    assert len(boxes) > 2
    assert [box for box in boxes if box[0] < 0 or box[1] < 0 or box[2] > width or box[3] > height] == []
    assert not [pair for pair in itertools.combinations(boxes, 2) if overlaps(*pair)]


def test_filters_and_grouping_are_in_the_address_for_back_and_bookmarks(page: Page, shop: Served) -> None:
    page.click(".graph-filters label", "issue")
    page.choose("Tag", "mail")
    page.choose("Group by", "type")
    page.choose("Colour", "group")
    page.tell(f"picture.show('{shop.ids['Outbox']}')")
    page.choose("Neighbourhood", "1")
    page.click(".graph-card a", "Open")
    page.sees("What is to be sent")
    page.tell("history.back()")
    page.until("document.querySelector('#view > .graph')")
    address = page.tell("location.href")
    assert address.partition("#")[2] == (f"//{shop.ids['Outbox']}?hide=issue&tag=mail&group=type&colour=group&steps=1")
    shown = "3 of 13 nodes"
    page.sees(shown)
    tab = page.tab(address)
    tab.sees(shown)
    tab.until("document.querySelector('.graph-card h2')?.textContent === 'Outbox'")
    assert tab.tell("document.querySelector('[aria-label=Tag]').value") == "mail"
    assert tab.tell("[...picture.canvas.graph.boxes].map((box) => box.name).includes('pattern')")
    assert tab.tell("picture.canvas.highlighted?.size") == 2
    key = tab.tell("localStorage.getItem('autology-key')")
    assert key not in address
    assert "enter" not in address
    tab.tell("document.querySelector('[data-tab=\"\"]').click()")
    tab.sees("13 nodes, ")
    assert tab.tell("location.hash") == "#/"
    tab.close_tab()


@pytest.mark.parametrize("address", [
    "#/?hide=%3Cscript%3E,nothing&tag=%22&cluster=x&group=constructor&colour=%00&steps=99&unlinked=no",
    "#//00000000-0000-0000-0000-000000000000?steps=-1",
    "#//?group=__proto__",
])  # fmt: skip
def test_hostile_addresses_of_the_graph_show_a_graph(page: Page, address: str) -> None:
    page.tell(f"location.hash = {json.dumps(address)}")
    page.until("document.querySelector('#view > .graph')")
    page.tell("new Promise((done) => setTimeout(done, 100))")
    assert page.tell("picture.filters.group") == ""


def test_the_filters_of_the_timeline_are_in_its_address(page: Page) -> None:
    page.tell("location.hash = '#/timeline'")
    page.sees("3 decisions")
    page.tell("document.querySelectorAll('.timeline input').length === 2")
    page.click(".timeline .check", "Superseded")
    page.until("document.querySelectorAll('.timeline .item').length === 2")
    assert page.tell("document.activeElement.tagName") == "INPUT"
    assert page.tell("location.hash") == "#/timeline?hide=superseded"
    page.click(".timeline .item a", "Send mail")
    page.sees("The web server waited")
    page.tell("history.back()")
    page.until("document.querySelectorAll('.timeline .item').length === 2")
    tab = page.tab(page.tell("location.href"))
    tab.until("document.querySelectorAll('.timeline .item').length === 2")
    tab.click(".timeline .check", "Active")
    tab.sees("Nothing matches these filters.")
    tab.close_tab()


# ---- the graph beside a note ----


def test_a_note_shows_the_graph_around_it_and_the_same_as_a_list(page: Page, shop: Served, go: Go) -> None:
    go(f"#/node/{shop.ids['Mail worker']}", "Nearby")
    page.click(".nearby summary", "As a list: 3 notes")
    page.sees("One step away")
    items = "[...document.querySelectorAll('.nearby li')].map((item) => item.textContent)"
    assert sorted(page.tell(items)) == [
        "implements Send mail through a queue",
        "is affected by Mail is sent twice after a restart",
        "relates to Outbox",
    ]
    page.choose("Steps", "2")
    page.sees("Two steps away")
    assert "Outbox relates to Order service" in page.tell(items)
    page.choose("Steps", "1")
    page.click(".nearby li a", "Outbox")
    page.sees("What is to be sent")


def test_the_graph_around_a_note_is_walked_with_the_keyboard(page: Page, shop: Served, go: Go) -> None:
    go(f"#/node/{shop.ids['Outbox']}", "Nearby")
    page.tell("document.querySelector('.acts').lastElementChild.focus()")
    for _ in range(4):
        page.press("Tab")
        if page.tell("document.activeElement.tagName") == "CANVAS":
            break
    said = "document.querySelector('.nearby .unseen').textContent"
    for key in ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"):
        page.press(key)
        if page.tell(said) not in ("", "Outbox"):
            break
    reached = page.tell(said)
    assert reached in ("Mail worker", "Order service")
    page.press("Enter")
    page.until(f"document.querySelector('.reader h1').textContent === {json.dumps(reached)}")


def test_a_note_without_links_has_no_graph_beside_it(page: Page, shop: Served, go: Go) -> None:
    go(f"#/node/{shop.ids['Errors end in the next step']}", "Whoever reads")
    page.until("!document.querySelector('.nearby')")


def test_a_document_has_the_graph_around_it_too(page: Page, go: Go) -> None:
    go("#/node/docs%2Fshop", "Nearby")
    page.click(".nearby summary", "As a list: 2 notes")
    page.click(".nearby li a", "Mail")
    page.until("document.querySelector('.reader h1').textContent === 'Mail'")


# ---- on a phone ----


def test_filters_groups_and_paths_work_at_390_pixels(page: Page, shop: Served) -> None:
    size = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": False}
    page.call("Emulation.setDeviceMetricsOverride", size)
    page.until("picture.canvas.width === 390")
    assert not page.tell("document.querySelector('.graph-controls').checkVisibility()")
    page.click(".graph-disclosure")
    page.choose("Group by", "type")
    page.until(f"picture.canvas.graph.boxes.length && {SETTLED}")
    page.choose("Group by", "")
    page.click(".graph-disclosure")
    page.until(SETTLED)
    for title, button in (("Order service", "Path from here"), ("Mail is sent twice after a restart", "")):
        page.click(".graph-search input")
        page.write(title)
        page.click(".graph-suggestions button", title)
        page.until(f"document.querySelector('.graph-card h2').textContent === {json.dumps(title)}")
        x, y = page.tell(f"picture.canvas.positionOf({number(title)})")
        bottom = page.tell("picture.canvas.height - document.querySelector('.graph-card').offsetHeight")
        assert 0 < x < 390, title
        assert 0 < y < bottom, title
        if button:
            page.click(".graph-card button", button)
    page.sees("The shortest path has 3 steps")
    assert page.tell("document.documentElement.scrollWidth") == 390
    page.call("Emulation.setDeviceMetricsOverride", {**size, "width": 1280, "height": 800})


def test_the_shared_file_lists_what_is_not_linked_without_addresses(
    tmp_path: Path, browser: Browser, home: Path
) -> None:
    root, out = tmp_path / "project", tmp_path / "graph.html"
    root.mkdir()
    (root / "one.md").write_text("# One\n", encoding="utf-8")
    assert autology("graph", "--html", str(out), project=root) == 0
    page = browser.page(out.as_uri())
    page.sees("This note is not linked to another.")
    assert page.tell("document.querySelector('.unlinked li').textContent") == "One"
    assert page.tell("document.querySelectorAll('.unlinked a').length") == 0
    assert page.troubles == []
    page.close()
