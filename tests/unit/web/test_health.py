"""The findings on the page: in the order of what misleads, and without what was dismissed."""

from __future__ import annotations

from pathlib import Path

import pytest

from autology.core.nodes import capture, relate
from autology.model.errors import ValidationError
from autology.web.calls import answer
from autology.web.health import health
from autology.web.project import PageProject
from tests.unit.adoption_kit import adopted

BARE = "We use a queue."


@pytest.fixture
def page(tmp_path: Path) -> PageProject:
    """Three decisions without alternatives, one of which is linked."""
    made = PageProject(str(tmp_path))
    ids = [capture.capture(made.graph, capture.Material(f"Queue {name}", BARE, "decision")).node.id for name in "abc"]
    concept = capture.capture(made.graph, capture.Material("Order", "What a customer wants, until paid.", "concept"))
    relate.relate(made.graph, ids[2], concept.node.id, "affects")
    return made


def incomplete(page: PageProject) -> list[dict[str, str]]:
    return [
        finding
        for finding in health(page)["findings"]
        if (finding["check"], finding["severity"]) == ("incomplete", "warning")
    ]


def test_the_most_linked_note_comes_first_among_equal_findings(page: PageProject) -> None:
    assert len(incomplete(page)) == 3
    assert "Queue c" in incomplete(page)[0]["what"]


def test_a_dismissed_finding_stays_away_until_it_is_shown_again(page: PageProject) -> None:
    first = incomplete(page)[0]
    answer(page, "dismiss", {"name": first["dismissal"]})
    again = PageProject(page.root)  # the next start of the page
    assert len(incomplete(again)) == 2
    report = health(again)
    assert (report["dismissed"], report["dismissals"]) == (1, [first["dismissal"]])
    answer(page, "dismiss", {"name": first["dismissal"], "dismissed": False})
    assert len(incomplete(page)) == 3


def test_a_check_is_ignored_for_one_collection(page: PageProject) -> None:
    folder = incomplete(page)[0]["collection"]
    assert folder == ".autology/nodes/decisions"
    answer(page, "dismiss", {"name": f"incomplete:{folder}"})
    assert incomplete(page) == []
    assert health(page)["dismissed"] == 3


def test_dismissing_writes_nothing_into_the_project(page: PageProject) -> None:
    before = sorted(Path(page.root).rglob("*"))
    answer(page, "dismiss", {"name": "incomplete:docs"})
    assert sorted(Path(page.root).rglob("*")) == before
    with pytest.raises(ValidationError):
        answer(page, "dismiss", {"name": " "})


def test_notes_that_are_marked_for_review_are_listed_until_they_are_reviewed(page: PageProject) -> None:
    before = {one["id"] for one in health(page)["to_review"]}
    id = answer(page, "create", {"title": "Worker", "content": "Works through a queue.", "type": "component"})["id"]
    answer(page, "update", {"id": id, "status": "needs_review"})
    assert {one["id"] for one in health(page)["to_review"]} - before == {id}
    answer(page, "keep", {"id": id})
    assert {one["id"] for one in health(page)["to_review"]} == before


def test_a_check_that_was_switched_off_is_listed_also_while_it_hides_nothing(page: PageProject) -> None:
    answer(page, "dismiss", {"name": "stale:docs"})
    report = health(page)
    assert (report["dismissed"], report["dismissals"]) == (0, ["stale:docs"])


def test_a_collection_whose_sections_are_not_checked_is_listed_until_that_is_taken_back(tmp_path: Path) -> None:
    adopted(tmp_path, "nygard")
    page = PageProject(str(tmp_path))
    assert health(page)["unchecked"] == []
    reply = answer(page, "records", {"folder": "docs/adr", "sections": "none"})
    assert health(page)["unchecked"] == ["docs/adr"]
    assert answer(page, "records", {"folder": "docs/adr", "sections": reply["before"]})["before"] == "none"
    assert health(page)["unchecked"] == []


def test_two_notes_of_one_title_are_told_apart_in_a_finding(tmp_path: Path) -> None:
    page = PageProject(str(tmp_path))
    for text in ("Where the office is.", "Which fibre the shop has."):
        capture.capture(page.graph, capture.Material("Networking", text, "concept"))
    (finding,) = [one for one in health(page)["findings"] if one["check"] == "duplicates"]
    marks = {node["mark"] for node in finding["nodes"]}
    assert len(marks) == 2


def test_a_note_that_another_cites_is_linked(page: PageProject) -> None:
    def unlinked() -> set[str]:
        return {one["nodes"][0]["title"] for one in health(page)["findings"] if one["check"] == "orphans"}

    note = {"title": "Basket", "content": "What a customer has chosen so far, unpaid.", "type": "concept"}
    id = answer(page, "create", note)["id"]
    assert "Basket" in unlinked()
    answer(page, "create", {"title": "Checkout", "content": "It empties the [[Basket]] when paid.", "type": "concept"})
    assert not unlinked() & {"Basket", "Checkout"}
    answer(page, "update", {"id": id, "title": "Trolley"})
    assert unlinked() >= {"Trolley", "Checkout"}


def test_a_file_that_cannot_be_read_is_reported_once(page: PageProject) -> None:
    broken = Path(page.root, ".autology/nodes/concepts/broken.md")
    broken.write_text("---\ntitle: [\n---\n", encoding="utf-8")
    report = health(page)
    assert [finding["check"] for finding in report["findings"]].count("unreadable") == 1
    assert not [problem for problem in report["problems"] if "broken.md" in problem["problem"]]


def test_accepted_text_that_was_changed_by_hand_is_reviewed_on_the_page(page: PageProject) -> None:
    text = "## Context\n\nWhy.\n\n## Decision\n\nThis.\n\n## Alternatives\n\n- That.\n\n## Consequences\n\nWork.\n"
    material = capture.Material("Queue in memory", text, "decision", decision_status="accepted")
    id = capture.capture(page.graph, material).node.id
    (file,) = Path(page.root).rglob(f"{id}.md")
    file.write_text(file.read_text(encoding="utf-8").replace("This.", "Another."), encoding="utf-8")
    (finding,) = (one for one in health(page)["findings"] if one["check"] == "frozen")
    assert id.startswith(finding["node_to_review"])
    assert finding["node_to_review"]
    assert finding["needs_reason"]
    assert answer(page, "opened", {"id": id})["needs_reason"]
    answer(page, "keep", {"id": id, "reason": "agreed on since"})
    assert "frozen" not in {one["check"] for one in health(page)["findings"]}


def test_every_note_that_a_fix_names_has_its_title(page: PageProject) -> None:
    report = health(page)
    named = {
        str(action["arguments"][end])
        for finding in report["findings"]
        for action in finding["actions"]
        for end in ("id", "source", "target")
        if end in action["arguments"]
    }
    assert named
    assert named == set(report["titles"])
    assert all(title.startswith(("Queue", "Order")) for title in report["titles"].values())
