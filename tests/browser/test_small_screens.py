"""What a narrow window and a long, odd or empty project show: nothing is cut off, nothing is a dead end."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.browser.accessibility import resize
from tests.browser.browser import Browser, Page
from tests.browser.conftest import Served, serve

Go = Callable[[str, str], None]

VIEWS = ("#/", "#/timeline", "#/sessions", "#/memory", "#/health", "#/trash", "#/mined", "#/search/orders", "#/new")
SMALL = """
[...document.querySelectorAll('button:not(.link), a.button, select, nav a, input:not([type=checkbox], [type=radio])')]
  .map((each) => [each.textContent || each.ariaLabel, each.getBoundingClientRect()])
  .filter(([, {width, height}]) => width && height && height < 40).map(([name, {height}]) => `${name}: ${height}`)
"""


@pytest.fixture
def phone(page: Page) -> Iterator[Page]:
    """The page in a window as narrow as a phone."""
    resize(page, 390, 844)
    yield page
    resize(page, 1280, 800)


@pytest.mark.parametrize("view", VIEWS)
def test_what_is_tapped_is_large_enough(phone: Page, view: str) -> None:
    phone.tell(f"location.hash = {json.dumps(view)}")
    phone.until("document.querySelector('h1') && !document.querySelector('[aria-busy]')")
    assert phone.tell(SMALL) == []


@pytest.mark.parametrize("tab", ["health", "trash"])
def test_the_current_tab_is_in_sight(phone: Page, tab: str) -> None:
    phone.tell(f"location.hash = '#/{tab}'")
    phone.until(f"document.querySelector('[data-tab={tab}][aria-current]')")
    inside = "one.left >= 0 && one.right <= innerWidth"
    assert phone.tell(f"(one => {inside})(document.querySelector('[data-tab={tab}]').getBoundingClientRect())")


def test_the_preview_beside_the_text_stands_below_it_whole(phone: Page, shop: Served) -> None:
    phone.tell(f"location.hash = '#/edit/{shop.ids['Outbox']}'")
    phone.until("document.querySelector('.preview p')")
    assert phone.tell("document.querySelector('.preview').clientHeight") > 40
    phone.click("button", "Cancel")


def test_titles_of_decisions_have_most_of_the_width(phone: Page) -> None:
    phone.tell("location.hash = '#/timeline'")
    phone.until("document.querySelector('.track svg path')")
    assert phone.tell("document.querySelector('.item > div').clientWidth") > 240


def test_the_preview_shows_images_of_the_project(page: Page, shop: Served, go: Go) -> None:
    image = shop.root / "docs" / "shown.svg"
    image.write_text('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>', encoding="utf-8")
    go(f"#/edit/{shop.ids['Outbox']}", "Preview")
    page.until("document.activeElement.id === 'content'")
    page.write("![A drawing](docs/shown.svg) ")
    page.until("document.querySelector('.preview img')?.alt === 'A drawing'")
    page.click("button", "Cancel")
    image.unlink()


def test_the_titles_for_a_wiki_link_stand_below_the_line_that_is_written(page: Page, go: Go) -> None:
    go("#/new", "Preview")
    page.until("document.activeElement.id === 'title'")
    page.tell("document.getElementById('content').focus()")
    top = "document.querySelector('.completion:not([hidden])')?.getBoundingClientRect().top"
    field = page.tell("document.getElementById('content').getBoundingClientRect().top")
    page.write("[[order")
    assert field + 15 < page.until(top) < field + 60
    page.write("]]\n\n\n\n\n[[order")
    page.until(f"{top} > {field} + 100")
    page.tell("document.getElementById('title').focus()")
    page.click("button", "Cancel")


def test_what_is_gone_leads_to_the_trash_and_to_the_search(page: Page, go: Go) -> None:
    go("#/node/00000000-0000-4000-8000-000000000000", "It was deleted for good")
    assert "00000000" not in page.text("main")
    page.click(".state a", "Search")
    page.sees("Search everything")
    page.until("document.activeElement.id === 'search'")
    page.troubles.clear()  # the browser notes down that the note is not there


def test_filters_that_hide_everything_can_be_cleared(page: Page, go: Go) -> None:
    go("#/timeline?hide=active,superseded,needs_review", "Nothing matches these filters.")
    page.click("button", "Show all decisions")
    page.until("document.querySelectorAll('.timeline .item').length > 2")
    assert page.tell("location.hash") == "#/timeline"
    go("#/sessions?text=zzzz", "No conversation matches these filters.")
    page.click("button", "Clear the filters")
    page.until("document.querySelector('.sessions a')")
    page.tell("location.hash = '#/?hide=decision,component,convention,concept,pattern,issue,document'")
    page.click(".graph-empty button", "Clear the filters")
    page.sees("13 nodes")


def test_an_undone_change_can_be_done_again(page: Page, shop: Served, go: Go) -> None:
    go(f"#/node/{shop.ids['Order']}", "until it is paid")
    page.click(".acts button", "Delete")
    page.click(".toast button", "Undo")
    page.sees("Undone: Deleted “Order”")
    page.click(".toast button", "Redo")
    page.sees("Redone: Deleted “Order”")
    page.click(".toast button", "Undo")
    page.sees("Undone: Deleted “Order”")


def test_a_note_whose_text_begins_with_its_title_shows_it_once(page: Page, shop: Served, go: Go) -> None:
    file = shop.file("Outbox")
    before = file.read_bytes()
    file.write_bytes(before.replace(b"What is to be sent", b"# Outbox\n\nWhat is to be sent"))
    go(f"#/node/{shop.ids['Outbox']}", "What is to be sent")
    page.until("document.querySelector('.text .prose').firstElementChild.tagName === 'P'")
    assert page.text(".text").count("Outbox") == 1
    file.write_bytes(before)


def test_an_excerpt_of_a_table_reads_as_words(page: Page, go: Go) -> None:
    go("#/search/step%20what%20queue", "result")
    (excerpt,) = page.tell(
        "[...document.querySelectorAll('.result')].filter((one) => one.querySelector('h2').textContent === 'Mail')"
        ".map((one) => one.querySelector('p:not([class])').textContent)"
    )
    assert "step · what; 1 · queue;" in excerpt
    assert "|" not in excerpt


def test_a_group_that_an_address_asks_for_is_in_sight_whatever_was_looked_at_before(page: Page, shop: Served) -> None:
    page.tell(f"picture.show('{shop.ids['Order']}'); picture.canvas.zoom(6)")
    page.tell("location.hash = '#/?group=type'")
    page.until("document.querySelector('.graph').dataset.settled === 'yes' && picture.canvas.selected < 0")
    seen = "picture.canvas.order.filter((node) => picture.canvas.visible[node])"
    inside = "x > 0 && y > 0 && x < picture.canvas.width && y < picture.canvas.height"
    page.until(f"{seen}.every((node) => (([x, y]) => {inside})(picture.canvas.positionOf(node)))", 10)


def test_an_empty_project_says_what_to_do_next(tmp_path: Path, home: Path, browser: Browser) -> None:
    process, url = serve(tmp_path, home)
    page = browser.page(url, 390, 844)
    for view, text in (("", "autology init"), ("timeline", "New decision"), ("sessions", "autology sync")):
        page.tell(f"location.hash = '#/{view}'")
        page.sees(text)
    for view, text in (("memory", "autology memory store"), ("health", "autology init"), ("trash", "can be restored")):
        page.tell(f"location.hash = '#/{view}'")
        page.sees(text)
    assert page.tell("document.querySelector('[aria-label=\"Filter conversations\"]')") is None
    assert page.troubles == []
    page.close()
    process.terminate()
    process.wait(60)
