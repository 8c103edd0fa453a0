"""The queue of what past sessions settled, in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.browser import Browser
from tests.browser.conftest import serve
from tests.conftest import places
from tests.fakes.talk import Said, write

SESSION = "a" * 8 + "-0000-4000-8000-000000000000"
TALK = [
    Said("2026-03-02T09:00:00Z", "we need a job queue", "Celery is the usual one, Huey is smaller."),
    Said("2026-03-02T09:05:00Z", "huey, we have three jobs", "Huey runs the jobs now, with one worker."),
    Said("2026-03-02T09:10:00Z", "never put a customer's name into a job's arguments", "Arguments hold ids only."),
]


def test_candidates_are_edited_kept_dismissed_and_put_back(
    tmp_path: Path, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, root = tmp_path / "home", tmp_path / "shop"
    (root / ".autology").mkdir(parents=True)
    for name, value in places(home).items():
        monkeypatch.setenv(name, value)
    write(home / ".claude", str(root), SESSION, TALK)
    process, url = serve(root, home)
    try:
        page = browser.page(url)
        page.tell("location.hash = '#/sessions'")
        page.click("a", "Settled, but not captured")
        page.sees("2 candidates from past sessions")
        page.click("button", "Dismiss")
        page.sees("Dismissed: “never put")
        page.click("button", "Put it back")
        page.sees("Rule: “never put")
        of_choice = "[...document.querySelectorAll('.mined li')][1]"
        page.tell(f"{of_choice}.querySelectorAll('button')[1].click()")
        page.tell("document.querySelector('.mined input').value = 'Jobs run on Huey'; 0")
        page.tell(f"{of_choice}.querySelector('button').click()")
        page.sees("Captured as")
        page.sees("Jobs run on Huey")
        page.click("a", "Jobs run on Huey")
        page.sees("Said by the user on 2026-03-02")
        assert page.troubles == []
        page.close()
    finally:
        process.terminate()
        process.wait(60)
    (note,) = (root / ".autology" / "nodes" / "decisions").glob("*.md")
    assert "“huey, we have three jobs”" in note.read_text(encoding="utf-8")
