"""The history of a note on its page, opened and compared in a real browser."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser import projects
from tests.browser.accessibility import SIZES, resize, violations
from tests.browser.browser import Page
from tests.browser.conftest import Served, serve
from tests.conftest import places

IDENTITY = {"GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@example.org"}
IDENTITY |= {"GIT_COMMITTER_NAME": "Ada", "GIT_COMMITTER_EMAIL": "ada@example.org"}
TITLE = "Outbox"


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The page of a small project under version control, in which one note was changed twice."""
    root, home = tmp_path_factory.mktemp("history"), tmp_path_factory.mktemp("history-home")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {**places(home), "CLAUDE_CONFIG_DIR": str(home / ".claude")}.items():
            patch.setenv(name, value)
        ids = projects.small(root, home)
    git(root, "init", "-q")
    commit(root, "Write everything down")
    process, url = serve(root, home)
    made = Served(root, ids, process, url)
    file = made.file(TITLE)
    file.write_text(file.read_text().replace("is written with what caused it", "is written in one transaction"))
    commit(root, "Say how the outbox is written")
    file.write_text(file.read_text().replace("in one transaction", "in the same transaction"))
    yield made
    made.end()


def git(root: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True, env={**os.environ, **IDENTITY})


def commit(root: Path, subject: str) -> None:
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", subject)


def test_the_history_of_a_note_is_read_and_compared(page: Page, shop: Served) -> None:
    page.tell(f"location.hash = '#/node/{shop.ids[TITLE]}'")
    page.until("document.querySelector('.history')")
    assert not any(request.endswith("/api/history") for request in page.requests)
    page.click(".history > summary")
    page.sees("Changes not committed yet")
    page.sees("Say how the outbox is written")
    page.sees("Ada")
    page.click(".commits summary", "Changes not committed yet")
    page.until("document.querySelector('.comparison ins')?.textContent === 'the same'")
    assert page.text(".comparison del") == "one"
    page.click(".commits summary", "Say how")
    second = "document.querySelectorAll('.commits > li')[1]"
    page.until(f"{second}.querySelector('ins')?.textContent === 'in one transaction'")
    page.click(".commits label", "What has changed since")  # the first that is shown
    page.until(f"{second}.querySelector('ins')?.textContent === 'the same'")
    shop.file("Order").write_text(shop.file("Order").read_text() + "\nMore.\n")
    page.sees("Changed elsewhere: “Order”")
    assert page.tell(f"{second}.querySelector('ins')?.textContent") == "the same"
    shop.file(TITLE).write_text(shop.file(TITLE).read_text().replace("is written in", "is stored in"))
    page.until("document.querySelector('.prose').textContent.includes('is stored in')")
    page.sees("Say how the outbox is written")
    page.click(".commits summary", "Changes not committed yet")
    page.until("document.querySelector('.comparison ins')?.textContent === 'stored'")
    editors = [request for request in page.requests if "://file" in request]
    assert editors == []


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("size", SIZES, ids=lambda size: str(size[0]))
def test_an_open_history_has_no_violation(
    page: Page, shop: Served, axe: str, size: tuple[int, int], dark: bool
) -> None:
    resize(page, *size)
    page.theme(dark)
    page.tell(f"location.hash = '#/node/{shop.ids[TITLE]}'")
    page.until("document.querySelector('.history')")
    page.click(".history > summary")
    page.click(".commits summary", "Say how")
    page.until("document.querySelector('.comparison ins')")
    found = violations(page, axe)
    resize(page, 1280, 800)
    page.theme(False)
    assert found == []


def test_what_is_not_committed_says_so(page: Page, shop: Served) -> None:
    page.tell("location.hash = '#/new'")
    page.until("document.querySelector('#title')")
    page.tell(
        "fetch('/api/create', {method: 'POST', headers: {'Content-Type': 'application/json',"
        " Authorization: `Bearer ${localStorage.getItem('autology-key')}`},"
        " body: JSON.stringify({title: 'Basket', content: 'What is chosen.', type: 'concept'})})"
        ".then((reply) => reply.json()).then(({id}) => (location.hash = `#/node/${id}`))"
    )
    page.until("document.querySelector('h1')?.textContent === 'Basket'")
    page.click(".history > summary")
    page.sees("Not committed yet.")
