"""The exported site in a real browser: from the disk and from a static server, by hand and by keyboard."""

from __future__ import annotations

import functools
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.browser import projects
from tests.browser.browser import Browser, Page
from tests.unit.cli_kit import autology
from tests.unit.core.nodes.test_site_images import PNG

SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="alert(1)"><script>alert(1)</script>'
    '<rect width="9" height="9"/></svg>'
)


class Quiet(SimpleHTTPRequestHandler):
    """A static server without a log."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of a small project."""
    root = tmp_path_factory.mktemp("shop")
    projects.small(root, tmp_path_factory.mktemp("home"))
    public = tmp_path_factory.mktemp("public")
    assert autology("export", "site", str(public), "--all", "--name", "Shop", project=root) == 0
    return public


@pytest.fixture(params=["disk", "server"])
def page(request: pytest.FixtureRequest, folder: Path, browser: Browser) -> Iterator[Page]:
    """The site, opened from the disk and from a static server; it requests nothing else, and nothing goes wrong."""
    server = None
    url = (folder / "index.html").as_uri()
    if request.param == "server":
        server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_address[1]}/"
    opened = browser.page(url)
    yield opened
    assert opened.troubles == []
    assert {request.partition("#")[0] for request in opened.requests} - {f"{url}favicon.ico"} == {url}
    opened.close()
    if server:
        server.shutdown()
        server.server_close()


def test_the_log_leads_to_a_decision_its_history_and_back(page: Page) -> None:
    page.sees("Decisions (3)")
    assert page.tell("document.title") == "Shop"
    page.click("label.check", "Superseded")
    page.sees("2 of 3")
    page.click("label.check", "Superseded")
    page.click(".entry a", "Keep orders in MySQL")
    page.sees("History of this decision")
    assert page.tell("document.title") == "Keep orders in MySQL — Shop"
    assert page.tell("[...document.querySelectorAll('.chain li')].map((step) => step.firstChild.textContent)") == [
        *("Keep orders in MySQL", "Keep orders in PostgreSQL")
    ]
    page.click(".banner a", "Keep orders in PostgreSQL")
    page.sees("is implemented by")
    page.tell("history.back()")
    page.until("document.querySelector('h1').textContent === 'Keep orders in MySQL'")
    page.tell("history.back()")
    page.sees("Decisions (3)")


def test_links_in_texts_lead_within_the_site_and_nothing_in_a_note_acts(page: Page) -> None:
    page.tell("location.hash = '#/notes'")
    page.click(".entry a", "Order service")
    page.click(".prose a", "Keep orders in PostgreSQL")
    page.sees("MySQL lost")
    page.tell("location.hash = '#/notes'")
    page.click(".entry a", "Running the shop")
    page.click(".prose a", "mail")
    page.until("document.querySelector('article table')")
    page.tell("location.hash = '#/notes'")
    page.click(".entry a", "Hostile")
    page.sees("A note says")
    assert page.tell("document.querySelectorAll('main script, main img, main iframe').length") == 0
    policy = page.tell("document.querySelector('meta[http-equiv]').content")
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    page.tell("location.hash = '#/note/no-such-note'")
    page.sees("Page not found")


def test_search_and_graph_work_without_a_server_and_by_keyboard(page: Page) -> None:
    page.sees("Decisions (3)")
    page.press("/")
    page.write("worker acknowledges")
    page.sees("1 result")
    assert page.tell("document.activeElement.id") == "search"
    assert page.text("mark") == "worker"
    for _ in range(12):
        page.press("Tab")
        if page.tell("document.activeElement.textContent") == "Mail is sent twice after a restart":
            break
    page.press("Enter")
    page.sees("The worker acknowledges too late.")
    page.click("a.button", "Show in graph")
    page.until("document.querySelector('.graph-card h2')?.textContent === 'Mail is sent twice after a restart'")
    page.click(".graph-card a", "Open")
    page.sees("The worker acknowledges too late.")
    page.click(".nearby summary", "As a list: 1 note")
    page.click(".nearby li a", "Mail worker")
    page.sees("Takes mail from the queue")
    page.tell("location.hash = '#/timeline'")
    page.until("document.querySelectorAll('.log.dated .entry').length > 9")


@pytest.mark.parametrize("place", ["disk", "server"])
def test_images_are_shown_from_the_disk_and_from_a_server(tmp_path: Path, browser: Browser, place: str) -> None:
    docs = tmp_path / "shop" / "docs"
    docs.mkdir(parents=True)
    (docs / "a map.png").write_bytes(PNG)
    (docs / "plan.svg").write_text(SVG)
    text = "![the map](a%20map.png) <img src='no' alt=no> ![the plan](plan.svg) ![gone](gone.png)"
    (docs / "shop.md").write_text(f'# The shop\n\n{text} <img alt="again" src="/docs/a map.png" onload="x">\n')
    public = tmp_path / "public"
    assert autology("export", "site", str(public), "--all", project=tmp_path / "shop") == 0
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(public)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = {"disk": (public / "index.html").as_uri(), "server": f"http://127.0.0.1:{server.server_address[1]}/"}[place]
    page = browser.page(f"{url}#/notes")
    page.click(".entry a", "The shop")
    page.sees("Image not available: gone")
    loaded = "[...document.querySelectorAll('.prose img')].map((each) => [each.alt, each.naturalWidth])"
    page.until(f"{loaded}.every(([, width]) => width)")
    assert page.tell(loaded) == [["the map", 1], ["the plan", 9], ["again", 1]]
    assert page.tell("[...document.querySelectorAll('.prose img')].some((each) => each.onload)") is False
    assert page.troubles == []
    page.close()
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("dark", [False, True])
def test_nothing_is_wider_than_a_phone(folder: Path, browser: Browser, dark: bool) -> None:
    page = browser.page((folder / "index.html").as_uri(), 390, 844, dark)
    for route in ("", "notes", "timeline", "graph", "search/orders"):
        page.tell(f"location.hash = '#/{route}'")
        page.until("document.querySelector('main').children.length > 0")
        assert page.tell("document.querySelector('main').scrollWidth") <= 390, route
        assert page.tell("document.documentElement.scrollWidth") <= 390, route
    page.close()


def test_long_lists_show_their_beginning_first(tmp_path: Path, home: Path, browser: Browser) -> None:
    projects.large(tmp_path / "shop", 700)
    assert autology("export", "site", str(tmp_path / "public"), project=tmp_path / "shop") == 0
    page = browser.page((tmp_path / "public" / "index.html").as_uri())
    for route in ("notes", "timeline"):
        page.tell(f"location.hash = '#/{route}'")
        page.until("[...document.querySelectorAll('button')].some((each) => each.textContent === 'Show all 700')")
        assert page.tell("document.querySelectorAll('.entry').length") == 500
        page.click("main button", "Show all 700")
        page.until("document.querySelectorAll('.entry').length === 700")
    assert page.troubles == []
    page.close()
