"""Calls that keep, amend and replace notes, each with the step that undoes it."""

from __future__ import annotations

from pathlib import Path

import pytest

from autology.core.nodes import capture
from autology.model.errors import ConflictError, ValidationError
from autology.web import editing
from autology.web.calls import answer
from autology.web.project import PageProject
from autology.web.reading import opened

TEXT = "## Context\n\nMany orders.\n\n## Decision\n\nA queue.\n\n## Alternatives\n\nNone.\n\n## Consequences\n\nWork.\n"


@pytest.fixture
def page(tmp_path: Path) -> PageProject:
    return PageProject(str(tmp_path))


@pytest.fixture
def decision(page: PageProject) -> str:
    return capture.capture(page.graph, capture.Material("Queue the orders", TEXT, "decision")).node.id


def test_an_accepted_decision_is_amended_only_with_a_reason_and_in_its_current_state(
    page: PageProject, decision: str
) -> None:
    before = opened(page, decision)
    changed = TEXT.replace("A queue.", "Two queues.")
    with pytest.raises(ValidationError, match="reason"):
        editing.amend(page, decision, before["version"], "", content=changed)
    with pytest.raises(ConflictError):
        editing.amend(page, decision, "another", "load", content=changed)
    reply = editing.amend(page, decision, before["version"], "load", content=changed)
    after = opened(page, decision)
    assert "Two queues." in after["node"]["content"]
    assert [(one["outcome"], one["reason"]) for one in after["reviews"]] == [("amended", "load")]
    assert after["reviews"][0]["at"] == after["node"]["modified"]
    editing.undo(page, reply["undo"])
    assert opened(page, decision)["version"] == before["version"]


def test_a_note_is_marked_as_reviewed_and_that_is_undone(page: PageProject, decision: str) -> None:
    editing.update(page, decision, status="needs_review")
    reply = answer(page, "keep", {"id": decision, "reason": "still so"})
    assert reply["about"] == "Reviewed “Queue the orders”: it no longer needs review"
    assert opened(page, decision)["node"]["status"] == "active"
    editing.undo(page, reply["undo"])
    assert opened(page, decision)["node"]["status"] == "needs_review"


def test_a_review_of_a_decision_that_stays_incomplete_says_that_health_lists_it(page: PageProject) -> None:
    material = capture.Material("Count the orders", TEXT.replace("None.", ""), "decision")
    id = capture.capture(page.graph, material).node.id
    reply = editing.keep(page, id, "it is so")
    assert reply["about"] == "Reviewed “Count the orders”: its review is settled; Health still lists it as incomplete"
    found = [one for one in answer(page, "health", {})["findings"] if one["check"] == "incomplete"]
    assert [node["id"] for one in found for node in one["nodes"]] == [id]


def test_a_new_decision_has_the_status_that_was_chosen(page: PageProject) -> None:
    reply = answer(
        page, "create", {"title": "A queue", "content": TEXT, "type": "decision", "decision_status": "proposed"}
    )
    assert opened(page, reply["id"])["node"]["decision_status"] == "proposed"


def test_a_replacement_supersedes_as_it_is_created_and_both_are_undone_together(
    page: PageProject, decision: str
) -> None:
    reply = editing.create(page, "Store the orders", TEXT, "decision", supersedes=[decision])
    assert [link["id"] for link in opened(page, decision)["superseded_by"]] == [reply["id"]]
    editing.undo(page, reply["undo"])
    assert opened(page, decision)["superseded_by"] == []
    assert opened(page, decision)["node"]["status"] == "active"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (TEXT, "it was marked so"),
        (TEXT.replace("None.", ""), "its section Alternatives is empty"),
        (
            "## Context\n\nTBD\n\n## Alternatives\n\n## Decision\n\nA queue.\n",
            "it has no section Consequences; its sections Context and Alternatives are empty",
        ),
        ("## Decision\n\nA queue.\n", "it has no section Context and no Alternatives and no Consequences"),
    ],
)
def test_a_note_that_needs_review_says_why(page: PageProject, content: str, reason: str) -> None:
    id = capture.capture(page.graph, capture.Material("Count the orders", content, "decision")).node.id
    if content == TEXT:
        editing.update(page, id, status="needs_review")
    assert opened(page, id)["marked"] == reason
    editing.keep(page, id, "it is so")
    after = opened(page, id)
    assert after["marked"] == ""
    assert [(one["outcome"], one["reason"]) for one in after["reviews"]] == [("kept", "it is so")]
