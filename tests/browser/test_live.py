"""An open page follows what others write, and its addresses can be kept, without the key ever in one of them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser import projects
from tests.browser.browser import Browser, Page
from tests.browser.conftest import SERVER, Served, serve
from tests.conftest import places

ATTEMPTS = 5
"""Captures of which one is seen that soon: other tests keep the processors busy."""
SOON = 1.0
"""Seconds within which a page shows what was written, on a machine that is not busy."""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("live-home")


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory, home: Path) -> Iterator[Served]:
    """The page of a small project."""
    root = tmp_path_factory.mktemp("live")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {**places(home), "CLAUDE_CONFIG_DIR": str(home / ".claude")}.items():
            patch.setenv(name, value)
        ids = projects.small(root, home)
    process, url = serve(root, home)
    made = Served(root, ids, process, url)
    yield made
    made.end()


class Elsewhere:
    """Another process that writes to the project, as a client's server or a terminal does."""

    def __init__(self, root: Path, home: Path) -> None:
        self.root = root
        self.environment = {
            **os.environ,
            **places(home),
            "PYTHONPATH": str(SERVER),
            "CLAUDE_CONFIG_DIR": str(home / ".claude"),
        }

    def run(self, *arguments: str) -> float:
        """Run a command; return when it had ended."""
        command = [sys.executable, "-m", "autology", *arguments, "--project", str(self.root)]
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stdout + done.stderr
        return time.monotonic()


@pytest.fixture
def elsewhere(shop: Served, home: Path) -> Elsewhere:
    return Elsewhere(shop.root, home)


def listens(page: Page, shop: Served) -> None:
    """Wait until the page hears of changes."""
    page.until("document.querySelector('.feed-toggle')")
    page.until("performance.getEntriesByType('resource').some((each) => each.name.endsWith('/page/live.js'))")
    time.sleep(1.0)  # the first look at the project


@pytest.fixture
def page(shop: Served, window: Page) -> Iterator[Page]:
    window.until("(location.hash = '#/') && document.querySelector('#view > .graph')")
    listens(window, shop)
    window.troubles.clear()
    yield window
    assert window.troubles == []


def test_a_note_that_another_process_captures_appears_and_is_undone(page: Page, elsewhere: Elsewhere) -> None:
    page.tell("location.hash = '#/timeline'")
    page.sees("3 decisions")
    text = "## Decision\n\nIn the repository."
    elsewhere.run("capture", "--type", "decision", "--title", "Keep prices in the repository", "--content", text)
    page.sees("4 decisions")
    page.sees("New note: “Keep prices in the repository”")
    page.click(".toast button", "Undo")
    page.sees("3 decisions")
    page.sees("Deleted “Keep prices in the repository”")
    page.click(".feed-toggle")
    page.sees("Recent changes")
    assert "New note: “Keep prices in the repository”" in page.text("#feed")
    page.press("Escape")
    page.until("document.getElementById('feed').hidden")


def test_a_note_that_another_process_captures_appears_within_a_second(page: Page, elsewhere: Elsewhere) -> None:
    page.tell("location.hash = '#/timeline'")
    page.sees("3 decisions")
    waits: list[float] = []
    while not waits or (min(waits) >= SOON and len(waits) < ATTEMPTS):
        title = f"Keep rebates in the repository ({len(waits)})"
        written = elsewhere.run("capture", "--type", "decision", "--title", title, "--content", "## Decision\n\nThere.")
        page.sees("4 decisions")
        waits.append(time.monotonic() - written)
        elsewhere.run("delete", title, "--yes")
        page.sees("3 decisions")
    assert min(waits) < SOON


def test_the_feed_lists_what_was_written_before_the_page_was_opened(page: Page, shop: Served) -> None:
    page.click(".feed-toggle")
    page.sees("Earlier this week")
    page.sees("Claude captured “Outbox”")
    page.click("#feed section a", "Claude captured “Outbox”")
    page.until("document.querySelector('h1')?.textContent === 'Outbox'")
    page.until("document.getElementById('feed').hidden")


def test_a_note_that_the_opened_feed_listed_is_not_counted_as_new(page: Page, shop: Served) -> None:
    page.click(".feed-toggle")
    page.sees("Claude captured “Outbox”")
    page.press("Escape")
    report = f"{{number: 1e9, kind: 'created', id: '{shop.ids['Outbox']}', title: 'Outbox'}}"
    page.tell(f"import('/page/feed.js').then(({{addToFeed}}) => addToFeed([{report}]))")
    page.until("document.querySelector('#feed ol').textContent.includes('Outbox')")
    assert page.tell("document.querySelector('.feed-toggle small').textContent") == ""
    page.tell("location.reload()")


def test_an_undone_entry_says_so_and_nothing_takes_the_place_of_its_button(page: Page, elsewhere: Elsewhere) -> None:
    page.tell("location.hash = '#/timeline'")
    elsewhere.run("capture", "--type", "concept", "--title", "Voucher", "--content", "What a customer pays less by.")
    page.click(".feed-toggle")
    button = "#feed button[aria-label='Undo: New note: “Voucher”']"
    box = page.until(f'JSON.stringify(document.querySelector("{button}")?.getBoundingClientRect())')
    place = json.loads(box)
    page.click(button)
    page.sees("Deleted “Voucher”")
    page.until("document.querySelector('#feed li').textContent.endsWith('Undone')")
    time.sleep(1.0)  # the server reports the deletion
    middle = f"{place['x'] + place['width'] / 2}, {place['y'] + place['height'] / 2}"
    assert page.tell(f"document.elementFromPoint({middle}).tagName") != "BUTTON"
    assert page.tell("document.querySelector('.toast').firstElementChild.textContent") == "Redo"
    assert page.tell("document.querySelector('.feed-toggle small').textContent") == ""
    page.press("Escape")


def test_an_entry_of_the_feed_opens_its_note_uncovered(page: Page, elsewhere: Elsewhere) -> None:
    elsewhere.run("capture", "--type", "concept", "--title", "Rebate", "--content", "What a customer gets back.")
    page.until("document.querySelector('#feed ol').textContent.includes('Rebate')")
    page.click(".feed-toggle")
    page.click("#feed a", "New note: “Rebate”")
    page.until("document.querySelector('h1')?.textContent === 'Rebate'")
    assert page.tell("document.getElementById('feed').hidden")
    page.click(".acts button", "Delete")
    page.sees("Deleted “Rebate”")
    time.sleep(1.0)  # the server reports what the page did
    assert page.tell("document.querySelector('.feed-toggle small').textContent") == ""


def test_the_feed_closes_when_another_view_opens(page: Page) -> None:
    page.click(".feed-toggle")
    page.until("!document.getElementById('feed').hidden")
    page.tell("location.hash = '#/timeline'")
    page.until("document.getElementById('feed').hidden")
    assert page.tell("document.querySelector('.feed-toggle').getAttribute('aria-expanded')") == "false"


def test_a_change_made_elsewhere_is_shown_and_undone_from_the_feed(
    page: Page, shop: Served, elsewhere: Elsewhere
) -> None:
    file = shop.file("Outbox")
    before = file.read_bytes()
    page.tell(f"location.hash = '#/node/{shop.ids['Outbox']}'")
    page.sees("What is to be sent is written")
    elsewhere.run("update", shop.ids["Outbox"], "--title", "Transactional outbox")
    page.until("document.querySelector('h1').textContent === 'Transactional outbox'")
    page.click(".feed-toggle")
    page.click("#feed button[aria-label='Undo: Changed elsewhere: “Transactional outbox”']")
    page.until("document.querySelector('h1').textContent === 'Outbox'")
    assert file.read_bytes() == before
    page.press("Escape")


def test_an_open_note_that_is_deleted_says_so_and_can_be_restored(
    page: Page, shop: Served, elsewhere: Elsewhere
) -> None:
    page.tell(f"location.hash = '#/node/{shop.ids['Outbox']}'")
    page.sees("What is to be sent is written")
    elsewhere.run("delete", shop.ids["Outbox"], "--yes")
    page.until("document.querySelector('#view h1').textContent === 'This note was deleted'")
    page.until("!document.querySelector('#view .reader')")
    assert "“Outbox” was deleted on" in page.text("#view")
    page.click("#view button", "Restore")
    page.until("document.querySelector('#view h1').textContent === 'Outbox'")
    page.click(".acts button", "Delete")
    page.sees("Deleted “Outbox”")
    page.tell(f"location.hash = '#/note/outbox-{shop.ids['Outbox'][:8]}'")
    page.until("document.querySelector('#view h1').textContent === 'This note was deleted'")
    page.click(".toast button", "Undo")
    page.until("document.querySelector('#view h1').textContent === 'Outbox'")


def test_an_address_that_leads_to_no_note_says_where_to_look(page: Page) -> None:
    page.tell("location.hash = '#/note/keep-orders-12345678'")
    page.sees("This note is not here")
    assert "autology" not in page.text("#view")
    page.click("#view a", "Open Trash")
    page.until("document.querySelector('#view h1').textContent === 'Trash'")
    page.troubles.clear()  # the browser notes down that there is no such note


def test_what_the_reader_looks_at_and_types_stays_as_it_is(page: Page, shop: Served, elsewhere: Elsewhere) -> None:
    page.tell(f"location.hash = '#/edit/{shop.ids['Order']}'")
    page.until("document.activeElement.id === 'content'")
    page.write("A draft. ")
    page.tell("document.activeElement.setSelectionRange(2, 5)")
    elsewhere.run("relate", shop.ids["Order"], "uses", shop.ids["Outbox"])
    page.until("document.querySelector('.feed-toggle small').textContent")
    assert page.tell("[document.activeElement.id, document.activeElement.selectionStart]") == ["content", 2]
    assert "A draft. " in page.tell("document.activeElement.value")
    page.click("button", "Cancel")
    page.until("document.querySelector('.related')?.textContent.includes('Outbox')")
    page.tell("document.querySelector('.acts button').focus()")
    elsewhere.run("unrelate", shop.ids["Order"], "uses", shop.ids["Outbox"])
    page.until("!document.querySelector('.related')?.textContent.includes('Outbox')")
    assert page.tell("document.activeElement.textContent") == "Delete"


def test_the_graph_grows_without_moving_what_is_seen(page: Page, elsewhere: Elsewhere) -> None:
    page.until("document.querySelector('.graph')?.dataset.settled === 'yes'")
    page.tell("picture.canvas.zoom(1.7, 100, 100)")
    number = "picture.canvas.graph.nodes.findIndex((each) => each.title === 'Order service')"
    places = f"JSON.stringify([picture.canvas.view, picture.canvas.positionOf({number})])"
    before = page.tell(places)
    elsewhere.run(
        "capture", "--type", "concept", "--title", "Basket", "--content", "What a customer has chosen so far."
    )
    page.sees("14 nodes")
    assert page.tell(places) == before
    page.click(".feed-toggle")
    page.click("#feed button[aria-label='Undo: New note: “Basket”']")
    page.sees("13 nodes")
    page.press("Escape")


def test_groups_that_an_address_asks_for_are_laid_out_when_the_notes_are_read_anew(page: Page) -> None:
    page.until("document.querySelector('.graph')?.dataset.settled === 'yes'")
    page.tell("picture.canvas.zoom(6, 100, 100)")
    page.tell("import('/page/undo.js').then(({markChanged}) => markChanged())")
    page.tell("location.hash = '#/?group=type'")
    page.until("picture.filters.group === 'type' && document.querySelector('.graph').dataset.settled === 'yes'")
    inside = "x > 0 && y > 0 && x < picture.canvas.width && y < picture.canvas.height"
    nodes = "picture.canvas.order.filter((node) => picture.canvas.visible[node])"
    page.until(f"{nodes}.every((node) => (([x, y]) => {inside})(picture.canvas.positionOf(node)))", 10)


def test_notes_that_become_linked_appear_in_the_graph_apart_from_each_other(
    shop: Served, page: Page, elsewhere: Elsewhere
) -> None:
    page.until("document.querySelector('.graph')?.dataset.settled === 'yes'")
    page.choose("Group by", "type")
    page.until("picture.canvas.graph.boxes.length && document.querySelector('.graph').dataset.settled === 'yes'")
    drawn = "picture.canvas.visible.reduce((sum, one) => sum + one, 0)"
    before = page.tell(drawn)
    pair = [shop.ids[title] for title in ("Errors end in the next step", "Messages tell what to do next")]
    elsewhere.run("relate", pair[0], "relates_to", pair[1])
    page.until(f"{drawn} === {before + 2}")
    ends = [
        f"picture.canvas.positionOf(picture.canvas.graph.nodes.findIndex(({{id}}) => id === '{id}'))" for id in pair
    ]
    (x, y), (other_x, other_y) = (page.tell(end) for end in ends)
    assert abs(x - other_x) + abs(y - other_y) > 10
    assert page.tell("picture.canvas.graph.boxes.find((box) => box.name === 'convention').nodes.length") == 2
    elsewhere.run("unrelate", pair[0], "relates_to", pair[1])
    page.until(f"{drawn} === {before}")
    page.choose("Group by", "")


def test_a_memory_appears_as_it_is_stored(page: Page, elsewhere: Elsewhere) -> None:
    page.tell("location.hash = '#/memory'")
    page.sees("Restart the worker")
    elsewhere.run("memory", "store", "--kind", "todo", "Ask the supplier for a newer catalogue")
    page.sees("Ask the supplier for a newer catalogue")


def test_addresses_open_in_new_tabs_and_as_bookmarks_without_the_key_in_them(
    shop: Served, page: Page, browser: Browser
) -> None:
    origin = shop.url.partition("/#")[0]
    page.tell(f"location.hash = '#/node/{shop.ids['Keep orders in PostgreSQL']}'")
    page.until("document.title.startsWith('Keep orders in PostgreSQL · ')")
    address = page.tell("location.href")
    assert address == f"{origin}/#/note/keep-orders-in-postgresql-{shop.ids['Keep orders in PostgreSQL'][:8]}"
    tab = page.tab(address)
    tab.sees("MySQL lost transactions twice")
    reused = page.tab(shop.url)
    reused.sees("13 nodes")
    for one in (page, tab, reused):
        key = one.tell("localStorage.getItem('autology-key')")
        places = one.tell("JSON.stringify([location.href, document.referrer, history.state, document.cookie])")
        assert key
        assert key not in places
        assert "enter" not in places
        assert not any(key in request or "enter=" in request for request in one.requests)
    table = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
    assert key not in table
    tab.close_tab()
    reused.close_tab()


def test_back_returns_to_where_the_reader_was(page: Page, shop: Served) -> None:
    size = {"width": 900, "height": 300, "deviceScaleFactor": 1, "mobile": False}
    page.call("Emulation.setDeviceMetricsOverride", size)
    page.tell("location.hash = '#/search/orders?without=documents'")
    page.sees("results")
    assert not page.tell("[...document.querySelectorAll('.results .check input')].every((each) => each.checked)")
    page.tell("document.getElementById('view').scrollTop = 260")
    page.until("document.getElementById('view').scrollTop === 260")
    time.sleep(0.2)
    page.tell(f"location.hash = '#/node/{shop.ids['Keep orders in PostgreSQL']}'")
    page.until("document.querySelector('.reader')")
    assert page.tell("document.getElementById('view').scrollTop") == 0
    page.tell("history.back()")
    page.until("document.querySelector('.results') && document.getElementById('view').scrollTop === 260")
    assert page.tell("document.title").startswith("orders, without documents")


def test_the_switcher_goes_to_anything_by_keyboard(page: Page) -> None:
    for text, heading in (
        ("outbox", "Outbox"),
        ("running shop", "Running the shop"),
        ("restart the worker", "Restart the worker: drain the queue first"),
        ("where keep orders", "Where do we keep orders?"),
        ("trash", "Trash"),
    ):
        page.press("k", control=True)
        page.until("document.querySelector('dialog.switcher')?.open")
        page.write(text)
        page.until("document.querySelectorAll('.switcher-list li').length")
        page.press("Enter")
        page.until("!document.querySelector('dialog.switcher').open")
        page.sees(heading)


def test_conversations_are_filtered_and_resumed_and_grow_as_they_go_on(page: Page, shop: Served, home: Path) -> None:
    page.tell("location.hash = '#/sessions'")
    page.sees("1 conversation")
    page.click("input[aria-label='Filter conversations']")
    page.write("nothing like it")
    page.sees("No conversation matches these filters.")
    assert "text=nothing" in page.tell("location.hash")
    page.tell("location.hash = '#/sessions?text=orders'")
    page.sees("1 conversation")
    page.click(".sessions a", "Where do we keep orders?")
    page.until("document.querySelector('h1').textContent === 'Where do we keep orders?'")
    assert page.tell("document.title").startswith("Where do we keep orders? · ")
    command = page.tell("document.querySelector('.acts button').title")
    assert command.endswith(" && claude --resume 00000000-0000-4000-8000-000000000007")
    assert str(shop.root) in command
    (transcript,) = (home / ".claude").rglob("*.jsonl")
    last = json.loads([line for line in transcript.read_text(encoding="utf-8").splitlines() if line.strip()][-1])
    shared = {**last, "timestamp": "2026-11-02T10:09:00.000Z"}
    question = {"role": "user", "content": "And where do we keep returns?"}
    reply = {"role": "assistant", "content": [{"type": "text", "text": "With the orders."}]}
    with transcript.open("a", encoding="utf-8") as file:
        for number, message in enumerate((question, reply)):
            made = {"uuid": f"00000000-0000-4000-8000-0000000000f{number}", "type": message["role"]}
            file.write(json.dumps({**shared, **made, "message": message}) + "\n")
    page.sees("And where do we keep returns?")
    page.sees("With the orders.")


def test_a_view_that_changes_while_a_button_is_pressed_keeps_the_click(
    page: Page, shop: Served, elsewhere: Elsewhere
) -> None:
    page.tell(f"location.hash = '#/node/{shop.ids['Order']}'")
    page.until("document.querySelector('h1')?.textContent === 'Order' && document.querySelector('.acts a')")
    page.tell("window.shownLink = document.querySelector('.acts a')")
    place = "(box => [box.x + box.width / 2, box.y + box.height / 2])(shownLink.getBoundingClientRect())"
    x, y = page.tell(place)
    mouse = {"x": x, "y": y, "button": "left", "clickCount": 1}
    page.call("Input.dispatchMouseEvent", {"type": "mousePressed", **mouse})
    elsewhere.run("update", shop.ids["Order"], "--tags", "basket")
    page.until("document.querySelector('.feed-toggle small').textContent")
    assert page.tell("shownLink.isConnected")
    page.call("Input.dispatchMouseEvent", {"type": "mouseReleased", **mouse})
    page.until(f"!location.hash.includes('/node/{shop.ids['Order']}')")


def test_a_feed_that_grows_while_an_entry_is_pressed_keeps_the_click(page: Page) -> None:
    page.click(".feed-toggle")
    page.sees("New note: “Order service”")
    add = "import('/page/feed.js').then(({addToFeed}) => addToFeed([%s]))"
    page.tell(add % "{number: 2e9, kind: 'remembered', title: 'A first'}")
    entries = "[...document.querySelectorAll('#feed section a')]"
    page.tell(f"window.pressed = {entries}.find((each) => each.textContent.includes('Order service'))")
    page.tell("pressed.scrollIntoView({block: 'nearest'})")
    x, y = page.tell("(box => [box.x + box.width / 2, box.y + box.height / 2])(pressed.getBoundingClientRect())")
    mouse = {"x": x, "y": y, "button": "left", "clickCount": 1}
    page.call("Input.dispatchMouseEvent", {"type": "mousePressed", **mouse})
    page.tell(add % "{number: 2e9 + 1, kind: 'remembered', title: 'A second'}")
    assert page.tell(f"document.elementFromPoint({x}, {y}) === pressed")
    page.call("Input.dispatchMouseEvent", {"type": "mouseReleased", **mouse})
    page.until("document.querySelector('h1')?.textContent === 'Order service'")
    page.until("document.querySelector('#feed ol').textContent.includes('A second')")
    page.tell("location.reload()")
