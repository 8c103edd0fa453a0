"""What a note needs is a button: amend, replace, mark as reviewed, link while writing."""

from __future__ import annotations

from collections.abc import Callable

from tests.browser.browser import Page
from tests.browser.conftest import Served

Go = Callable[[str, str], None]


def test_an_accepted_decision_is_amended_with_a_reason(page: Page, shop: Served, go: Go) -> None:
    title = "Send mail through a queue"
    go(f"#/node/{shop.ids[title]}", "The web server waited")
    page.click(".acts a", "Amend with a reason")
    page.until("document.activeElement.id === 'reason'")
    assert page.tell("document.getElementById('view').scrollTop") == 0
    page.tell("document.getElementById('content').focus()")
    page.write("A measured amendment. ")
    page.click("button", "Save")
    page.sees("Say why the accepted text changes")
    page.until("document.activeElement.id === 'reason'")
    page.write("measured since")
    page.click("button", "Save")
    page.sees(f"Amended “{title}”")
    page.until("document.querySelector('.reviews')")
    assert page.text(".reviews").startswith("Amended on ")
    assert page.text(".reviews").endswith(": measured since")
    text = shop.file(title).read_text(encoding="utf-8")
    assert "A measured amendment. " in text
    assert "measured since" in text
    page.click(".toast button", "Undo")
    page.sees("Undone: Amended")
    assert "measured since" not in shop.file(title).read_text(encoding="utf-8")


def test_a_replacement_is_written_and_supersedes(page: Page, shop: Served, go: Go) -> None:
    title = "Send mail through a queue"
    go(f"#/node/{shop.ids[title]}", "The web server waited")
    page.click(".acts a", "Write its replacement")
    page.sees("It will supersede")
    page.until("document.activeElement.id === 'title'")
    assert page.tell("document.getElementById('type').value") == "decision"
    content = page.tell("document.getElementById('content').value")
    assert [line for line in content.splitlines() if line] == [
        *("## Context", "## Decision", "## Alternatives", "## Consequences")
    ]
    page.write("Send mail from the database")
    page.tell("document.getElementById('content').focus()")
    page.sees("Still empty: Context, Decision, Alternatives, Consequences.")
    page.write("## Alternatives\n\nNone.\n\n## Decision\n\nOne thing less to run.\n\n")
    page.tell(
        "(field => { field.setRangeText('', field.selectionStart, field.value.length);"
        " field.dispatchEvent(new Event('input', {bubbles: true})) })(document.getElementById('content'))"
    )
    page.until("!document.querySelector('.editor').textContent.includes('Still empty')")
    page.click("button", "Create")
    page.sees("Created “Send mail from the database”")
    page.until("document.querySelector('.related')?.textContent.includes('supersedes')")
    page.click(".toast button", "Undo")
    page.sees("Undone")
    go(f"#/node/{shop.ids[title]}", "The web server waited")
    page.troubles.clear()  # the browser notes down that the undone note is not there
    assert "Superseded by" not in page.text(".reader .text")


def test_a_note_is_marked_as_reviewed(page: Page, shop: Served, go: Go) -> None:
    file = shop.file("Mail worker")
    before = file.read_bytes()
    file.write_bytes(before.replace(b"status: active", b"status: needs_review"))
    go(f"#/node/{shop.ids['Mail worker']}", "Needs review: it was marked so.")
    page.click("input[aria-label='Why it still holds']")
    page.write("it still does")
    page.click("button", "Mark as reviewed")
    page.sees("Reviewed “Mail worker”: it no longer needs review")
    page.until("document.querySelector('.reviews')?.textContent.includes('it still does')")
    assert "Needs review" not in page.text(".reader")
    text = file.read_text(encoding="utf-8")
    assert "status: active" in text
    assert "it still does" in text
    file.write_bytes(before)


def test_accepted_text_that_was_changed_by_hand_is_reviewed_with_a_reason(page: Page, shop: Served, go: Go) -> None:
    title = "Send mail through a queue"
    file = shop.file(title)
    before = file.read_bytes()
    file.write_bytes(before.replace(b"We do: send mail", b"We do: also send mail"))
    go("#/health", "Accepted, and changed since")
    page.click(".finding a", "Open and review")
    page.sees("changed since it was accepted")
    page.click("button", "Mark as reviewed")
    page.sees("Say why the changed text holds")
    page.until("document.activeElement.getAttribute('aria-label') === 'Why the changed text holds'")
    page.write("agreed on since")
    page.click("button", "Mark as reviewed")
    page.sees(f"Reviewed “{title}”")
    page.until("!document.querySelector('.reader').textContent.includes('Needs review')")
    file.write_bytes(before)


def test_wiki_links_are_completed_while_writing(page: Page, go: Go) -> None:
    go("#/new", "Preview")
    page.until("document.activeElement.id === 'title'")
    page.tell("document.getElementById('content').focus()")
    page.write("It uses [[order ser")
    page.until("document.querySelectorAll('.completion:not([hidden]) li').length === 1")
    page.press("Enter")
    assert page.tell("document.getElementById('content').value") == "It uses [[Order service]]"
    page.until("document.querySelector('.preview a')?.textContent === 'Order service'")
    page.tell("document.getElementById('type').value = ''")
    page.click("button", "Cancel")


def test_a_new_decision_begins_with_its_sections(page: Page, go: Go) -> None:
    go("#/new?type=decision", "Preview")
    page.until("document.getElementById('content').value.includes('## Alternatives')")
    page.sees("Still empty: Context")
    page.tell("document.getElementById('title').focus()")
    page.write("Store parcels by week")
    page.tell("document.getElementById('decision-status').value = 'proposed'")
    page.click("button", "Create")
    page.sees("Created “Store parcels by week”")
    page.until("document.querySelector('.reader .pill:last-child')?.textContent === 'Proposed'")
    page.sees("its sections Context and Decision and Alternatives and Consequences are empty")
    assert page.text(".reader [aria-label=Suggestions]") == ""
    page.click(".toast button", "Undo")
    page.sees("This note is not here")
    page.troubles.clear()  # the browser notes down that the undone note is not there


def test_a_finding_is_dismissed_and_shown_again(page: Page, go: Go) -> None:
    go("#/health", "Checked ")
    button = "document.querySelector('.finding button[aria-label^=\"Dismiss:\"]')"
    name = page.until(f"{button}?.getAttribute('aria-label')")
    page.tell(f"{button}.click()")
    page.sees("1 finding dismissed")
    assert name not in page.tell("[...document.querySelectorAll('.finding button')].map((each) => each.ariaLabel)")
    page.click("summary", "dismissed")
    page.click("button", "Show again")
    page.until("!document.querySelector('.dismissed')")


def test_a_text_shows_images_of_the_project_and_only_those(page: Page, shop: Served, go: Go) -> None:
    picture = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'
    (shop.root / "docs" / "map.svg").write_text(picture, encoding="utf-8")
    text = "# Map\n\n![here](map.svg) ![gone](gone.png) ![out](../../x.png) ![far](https://example.org/x.png)\n"
    (shop.root / "docs" / "map.md").write_text(text, encoding="utf-8")
    go("#/node/docs%2Fmap.md", "Image not available: gone")
    page.until("document.querySelector('.prose img')?.naturalWidth === 9")
    assert page.tell("[...document.querySelectorAll('.prose img')].map((each) => each.alt)") == ["here"]
    page.sees("Image not available: out")
    page.sees("[image: far]")
    assert not any("example.org" in request for request in page.requests)
    for name in ("map.svg", "map.md"):
        (shop.root / "docs" / name).unlink()


def test_a_file_opens_in_the_editor_of_the_readers_choice(page: Page, shop: Served, go: Go) -> None:
    go(f"#/node/{shop.ids['Keep orders in PostgreSQL']}", "Refers to")
    link = "document.querySelector('.files a').getAttribute('href')"
    assert page.tell(link) == f"vscode://file{shop.root.as_posix()}/src/orders.py"
    page.choose("Open files in", "idea")
    page.until(f"{link}.startsWith('idea://open?file=')")
    page.choose("Open files in", "vscode")


def test_a_note_that_needs_review_is_found_on_the_health_page_and_reviewed_there(
    page: Page, shop: Served, go: Go
) -> None:
    file = shop.file("Mail worker")
    before = file.read_bytes()
    file.write_bytes(before.replace(b"status: active", b"status: needs_review"))
    go("#/health", "Needs review (1)")
    page.click("button", "Mark as reviewed")
    page.until("document.querySelector('.toast button')?.textContent === 'Undo'")
    page.until("document.querySelector('.health')?.textContent.includes('Needs review') === false")
    assert b"status: active" in file.read_bytes()
    page.click(".toast button", "Undo")
    page.sees("Needs review (1)")
    file.write_bytes(before)
