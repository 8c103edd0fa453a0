"""The queue of what past sessions settled, on the page."""

from __future__ import annotations

from pathlib import Path

import pytest

from autology.model.errors import ValidationError
from autology.web.calls import answer
from autology.web.mined import mined
from autology.web.project import PageProject
from tests.fakes.talk import Said, write

SESSION = "a" * 8 + "-0000-4000-8000-000000000000"
QUOTE = "huey, we have three jobs"


@pytest.fixture
def page(home: Path, tmp_path: Path) -> PageProject:
    root = tmp_path / "shop"
    (root / ".autology").mkdir(parents=True)
    offer = Said("2026-03-02T09:00:00Z", "we need a job queue", "Celery is the usual one, Huey is smaller.")
    choice = Said("2026-03-02T09:05:00Z", QUOTE, "Huey runs the jobs now, with one worker.")
    write(home / ".claude", str(root), SESSION, [offer, choice])
    return PageProject(str(root))


def test_a_candidate_is_shown_with_its_source_and_the_note_that_it_would_become(page: PageProject) -> None:
    (row,) = mined(page)["candidates"]
    assert (row["kind"], row["quote"], row["author"], row["session"]) == ("settled", QUOTE, "user", SESSION)
    assert (row["title"], row["type"]) == (QUOTE, "decision")
    assert f"“{QUOTE}”" in row["content"]
    assert not list(Path(page.root).rglob("*.md"))


def test_a_candidate_is_kept_with_the_text_that_was_edited(page: PageProject) -> None:
    (row,) = mined(page)["candidates"]
    node = answer(page, "accept_mined", {"id": row["id"], "title": "Jobs run on Huey", "content": row["content"]})
    assert (node["title"], node["type"]) == ("Jobs run on Huey", "decision")
    assert mined(page)["candidates"] == []
    with pytest.raises(ValidationError, match="no waiting candidate"):
        answer(page, "accept_mined", {"id": row["id"], "title": "Again", "content": "x"})


def test_a_dismissed_candidate_is_put_back(page: PageProject) -> None:
    (row,) = mined(page)["candidates"]
    answer(page, "dismiss_mined", {"id": row["id"]})
    assert mined(page)["candidates"] == []
    answer(page, "dismiss_mined", {"id": row["id"], "dismissed": False})
    assert [one["id"] for one in mined(page)["candidates"]] == [row["id"]]


@pytest.mark.parametrize("id", ["", "../../etc", "a" * 200, "zzzz\nzzzz accepted"])
def test_an_id_that_names_no_candidate_is_refused(page: PageProject, id: str) -> None:
    with pytest.raises(ValidationError, match="Reload the page"):
        answer(page, "dismiss_mined", {"id": id, "dismissed": False})
    with pytest.raises(ValidationError, match="Reload the page"):
        answer(page, "accept_mined", {"id": id, "title": "x", "content": "x"})


def test_lines_of_the_clients_memory_that_contradict_a_note_are_listed(page: PageProject) -> None:
    assert answer(page, "memory_findings", {}) == {"findings": []}
