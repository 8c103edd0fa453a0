"""A captured decision becomes the next record of a collection, if the project says so, and nothing else changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from autology.cli import main
from autology.core.nodes.capture import Captured, Material, RequestedRelation, capture
from autology.model.errors import ValidationError
from autology.model.node import DecisionStatus, NodeStatus
from autology.wire.project import Project
from tests.unit.adoption_kit import FORMS, adopted, folder_of, node_at, opened, texts

CONTENT = "## Context\n\nLocks: they wait.\n\n## Decision\n\nOne queue.\n\n## Alternatives\n\nNone.\n"
TITLE = "Use a queue: one a shop"
NEXT = {
    "nygard": "docs/adr/0006-use-a-queue-one-a-shop.md",
    "madr": "docs/decisions/0006-use-a-queue-one-a-shop.md",
    "lines": "adr/ADR-0006-use-a-queue-one-a-shop.md",
    "pep": "peps/pep-0006.rst",
    "asciidoc": "doc/adr/0006-use-a-queue-one-a-shop.adoc",
    "table": "rfcs/0006-use-a-queue-one-a-shop.md",
    "kep": "keps/0006-use-a-queue-one-a-shop/README.md",
}


def captured(root: Path, form: str, **more: object) -> Captured:
    graph = opened(root)
    material = Material(TITLE, CONTENT, type="decision", **more)  # type: ignore[arg-type]
    return capture(graph, material, into=folder_of(form))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("status", ["accepted", "proposed"])
def test_it_has_the_form_and_the_next_number_of_its_neighbours(tmp_path: Path, form: str, status: str) -> None:
    adopted(tmp_path, form)
    before = texts(tmp_path)
    answer = captured(tmp_path, form, decision_status=status, tags=("queues",))
    assert answer.notes == ()
    assert answer.node.record == NEXT[form]
    after = texts(tmp_path)
    assert {path: after[path] for path in before} == before
    new = after.keys() - before.keys()
    assert new == {NEXT[form]} | ({NEXT[form].replace("README.md", "kep.yaml")} if form == "kep" else set())
    node = node_at(opened(tmp_path), NEXT[form])
    assert (node.id, node.title, node.tags) == (answer.node.id, TITLE, ("queues",))
    assert node.decision_status is DecisionStatus(status)
    assert node.extra["record_number"] == "6"
    assert node.created.startswith(opened(tmp_path).stamp()[:10]) or form == "table"
    assert "Locks: they wait." in node.content
    assert node.status is NodeStatus.ACTIVE
    text = after[NEXT[form]].decode()
    assert "Log as JSON" not in text
    assert "Sign releases" not in text
    assert ("\r\n" in text) == (form == "lines")


def test_authors_and_links_of_a_neighbour_are_not_taken_over(tmp_path: Path) -> None:
    adopted(tmp_path, "table")
    captured(tmp_path, "table")
    text = (tmp_path / NEXT["table"]).read_text(encoding="utf-8")
    assert "Ada" not in text
    assert "| Field | Value |\n|:--|:--|\n| **Status** | Accepted |" in text


def test_sections_get_the_titles_of_the_collection_and_missing_ones_are_named(tmp_path: Path) -> None:
    adopted(tmp_path, "madr", "nygard")
    captured(tmp_path, "madr")
    text = (tmp_path / NEXT["madr"]).read_text(encoding="utf-8")
    assert "## Context and Problem Statement\n\nLocks: they wait.\n\n## Decision Outcome\n\nOne queue." in text
    assert "## Considered Options\n\nNone." in text
    captured(tmp_path, "nygard")
    assert (tmp_path / NEXT["nygard"]).read_text(encoding="utf-8").endswith("\n## Consequences\n")


def test_the_one_after_it_has_the_number_after_it(tmp_path: Path) -> None:
    adopted(tmp_path, "nygard")
    captured(tmp_path, "nygard")
    second = capture(opened(tmp_path), Material("Drop it", CONTENT, type="decision"), into="docs/adr")
    assert second.node.record == "docs/adr/0007-drop-it.md"


def test_what_it_relates_to_and_replaces_is_written_where_it_belongs(tmp_path: Path) -> None:
    graph = adopted(tmp_path, "nygard")
    one = node_at(graph, "docs/adr/0001-keep-orders-in-postgresql.md")
    two = node_at(graph, "docs/adr/0002-send-mail-through-a-queue.md")
    answer = captured(tmp_path, "nygard", supersedes=(one.id,), relations=(RequestedRelation("relates_to", two.id),))
    graph = opened(tmp_path)
    old, new = node_at(graph, one.record), node_at(graph, answer.node.record)
    assert (old.decision_status, old.status) == (DecisionStatus.SUPERSEDED, NodeStatus.SUPERSEDED)
    assert {relation.key for relation in new.relations} == {("supersedes", one.id), ("relates_to", two.id)}
    text = (tmp_path / one.record).read_text(encoding="utf-8")
    assert "Superseded by [6. Use a queue: one a shop](0006-use-a-queue-one-a-shop.md)" in text


def test_other_notes_and_other_projects_stay_in_our_folder(tmp_path: Path) -> None:
    adopted(tmp_path, "nygard")
    note = capture(opened(tmp_path), Material("Names", "Use nouns.", type="convention"), into="docs/adr")
    assert note.node.path.startswith(".autology/nodes/conventions/")
    with pytest.raises(ValidationError, match="Name one of: docs/adr"):
        capture(opened(tmp_path), Material(TITLE, CONTENT, type="decision"), into="docs/other")


def test_where_no_record_can_be_written_the_decision_is_captured_and_says_why(tmp_path: Path) -> None:
    graph = adopted(tmp_path, "nygard")
    (tmp_path / "docs/adr/0006-use-a-queue-one-a-shop.md").mkdir()
    before = texts(tmp_path)
    answer = capture(graph, Material(TITLE, CONTENT, type="decision"), into="docs/adr")
    assert answer.node.path.startswith(".autology/nodes/decisions/")
    assert any("exists already" in note for note in answer.notes)
    assert texts(tmp_path) == before


def test_a_setting_of_the_project_says_where(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    adopted(tmp_path, "asciidoc")
    config = tmp_path / ".autology/config.yaml"
    config.write_text(config.read_text(encoding="utf-8") + "capture_to: doc/adr\n", encoding="utf-8")
    assert Project(str(tmp_path)).settings.capture_to == "doc/adr"
    monkeypatch.chdir(tmp_path)
    assert main(["capture", "--title", TITLE, "--type", "decision", "--content", CONTENT]) == 0
    assert (tmp_path / NEXT["asciidoc"]).read_text(encoding="utf-8").startswith(f"= 6. {TITLE}\n\nDate: 20")
