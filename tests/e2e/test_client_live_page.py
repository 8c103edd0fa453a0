"""What Claude captures in the real client appears in an open page, in a real browser, within a second."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.browser.browser import Browser, Page
from tests.e2e.driving import Claude, Step, node_file, tool

pytestmark = pytest.mark.skipif(os.name == "nt", reason="no descriptors can be handed to the browser there")
SOON = 1.0
"""Seconds within which a page shows what was written, on a machine that is not busy."""
TITLES = ("Keep prices in cents", "Round at the end", "Ship from one place", "Name every queue", "Log in UTC")
"""Captures of which one is seen that soon: other tests keep the processors busy."""
WATCH = """
globalThis.seen = {}
new MutationObserver(() => {
  const text = document.querySelector('main').textContent
  for (const title of TITLES) if (text.includes(title)) seen[title] ??= Date.now()
}).observe(document.body, {childList: true, subtree: true, characterData: true})
"""


@pytest.fixture(scope="module")
def claude(start: Callable[[], Claude]) -> Claude:
    made = start()
    made.autology("status")  # what is unpacked once is there: the client does not wait for that
    made.capture("Sell only what is in stock", "It is.", "--type", "decision")
    return made


@pytest.fixture(scope="module")
def page(claude: Claude, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """The project's page, served by the plugin's own executable."""
    assert claude.plugin
    command = ["python3", "-I", "-S", str(claude.plugin / "dist" / "autology.pyz"), "web", "--no-open", "--json"]
    process = subprocess.Popen(
        command,
        cwd=claude.project,
        env=claude.harness.base_env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
    )
    assert process.stdout is not None
    with process.stdout as output:
        url = json.loads(output.readline())["url"]
    browser = Browser(tmp_path_factory.mktemp("browser"))
    opened = browser.page(url)
    yield opened
    browser.close()
    process.send_signal(signal.SIGINT)
    process.wait(60)


def test_a_note_that_the_client_captures_appears_within_a_second(claude: Claude, page: Page) -> None:
    page.until("document.querySelector('.feed-toggle')")
    page.tell("location.hash = '#/timeline'")
    page.sees("1 decision")
    page.tell(WATCH.replace("TITLES", json.dumps(TITLES)))
    content = "## Context\n\nMoney.\n\n## Decision\n\nThis.\n\n## Alternatives\n\nNone.\n\n## Consequences\n\nWork.\n"
    steps: dict[str, Step] = {
        title: tool("autology_capture", title=title, content=content, type="decision") for title in TITLES
    }
    session = claude.session(steps)
    waits = []
    for title in TITLES:
        page.sees(title)
        file = node_file(claude.project, session.after[title].data["id"])
        waits.append(page.tell(f"seen[{json.dumps(title)}]") / 1_000 - file.stat().st_mtime)
    assert min(waits) < SOON, waits
    page.click(".feed-toggle")
    page.sees(f"Claude captured “{TITLES[-1]}”")
    assert page.troubles == []


def test_it_leads_to_the_conversation_that_it_came_from(claude: Claude, page: Page) -> None:
    page.press("Escape")
    page.click("main a", TITLES[0])
    page.click("aside a", "Read the conversation")
    page.until("document.querySelector('.turns')")
    page.sees(TITLES[0])
    assert Path(claude.project).name in page.text("header")
