"""Every screen, of the page and of an exported site: no violation that axe-core finds, at any width, in any theme."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.browser import projects
from tests.browser.accessibility import SIZES, resize, violations
from tests.browser.browser import Browser, Page
from tests.browser.conftest import Served
from tests.unit.cli_kit import autology

SCREENS = {
    "#/": "13 nodes",
    "#//{Outbox}": "2 neighbours",
    "#/?group=type&colour=group&unlinked=1": "13 nodes",
    "#/node/{Keep orders in MySQL}": "Superseded by",
    "#/node/{Outbox}": "Where it was discussed",
    "#/node/docs%2Fshop": "Running the shop",
    "#/edit/{Outbox}": "Preview",
    "#/new": "Preview",
    "#/merge/{Order}/{Outbox}": "Title",
    "#/search/orders": "results",
    "#/search/zzzz": "Try fewer",
    "#/timeline": "November 2026",
    "#/sessions": "Where do we keep orders?",
    "#/mined": "Nothing to capture",
    "#/memory": "Restart the worker",
    "#/health": "Checked",
    "#/trash": "Trash",
    "#/nowhere": "Page not found",
}


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("size", SIZES, ids=lambda size: str(size[0]))
def test_no_screen_of_the_page_has_a_violation(
    page: Page, shop: Served, axe: str, size: tuple[int, int], dark: bool
) -> None:
    resize(page, *size)
    page.theme(dark)
    found = {}
    for screen, text in SCREENS.items():
        address = re.sub(r"\{(.+?)\}", lambda title: shop.ids[title[1]], screen)
        page.tell(f"location.hash = {json.dumps(address)}")
        page.sees(text)
        page.until("document.querySelector('h1') && !document.querySelector('[aria-busy]')")
        found[address] = violations(page, axe)
    page.tell("location.hash = document.querySelector('[data-tab=sessions]').hash")
    page.click(".sessions a")
    page.sees("Write the outbox down")
    found["session"] = violations(page, axe)
    resize(page, 1280, 800)
    page.theme(False)
    assert {address: problems for address, problems in found.items() if problems} == {}


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("size", SIZES, ids=lambda size: str(size[0]))
def test_no_part_of_the_graph_that_opens_has_a_violation(
    page: Page, shop: Served, axe: str, size: tuple[int, int], dark: bool
) -> None:
    resize(page, *size)
    page.theme(dark)
    page.click(".graph-status button", "not linked")
    page.tell("document.querySelector('.unlinked').open = true")
    found = violations(page, axe)
    page.tell(f"location.hash = '#/node/{shop.ids['Outbox']}'")
    page.choose("Steps", "2")
    page.click(".nearby summary", "As a list")
    page.tell("document.querySelector('.nearby canvas').focus()")
    page.press("ArrowLeft")
    found += violations(page, axe)
    resize(page, 1280, 800)
    page.theme(False)
    assert found == []


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_no_open_list_or_message_has_a_violation(page: Page, shop: Served, axe: str, dark: bool) -> None:
    page.theme(dark)
    page.tell("(field => { field.value = ''; field.focus() })(document.querySelector('.graph-search input'))")
    page.write("mail")
    page.until("document.querySelectorAll('.graph-suggestions button').length > 1")
    found = violations(page, axe)
    page.tell(f"location.hash = '#/node/{shop.ids['Order']}'")
    page.until("document.querySelector('[role=combobox]')")
    page.tell("document.querySelector('[role=combobox]').focus()")
    page.until("document.querySelector('[role=listbox]:not([hidden]) [role=option]')")
    page.press("ArrowDown")
    found += violations(page, axe)
    page.press("Escape")
    page.theme(False)
    assert found == []


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("size", SIZES, ids=lambda size: str(size[0]))
def test_no_screen_of_an_exported_site_has_a_violation(
    tmp_path: Path, home: Path, browser: Browser, axe: str, size: tuple[int, int], dark: bool
) -> None:
    ids = projects.small(tmp_path / "shop", home)
    assert autology("export", "site", str(tmp_path / "public"), "--all", project=tmp_path / "shop") == 0
    page = browser.page((tmp_path / "public" / "index.html").as_uri(), *size, dark=dark)
    found = {}
    for route in ("", "notes", "timeline", "graph", f"note/{ids['Keep orders in MySQL']}", "search/mail", "nowhere"):
        page.tell(f"location.hash = '#/{route}'")
        page.until("document.querySelector('h1')")
        found[route] = violations(page, axe)
    page.close()
    assert {route: problems for route, problems in found.items() if problems} == {}


def test_a_path_is_found_with_the_keyboard_alone(page: Page) -> None:
    selected = "document.querySelector('.graph-card:not([hidden]) h2')?.textContent"

    def go_to(title: str) -> None:
        page.tell("(field => { field.value = ''; field.focus() })(document.querySelector('.graph-search input'))")
        page.write(title)
        page.press("Enter")
        page.until(f"{selected} === {json.dumps(title)}")

    go_to("Order service")
    assert page.tell("document.activeElement.tagName") == "CANVAS"
    page.press("p")
    page.sees("press p")
    page.press("ArrowRight")  # on the way: it ends nothing
    page.press("ArrowDown")
    assert "shortest path" not in page.text()
    go_to("Mail is sent twice after a restart")
    page.sees("The shortest path has 3 steps")
    page.press("Escape")
    go_to("Order service")
    page.press("p")
    start = page.tell(selected)
    for key in ("ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp"):
        page.press(key)
        if page.tell(selected) != start:
            break
    page.sees("Path to here")
    page.press("p")
    page.until("document.querySelector('.graph-status').textContent.match(/path/)")
    page.press("Escape")


def test_the_focus_stays_on_the_card_or_the_graph_when_the_card_changes(page: Page) -> None:
    page.tell("document.querySelector('.graph-search input').focus()")
    page.write("outbox")
    page.press("Enter")
    page.until("document.querySelector('.graph-card h2')?.textContent === 'Outbox'")
    page.tell("document.querySelector('.graph-card select').focus()")
    page.choose("Neighbourhood", "1")
    assert page.tell("document.activeElement.getAttribute('aria-label')") == "Neighbourhood"
    page.choose("Neighbourhood", "0")
    page.tell("document.querySelector('.graph-card button.plain').focus()")
    page.press("Enter")
    page.until("document.querySelector('.graph-card h2').textContent !== 'Outbox'")
    assert page.tell("document.activeElement.tagName") == "CANVAS"
    page.press("Escape")
