"""The findings of a project whose decision records were adopted, in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest

from autology import settings
from tests.browser.browser import Browser
from tests.browser.conftest import serve
from tests.conftest import places
from tests.unit.adoption_kit import nygard, opened, write


def test_a_collection_without_a_section_is_asked_for_it_no_more_by_a_button(
    tmp_path: Path, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, root = tmp_path / "home", tmp_path / "shop"
    root.mkdir()
    for name, value in places(home).items():
        monkeypatch.setenv(name, value)
    write(root, "nygard", "lines")
    (root / "docs/adr/0006-name-queues-by-team.md").write_text(nygard(6, "Name queues by team", "Accepted"), "utf-8")
    opened(root, ["adr", "docs/adr"])
    file = root / "docs/adr/0004-sign-releases.md"
    text = file.read_text(encoding="utf-8").replace("## Consequences\n\nSome of them.\n", "")
    file.write_text(text, encoding="utf-8")
    process, url = serve(root, home)
    try:
        page = browser.page(url)
        page.until("document.querySelector('.graph')?.dataset.settled === 'yes'")
        page.tell("location.hash = '#/health'")
        page.sees("1 accepted record in docs/adr has no “Consequences” section, which most there have")
        gone = "!document.querySelector('.health').textContent.includes('which most there have')"
        for undone in (".toast button", ".switched-off button"):
            page.click("button", "Do not check sections in docs/adr, for everyone")
            page.sees("Sections are no longer checked in docs/adr")
            page.until(gone)
            assert "Sections of the records in docs/adr" in page.text(".switched-off")
            page.click(undone)
            page.sees("Sections are again checked in docs/adr")
            page.sees("which most there have")
            assert page.text(".switched-off") == ""
        page.click("button", "Do not check sections in docs/adr, for everyone")
        page.until(gone)
        assert page.troubles == []
        page.close()
    finally:
        process.terminate()
        process.wait(60)
    assert settings.project_value(str(root), "records")["docs/adr"] == {"sections": []}
