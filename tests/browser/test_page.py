"""The page as a person uses it, in a real browser."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable

import pytest

from tests.browser.browser import Browser, Page
from tests.browser.conftest import Served

Go = Callable[[str, str], None]

THEMES = ("light", "dark")
# Every pair of a text's colour and its ground that the style sheets put together.
PAIRS = (
    *(("text", ground) for ground in ("ground", "raised", "sunken", "accent-ground", "mark")),
    *(("soft", ground) for ground in ("ground", "raised", "sunken", "accent-ground")),
    *(("accent", ground) for ground in ("ground", "raised", "accent-ground")),
    *(("bad", "bad-ground"), ("warn", "warn-ground"), ("on-accent", "accent"), ("bad", "ground")),
)
CONTRAST = """
(() => {
  const pen = document.createElement('canvas').getContext('2d', {willReadFrequently: true})
  const style = getComputedStyle(document.documentElement)
  const light = (name) => {
    pen.fillStyle = style.getPropertyValue(`--${name}`)
    pen.fillRect(0, 0, 1, 1)
    const [r, g, b] = [...pen.getImageData(0, 0, 1, 1).data].map((each) => {
      const part = each / 255
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  return PAIRS.map(([one, other]) => {
    const [low, high] = [light(one), light(other)].sort((a, b) => a - b)
    return [`${one} on ${other}`, (high + 0.05) / (low + 0.05)]
  })
})()
"""
UNNAMED = """
[...document.querySelectorAll('button, a[href], input, select, textarea, summary')].filter((each) => {
  const named = each.getAttribute('aria-label') || each.textContent.trim() || each.title || each.labels?.length
  return !named && each.getClientRects().length
}).map((each) => each.outerHTML)
"""


def spot(page: Page, title: str) -> tuple[float, float]:
    """Return where in the window a node is drawn."""
    find = f"picture.canvas.graph.nodes.findIndex((each) => each.title === {json.dumps(title)})"
    box = page.tell("(({x, y}) => [x, y])(picture.canvas.element.getBoundingClientRect())")
    x, y = page.tell(f"picture.canvas.positionOf({find})")
    return box[0] + x, box[1] + y


def opened(shop: Served, title: str) -> str:
    return f"#/node/{shop.ids[title]}"


def test_the_page_requests_nothing_from_other_hosts(shop: Served, page: Page, browser: Browser) -> None:
    origin = shop.url.partition("/#")[0]
    assert len(page.requests) > 20
    assert {request for request in page.requests if not request.startswith(f"{origin}/")} == set()
    assert not any("enter=" in request for request in page.requests)
    assert page.tell("location.href") == f"{origin}/#/"
    page.go(f"{origin}/")
    page.sees("13 nodes")
    late = browser.page(shop.url)
    late.sees("its address was already used")
    bare = browser.page(f"{origin}/")
    bare.sees("the address that autology web prints")
    late.close()
    bare.close()


def test_the_picture_is_filtered_searched_and_walked_by_hand(page: Page) -> None:
    """What the filters let through is drawn, or is in the list of what is not linked."""

    def first(label: str) -> str:
        return str(page.tell(f"document.querySelector('[aria-label={label}]').options[1].value"))

    page.click(".graph-filters label", "decision")
    page.sees("10 of 13 nodes")
    page.click(".graph-filters label", "decision")
    page.click(".graph-filters label", "Superseded")
    page.sees("12 of 13 nodes")
    page.click(".graph-filters label", "Superseded")
    page.choose("Tag", first("Tag"))
    page.sees("5 of 13 nodes")
    page.choose("Tag", "")
    members = re.search(r"\((\d+)\)$", str(page.tell("document.querySelector('[aria-label=Cluster]').options[1].text")))
    assert members
    page.choose("Cluster", first("Cluster"))
    page.sees(f"{members[1]} of 13 nodes")
    page.choose("Cluster", "")
    page.click(".graph-search input")
    page.write("outbox")
    page.press("Enter")
    page.until("document.querySelector('.graph-card h2')?.textContent === 'Outbox'")
    page.tell("picture.canvas.fit()")
    page.click_at(*spot(page, "Order service"))
    page.until("document.querySelector('.graph-card h2')?.textContent === 'Order service'")
    page.choose("Neighbourhood", "1")
    assert page.until("picture.canvas.highlighted?.size") == 5
    page.choose("Neighbourhood", "0")
    page.click(".graph-card button", "Path from here")
    page.sees("Click the destination")
    page.click_at(*spot(page, "Mail is sent twice after a restart"))
    page.sees("The shortest path has 3 steps")
    assert page.tell("picture.canvas.path.map((node) => picture.canvas.graph.nodes[node].title)") == [
        *("Order service", "Outbox", "Mail worker", "Mail is sent twice after a restart")
    ]


@pytest.mark.parametrize("width", [390, 1280])
def test_the_notes_found_in_the_graph_are_seen_whole(page: Page, width: int) -> None:
    size = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    page.call("Emulation.setDeviceMetricsOverride", size)
    page.click(".graph-search input")
    page.write("mail")
    page.until("document.querySelectorAll('.graph-suggestions button').length > 1")
    hits = (
        "[...document.querySelectorAll('.graph-suggestions button')].every(each => {"
        "const box = each.getBoundingClientRect(), y = box.y + box.height / 2;"
        "return [box.left + 2, box.right - 2].every(x => each.contains(document.elementFromPoint(x, y))) })"
    )
    assert page.tell(hits)
    page.press("Escape")
    page.call("Emulation.setDeviceMetricsOverride", {**size, "width": 1280})


def test_the_graph_is_fitted_again_when_a_filter_is_taken_away(page: Page, go: Go) -> None:
    page.choose("Folder", "docs")
    page.until("location.hash.includes('folder=docs')")
    page.tell("location.hash = '#/'")
    page.until("!picture.filters.folder")
    inside = (
        "picture.canvas.graph.nodes.every((_, node) => {"
        "const {canvas} = picture, [x, y] = canvas.positionOf(node);"
        "return !canvas.visible[node] || (x > 0 && y > 0 && x < canvas.width && y < canvas.height) })"
    )
    page.until(inside, 5)


def test_the_switcher_is_reached_by_a_button_that_names_its_keys_and_on_a_phone(page: Page) -> None:
    assert page.text(".switch").split() == ["Go", "to…", "Ctrl", "K"]
    size = {"width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    page.call("Emulation.setDeviceMetricsOverride", size)
    page.click(".switch")
    page.until("document.querySelector('dialog.switcher')?.open")
    page.press("Escape")
    assert page.tell("document.documentElement.scrollWidth") <= 390
    page.call("Emulation.setDeviceMetricsOverride", {**size, "width": 1280})


def test_a_note_that_texts_link_to_is_not_said_to_have_no_relations(page: Page, shop: Served, go: Go) -> None:
    note = {"title": "Cites one", "content": "It follows [[Errors end in the next step]].", "type": "concept"}
    call = "import('/page/api.js').then((api) => api.call(NAME, GIVEN)).then((reply) => reply.undo)"
    step = page.tell(call.replace("NAME", "'create'").replace("GIVEN", json.dumps(note)))
    go(f"#/node/{shop.ids['Errors end in the next step']}", "One text links to it")
    assert "No relations yet" not in page.text(".reader")
    page.tell(call.replace("NAME", "'undo'").replace("GIVEN", json.dumps({"step": step})))


def test_the_same_graph_is_always_drawn_the_same(page: Page) -> None:
    places = "JSON.stringify([...picture.canvas.graph.positions].map((each) => Math.round(each * 1000)))"
    page.reload()  # as it was, it may still follow what a test before changed
    page.until("document.querySelector('.graph')?.dataset.settled === 'yes'")
    before = page.tell(places)
    page.reload()
    page.until("document.querySelector('.graph')?.dataset.settled === 'yes'")
    assert page.tell(places) == before


def test_a_note_shows_what_links_to_it_with_the_sentence(page: Page, shop: Served) -> None:
    page.tell(f"location.hash = '{opened(shop, 'Keep orders in PostgreSQL')}'")
    page.until("document.querySelector('.backlinks')")
    assert page.text(".linked h2") == "Linked from 1"
    assert page.text(".backlinks li").split() == "Order service implements this Uses Keep orders in PostgreSQL.".split()
    assert page.text(".backlinks mark") == "Keep orders in PostgreSQL"
    page.click(".backlinks a", "Order service")
    page.sees("First read Order service, then mail.")
    page.click(".backlinks a", "Running the shop")
    page.until("document.querySelector('h1')?.textContent === 'Running the shop'")
    assert "Order service" in page.text("aside dl.related")
    assert "missing" not in page.text("aside")


def test_files_that_a_text_names_open_in_the_readers_editor_and_its_links_lead_to_documents(
    page: Page, shop: Served
) -> None:
    page.tell(f"location.hash = '{opened(shop, 'Keep orders in PostgreSQL')}'")
    page.until("document.querySelector('.prose a code')")
    address = f"vscode://file{shop.root}/src/orders.py"
    assert page.tell("document.querySelector('.prose a code').parentElement.href") == address
    assert page.tell("[...document.querySelectorAll('.facts a')].map((each) => each.href)[0]").startswith(
        f"vscode://file{shop.root}/.autology/nodes/decisions/"
    )
    page.tell("location.hash = '#/node/docs%2Fshop.md'")
    page.click(".prose a", "mail")
    page.until("document.querySelector('h1')?.textContent === 'Mail'")


def test_a_result_that_was_superseded_names_what_superseded_it_in_plain_words(page: Page) -> None:
    page.tell("location.hash = '#/search/keep%20orders%20in%20mysql'")
    page.sees("results")
    results = page.tell("[...document.querySelectorAll('.result')].map((one) => one.innerText)")
    (text,) = (" ".join(one.split()) for one in results if one.startswith("Keep orders in MySQL"))
    assert "Superseded Superseded by Keep orders in PostgreSQL" in text.replace("MySQLSuperseded", "MySQL Superseded")
    assert not re.search(r"##|\*\*|`|\[\[", page.text(".results"))


def test_everything_is_reached_with_the_keyboard_alone(page: Page, shop: Served) -> None:
    page.tell("document.activeElement.blur()")
    page.press("/")
    page.write("acknowledges")
    page.press("Enter")
    page.sees("Mail is sent twice after a restart")
    for _ in range(30):
        page.press("Tab")
        if page.tell("document.activeElement.textContent") == "Mail is sent twice after a restart":
            break
    page.press("Enter")
    page.sees("The worker acknowledges too late.")
    page.tell("location.hash = '#/'")
    page.until("document.querySelector('#view > .graph')")
    page.tell("document.activeElement.blur()")
    for _ in range(40):
        page.press("Tab")
        if page.tell("document.activeElement.tagName") == "CANVAS":
            break
    page.press("Escape")
    page.press("ArrowRight")
    first = page.until("document.querySelector('.graph-card:not([hidden]) h2')?.textContent")
    page.press("0")
    for key in ("ArrowDown", "ArrowUp", "ArrowLeft", "ArrowRight", "+", "-"):
        page.press(key)
    assert first in shop.ids
    page.press("f")
    page.until("picture.canvas.highlighted?.size")
    page.press("f")
    page.press("Enter")
    page.until("document.querySelector('.reader aside h2')")  # 'Related' of a node, 'Links' of a document


def test_a_node_is_edited_and_the_edit_taken_back(page: Page, shop: Served, go: Go) -> None:
    file = shop.file("Order service")
    before = file.read_bytes()
    go(opened(shop, "Order service"), "Takes orders and keeps them.")
    page.click(".acts a", "Edit")
    page.until("document.activeElement.id === 'content'")
    page.press("Enter")
    page.write("And **tells** the worker.")
    page.until("document.querySelector('.preview strong')?.textContent === 'tells'")
    page.press("Enter", control=True)
    page.sees("Changed “Order service”")
    page.sees("And tells the worker.")
    assert b"And **tells** the worker." in file.read_bytes()
    page.tell("document.activeElement.blur()")
    page.press("z", control=True)
    page.sees("Undone: Changed “Order service”")
    assert file.read_bytes() == before
    page.until("!document.querySelector('.prose').textContent.includes('tells')")
    page.click(".toast button", "Redo")
    page.sees("And tells the worker.")
    page.click(".toast button", "Undo")
    page.until("!document.querySelector('.prose').textContent.includes('tells')")
    assert file.read_bytes() == before


def test_unsaved_edits_survive_a_reload_and_a_concurrent_edit(page: Page, shop: Served, go: Go) -> None:
    file = shop.file("Order")
    before = file.read_bytes()
    go(f"#/edit/{shop.ids['Order']}", "Preview")
    page.until("document.activeElement.id === 'content'")
    page.write("Mine. ")
    page.reload()
    page.sees("Your unsaved changes were restored")
    assert page.tell("document.getElementById('content').value").startswith("Mine. What")
    file.write_bytes(before.replace(b"until it is paid", b"until it is delivered"))
    page.click("button", "Save")
    page.sees("The note was changed elsewhere while you were editing")
    page.sees("until it is delivered")
    assert b"Mine." not in file.read_bytes()
    page.troubles.clear()  # the browser notes down a refusal as well
    page.click("button", "Overwrite with mine")
    page.sees("Changed “Order”")
    assert b"Mine. What a customer wants, until it is paid." in file.read_bytes()
    page.click(".toast button", "Undo")
    page.sees("Undone")
    assert b"until it is delivered" in file.read_bytes()
    file.write_bytes(before)


def test_a_node_is_made_deleted_found_in_the_trash_and_restored(page: Page, shop: Served, go: Go) -> None:
    page.click("a", "New note")
    page.until("document.activeElement.id === 'title'")
    page.write("Retry with a pause")
    page.tell("document.getElementById('content').focus()")
    page.write("We decided to wait between tries.")
    page.click("button", "Create")
    page.sees("Created “Retry with a pause”")
    page.sees("Needs review: it has no section Context and no Decision and no Alternatives and no Consequences.")
    page.click("button", "Delete")
    page.sees("Deleted “Retry with a pause”")
    go("#/trash", "Retry with a pause")
    page.click("button", "Restore")
    page.sees("We decided to wait between tries.")
    page.click("button", "Delete")
    page.sees("Deleted “Retry with a pause”")
    page.click(".toast button", "Undo")
    page.sees("Undone")
    go("#/trash", "The trash is empty")
    page.tell("location.hash = '#/'")
    page.sees("14 nodes")
    for file in (shop.root / ".autology" / "nodes").rglob("*.md"):
        if b"Retry with a pause" in file.read_bytes():
            file.unlink()


def test_nodes_are_related_by_choosing_and_unrelated(page: Page, shop: Served, go: Go) -> None:
    go(opened(shop, "Order"), "What a customer wants")
    page.click("[aria-label='Relate to…']")
    page.write("outbox")
    page.until("document.querySelectorAll('.relating [role=option]').length === 1")
    page.press("ArrowDown")
    page.press("Enter")
    page.sees("Related “Order” to “Outbox”")
    page.click("button[aria-label='Remove: relates to Outbox']")
    page.sees("Unrelated “Order” and “Outbox”")
    page.click(".toast button", "Undo")
    page.until("document.querySelector('.related')?.textContent.includes('Outbox')")
    page.click("button[aria-label='Remove: relates to Outbox']")
    page.sees("Unrelated “Order” and “Outbox”")


def test_two_that_say_the_same_are_merged_side_by_side_and_parted_again(page: Page, shop: Served, go: Go) -> None:
    one, other = "Errors end in the next step", "Messages tell what to do next"
    before = [shop.file(title).read_bytes() for title in (one, other)]
    go(f"#/merge/{shop.ids[one]}/{shop.ids[other]}", "Goes to the trash")
    page.click("button", "Append its text")
    page.tell("document.getElementById('title').select()")
    page.write("Errors say what to do")
    page.click("button", "Merge")
    page.sees(f"Merged “{other}” into “Errors say what to do”")
    text = shop.file(one).read_text(encoding="utf-8")
    assert text.count("Whoever reads an error wants to go on.") == 2
    go("#/trash", other)
    page.until("document.querySelector('.trashed')")
    page.click(".toast button", "Undo")
    page.sees("The trash is empty")
    assert [shop.file(title).read_bytes() for title in (one, other)] == before


def test_markup_and_scripts_in_a_note_are_not_executed(page: Page, shop: Served, go: Go) -> None:
    title = next(title for title in shop.ids if title.startswith("Hostile"))
    go(opened(shop, title), "A note says")
    assert "<script>alert(1)</script>" in page.text(".prose")
    assert page.tell("document.querySelectorAll('.reader img, .reader script, .prose a').length") == 0
    assert page.tell("document.querySelector('.prose pre').textContent") == "let x = '<b>'"
    made = page.tell(
        "import('/site/markdown.js').then(({renderMarkdown}) => { const made = renderMarkdown("
        + json.dumps(
            "[a](javascript:alert(1)) [b](JaVaScRiPt:x) [c](data:text/html,x) [d](//evil) "
            "[e](https://example.org/a_(b)) "
            "[f](docs/mail.md) ![g](https://example.org/x.png) [[Mail|h]] <https://example.org/> <a href='x'>i</a>\n\n"
            "- one\n  - two\n    - [x] three\n\n1. a\n2. b\n\n| a | b |\n|---|---|\n| `c` | **d** |\n"
        )
        + ", (target) => '#/node/' + encodeURIComponent(target)); return [[...made.querySelectorAll('a')].map((a) => "
        "[a.getAttribute('href'), a.textContent]), made.querySelectorAll('img').length, "
        "made.querySelectorAll('li').length, made.querySelectorAll('td').length] })"
    )
    assert made == [
        [
            ["https://example.org/a_(b)", "e"],
            ["#/node/docs%2Fmail.md", "f"],
            ["#/node/Mail", "h"],
            ["https://example.org/", "https://example.org/"],
        ],
        0,
        5,
        2,
    ]


def test_no_markdown_takes_long_or_loses_a_word(page: Page) -> None:
    hostile = ["*" * 20_000, "[" * 20_000, "`" * 20_000 + "a", "> " * 5_000 + "x", "- " * 5_000 + "x", "_a" * 20_000]
    hostile += [
        "|" * 5_000 + "\n|-|-|\n",
        "\n".join(f"{' ' * (n % 60)}- {n}" for n in range(3_000)),
        "[[" + "a|" * 9_000,
    ]
    words = (
        "# a1\na2\n***\n- a3\na4\n\n  a5\n1) a6\n> a7\na8\n```\na9\n\nb1 **b2 *b3* b4** [b5 _b6_](x) ~~b7~~\\*\n```\n"
        "c1 **c2 *c3* c4** [c5 _c6_](x) ~~c7~~ <c8>\n\n| c9 |\n|--|\n| d1 | d2 |\nd3\n"
    )
    code = "import('/site/markdown.js').then(({renderMarkdown}) => { const at = performance.now(), made = "
    code += "renderMarkdown(TEXT); return [performance.now() - at, made.textContent] })"
    for text in (*hostile, words):
        milliseconds, read = page.tell(code.replace("TEXT", json.dumps(text)))
        assert milliseconds < 5_000, text[:20]
    lost = [word for word in re.findall(r"[abcd]\d", words) if word not in read]
    assert lost == []


def test_search_says_why_and_leads_to_everything(page: Page, go: Go) -> None:
    go("#/search/orders", "results")
    page.sees("Why: the words “orders”")
    assert page.tell("document.querySelectorAll('mark').length") > 3
    for sort in ("Notes", "Documents", "Conversations"):
        assert sort in page.text(".results .row")
    page.click(".result a", "Where do we keep orders?")
    page.sees("Read the conversation")
    go("#/search/drain%20the%20queue", "Restart the worker")
    go("#/search/zzzzqqqq", "No results")


def test_a_search_shows_only_notes_of_one_type_and_its_address_keeps_that(page: Page, go: Go) -> None:
    go("#/search/orders", "results")
    page.choose("Type of note", "decision")
    page.until("/^\\d+ of \\d+ results$/.test(document.querySelector('#view h1').textContent)")
    facts = "[...document.querySelectorAll('.result:not([hidden]) .facts')].map((each) => each.textContent)"
    shown = page.tell(facts)
    assert shown
    assert all(fact.startswith("note · decision") for fact in shown)
    assert page.text("#view h1").startswith(f"{len(shown)} of ")
    address = page.tell("location.hash")
    assert address == "#/search/orders?type=decision"
    assert page.tell("document.title").startswith("orders, decisions only · ")
    boxes = "[...document.querySelectorAll('.results .filters .check')].filter((each) => each.checkVisibility()).length"
    assert page.tell(boxes) == 0
    go("#/timeline", "3 decisions")
    go(address, "results")
    page.until(f"{facts}.length === {len(shown)}")
    page.click("button", "Copy link")
    page.until("/^Cop/.test(document.querySelector('.toast')?.textContent)")
    page.choose("Type of note", "")
    page.until("/^\\d+ results$/.test(document.querySelector('#view h1').textContent)")
    assert page.tell("document.title").startswith("orders · ")
    assert page.tell(boxes) > 1
    page.click(".results .check", "Documents")
    assert page.tell("document.title").startswith("orders, without documents · ")


def test_what_was_told_about_a_view_ends_with_it_unless_it_can_be_undone(page: Page, shop: Served, go: Go) -> None:
    go("#/search/orders", "results")
    page.click("button", "Copy link")
    page.until("document.querySelector('.toast')")
    page.tell("new Promise((done) => setTimeout(done, 1100))")
    page.tell("location.hash = '#/timeline'")
    page.until("!document.querySelector('.toast')")
    go("#/health", "Checked ")
    page.click(".finding button", "Dismiss")
    page.sees("1 finding dismissed")
    page.tell("new Promise((done) => setTimeout(done, 1100))")
    go(f"#/node/{shop.ids['Outbox']}", "Show in graph")
    page.click(".toast button", "Undo")
    page.sees("Shown again")


def test_an_explained_search_names_nothing_internal(page: Page, go: Go) -> None:
    go("#/search/orders", "results")
    page.click(".results summary", "How the search worked")
    page.sees("the likeliest answers come first")
    assert "_" not in page.text(".results details")


def test_decisions_are_filtered_by_words_of_their_titles_and_the_address_keeps_that(page: Page, go: Go) -> None:
    go("#/timeline", "3 decisions")
    page.click("input[aria-label='Filter decisions by title']")
    page.write("keep mysql")
    page.sees("1 of 3 decisions")
    assert page.tell("location.hash") == "#/timeline?text=keep+mysql"
    go("#/timeline?text=queue", "1 of 3 decisions")
    page.until("document.querySelector('.track').textContent.includes('Send mail through a queue')")
    page.click("#view a", "Search the texts of decisions for “queue”")
    page.until("location.hash === '#/search/queue?type=decision'")
    page.sees("results")


def test_decisions_stand_in_their_order_with_what_superseded_what(page: Page, shop: Served, go: Go) -> None:
    go("#/timeline", "3 decisions")
    titles = page.tell("[...document.querySelectorAll('.item > div > a')].map((each) => each.textContent)")
    assert titles.index("Keep orders in PostgreSQL") < titles.index("Keep orders in MySQL")
    page.sees("Superseded by Keep orders in PostgreSQL")
    page.until("document.querySelectorAll('.track svg path').length === 1")
    page.click("label", "Superseded")
    page.until("document.querySelectorAll('.item').length === 2")
    page.click(".item a", "Keep orders in PostgreSQL")
    page.sees("MySQL lost transactions twice")


def test_a_conversation_is_read_beside_what_came_of_it(page: Page, go: Go) -> None:
    go("#/sessions", "Where do we keep orders?")
    page.click(".sessions a", "Where do we keep orders?")
    page.sees("In PostgreSQL: MySQL lost some.")
    page.sees("Notes from this conversation")
    page.click("button", "Show where")
    page.until("document.querySelector('.turn.current')?.textContent.includes('Write the outbox down')")
    page.click(".captured a", "Outbox")
    page.sees("Read the conversation")
    page.click("a", "Read the conversation")
    page.until("document.querySelector('.turn.current')")


def test_memories_show_what_is_left_of_their_time(page: Page, go: Go) -> None:
    go("#/memory", "3 memories")
    page.sees("30 days")
    page.sees("permanent")
    page.click(".memories a", "Restart the worker")
    page.sees("drain the queue first")


def test_findings_come_with_what_mends_them(page: Page, shop: Served, go: Go) -> None:
    file = shop.file("Mail worker")
    before = file.read_bytes()
    lost = "00000000-0000-4000-8000-00000000dead"
    relation = f"relations:\n  - type: uses\n    target: {lost}\n    confidence: 0.8\n".encode()
    beside = file.with_suffix(".beside")  # as most editors save: seen at once
    beside.write_bytes(before.replace(b"relations:\n", relation))
    beside.replace(file)
    go("#/health", "Broken")
    page.click(".finding.error button", "Remove the relation uses")
    page.sees("Unrelated “Mail worker”")
    page.until("!document.querySelector('.finding.error')")
    assert lost.encode() not in file.read_bytes()


def test_a_document_reads_well_and_leads_on(page: Page, go: Go) -> None:
    go("#/node/docs%2Fshop.md", "First read")
    assert page.tell("document.querySelectorAll('h1').length") == 1
    page.click(".prose a", "mail")
    page.sees("queue")
    assert page.tell("document.querySelectorAll('td').length") == 2
    go("#/node/docs%2Fshop.md", "First read")
    page.click(".prose a", "Order service")
    page.sees("Takes orders and keeps them.")


@pytest.mark.parametrize("theme", THEMES)
def test_every_text_stands_out_from_its_ground_by_day_and_by_night(page: Page, theme: str) -> None:
    page.theme(theme == "dark")
    try:
        result = dict(page.tell(CONTRAST.replace("PAIRS", json.dumps(PAIRS))))
    finally:
        page.theme(dark=False)
    assert len(result) == len(PAIRS)
    assert {pair: round(ratio, 2) for pair, ratio in result.items() if ratio < 4.5} == {}


def test_a_slow_view_does_not_replace_one_opened_later(page: Page, go: Go) -> None:
    page.tell(
        "globalThis.realFetch = fetch; globalThis.fetch = async (...args) => {"
        "  if (String(args[0]).endsWith('timeline')) await new Promise((done) => setTimeout(done, 700));"
        "  return realFetch(...args) }"
    )
    page.tell("location.hash = '#/timeline'")
    page.tell("location.hash = '#/memory'")
    page.sees("3 memories")
    time.sleep(1)
    page.sees("3 memories")
    page.tell("location.hash = '#/timeline'")
    page.sees("Loading…")
    page.sees("3 decisions")
    page.tell("globalThis.fetch = realFetch")


def test_every_button_and_field_has_a_name_and_nothing_is_wider_than_its_window(
    page: Page, shop: Served, go: Go
) -> None:
    views = {
        "#/": "13 nodes",
        "#/new": "New note",
        "#/timeline": "decisions",
        "#/sessions": "Conversations",
        "#/memory": "memories",
        "#/health": "Checked ",
        "#/search/mail": "results",
        opened(shop, "Outbox"): "What is to be sent",
        f"#/edit/{shop.ids['Outbox']}": "Preview",
        f"#/merge/{shop.ids['Order']}/{shop.ids['Outbox']}": "Merged note",
    }
    wide = {"width": 1280, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    try:
        for width in (1280, 390):
            page.call("Emulation.setDeviceMetricsOverride", {**wide, "width": width})
            for address, text in views.items():
                go(address, text)
                assert page.tell(UNNAMED) == [], address
                assert page.tell("document.documentElement.scrollWidth") <= width, (address, width)
    finally:
        page.call("Emulation.setDeviceMetricsOverride", wide)


def test_when_the_terminal_closes_the_page_says_so(page: Page, shop: Served) -> None:
    shop.end()
    page.tell("location.hash = '#/timeline'")
    page.sees("The server has stopped because its terminal was closed.")
    page.sees("Your text is safe in this tab.")
    page.go("about:blank")  # it would ask again every second
    page.troubles.clear()  # the browser notes down that nobody answered
