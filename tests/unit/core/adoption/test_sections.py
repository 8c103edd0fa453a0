"""A collection that has no such section is asked for it no more, in one step."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from autology import settings
from autology.cli import main
from autology.core.analysis.analyze import analyze
from autology.core.analysis.finding import Finding
from autology.model.errors import StorageError, ValidationError
from autology.model.next_step import Action
from autology.render.next_steps import command
from autology.vcs.git import Git
from autology.web import calls
from autology.web.project import PageProject
from autology.wire.project import Project
from tests.unit.adoption_kit import nygard, opened, texts, write
from tests.unit.cli_kit import git


def incomplete(root: Path) -> list[Finding]:
    graph = opened(root)
    found = analyze(graph, Git(str(root)), "incomplete").findings
    lacking = ("which most there have", "sections that most in")
    return [finding for finding in found if any(words in finding.what for words in lacking)]


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project, one of whose records lacks a section that the others have, and which has a second collection."""
    write(tmp_path, "nygard", "lines")
    (tmp_path / "docs/adr/0006-name-queues-by-team.md").write_text(
        nygard(6, "Name queues by team", "Accepted"), "utf-8"
    )
    opened(tmp_path, ["adr", "docs/adr"])
    file = tmp_path / "docs/adr/0004-sign-releases.md"
    text = file.read_text(encoding="utf-8").replace("## Consequences\n\nSome of them.\n", "")
    file.write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_step_that_a_finding_offers_ends_it(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (finding,) = incomplete(root)
    (step,) = finding.fix.steps
    assert step.action is Action.RECORDS
    before = texts(root)
    assert main(shlex.split(command(step))[1:]) == 0
    assert "need no particular sections" in capsys.readouterr().out
    assert incomplete(root) == []
    assert texts(root) == before
    graph = opened(root)
    assert graph.records is not None
    assert len(graph.records.snapshot.records) == 11  # both collections are still adopted


def test_other_words_of_the_configuration_stay(root: Path) -> None:
    config = root / ".autology/config.yaml"
    text = "# ours\nrecords:\n  docs/adr:\n    states: {provisional: accepted}\n  adr: {}\nhooks: quiet\n"
    config.write_text(text, encoding="utf-8")
    assert Project(str(root)).expect_sections("docs/adr", ["Context", "Decision"])
    assert not Project(str(root)).expect_sections("./docs/adr/", ["Context", "Decision"])
    now = config.read_text(encoding="utf-8")
    assert "# ours" in now
    assert "hooks: quiet" in now
    value = settings.project_value(str(root), "records")
    assert value == {
        "docs/adr": {"states": {"provisional": "accepted"}, "sections": ["Context", "Decision"]},
        "adr": {},
    }
    assert incomplete(root) == []


def test_sections_that_were_not_set_cannot_be_unset(root: Path) -> None:
    before = (root / ".autology/config.yaml").read_text(encoding="utf-8")
    assert not Project(str(root)).expect_sections("docs/adr", None)
    assert (root / ".autology/config.yaml").read_text(encoding="utf-8") == before
    assert Project(str(root)).expect_sections("docs/adr", [])
    assert Project(str(root)).expect_sections("docs/adr", None)
    assert "sections" not in (root / ".autology/config.yaml").read_text(encoding="utf-8")


def test_a_file_that_cannot_be_changed_back_is_named_with_what_to_remove(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert settings.expect_sections(str(root), "docs/adr", [])
    monkeypatch.setattr(settings, "_replace", _refuse)
    with pytest.raises(StorageError, match="Remove from it by hand, below records and docs/adr: sections"):
        settings.expect_sections(str(root), "docs/adr", None)


def _refuse(*_: object) -> None:
    raise OSError("read-only")


def test_sections_can_be_asked_for(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["records", "docs/adr", "--sections", "Context, Costs", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer == {"folder": "docs/adr", "sections": ["Context", "Costs"], "changed": True}
    (finding,) = incomplete(root)
    assert "4 accepted records in docs/adr have no “Costs” section" in finding.what
    file = root / "docs/adr/0004-sign-releases.md"
    file.write_text(f"{file.read_text(encoding='utf-8')}\nIt costs little.\n", encoding="utf-8")
    (finding,) = incomplete(root)  # what is asked for is a section, and not a word
    assert "4 accepted records" in finding.what


def test_a_folder_without_a_collection_is_refused_with_those_there_are(root: Path) -> None:
    with pytest.raises(ValidationError, match="Name one of: adr, docs/adr"):
        Project(str(root)).expect_sections("docs", [])
    with pytest.raises(ValidationError, match="holds no adopted collection"):
        calls.answer(PageProject(str(root)), "records", {"folder": "nowhere", "sections": "none"})


def test_the_page_offers_the_step_as_a_button_and_takes_it(root: Path) -> None:
    page = PageProject(str(root))
    found = calls.answer(page, "health", {})["findings"]
    (action,) = [action for finding in found for action in finding["actions"] if action["call"] == "records"]
    assert action["arguments"] == {"folder": "docs/adr", "sections": "none"}
    assert calls.answer(page, action["call"], action["arguments"])["changed"]
    again = calls.answer(page, "health", {})["findings"]  # the same process sees it
    assert not [action for finding in again for action in finding["actions"] if action["call"] == "records"]
    assert incomplete(root) == []


@pytest.mark.parametrize("heading", ["Consequence", "Decision/Consequences", "Consequences:"])
def test_a_section_with_nearly_the_same_title_is_not_missing(root: Path, heading: str) -> None:
    file = root / "docs/adr/0004-sign-releases.md"
    file.write_text(f"{file.read_text(encoding='utf-8')}\n## {heading}\n\nSome of them.\n", encoding="utf-8")
    assert incomplete(root) == []


@pytest.mark.parametrize("label", ["Consequences", "**Consequences:**", "**Konsequenzen:** Keine anderen."])
def test_a_section_that_a_line_names_without_being_a_heading_is_not_missing(root: Path, label: str) -> None:
    file = root / "docs/adr/0004-sign-releases.md"
    file.write_text(f"{file.read_text(encoding='utf-8')}\n{label}\n\nSome of them.\n", encoding="utf-8")
    assert incomplete(root) == []


def test_the_folder_of_a_records_attachments_needs_no_note(root: Path) -> None:
    def folders() -> list[str]:
        findings = analyze(opened(root), Git(str(root)), "coverage").findings
        return [finding.what for finding in findings]

    for folder in ("docs/adr/0002", "billing"):
        (root / folder).mkdir()
        for number in range(6):
            (root / folder / f"table{number}.py").write_text("pass\n", encoding="utf-8")
    git(root, "init", "-q")
    git(root, "add", "-A")
    assert folders() == ["No node refers to billing"]


def test_what_two_of_three_records_have_is_no_custom_of_their_collection(root: Path) -> None:
    assert len(incomplete(root)) == 1
    (root / "docs/adr/0006-name-queues-by-team.md").unlink()
    assert incomplete(root) == []


@pytest.mark.parametrize(
    ("sentence", "is_missing"),
    [
        ("We do it at night.", True),
        ("As a consequence, nobody waits.", False),
        ("The `consequences` of a call are logged.", False),
    ],
)
def test_a_section_whose_matter_the_text_speaks_of_is_not_missing(root: Path, sentence: str, is_missing: bool) -> None:
    file = root / "docs/adr/0004-sign-releases.md"
    file.write_text(f"{file.read_text(encoding='utf-8')}\n{sentence}\n", encoding="utf-8")
    assert bool(incomplete(root)) is is_missing


def test_a_finding_about_a_collection_says_of_which_records_and_what_it_leaves_out(root: Path) -> None:
    (finding,) = incomplete(root)
    assert finding.what == "1 accepted record in docs/adr has no “Consequences” section, which most there have"
    assert Project(str(root)).expect_sections("docs/adr", ["Costs", "Roles", "Owners", "Tests", "Tools"])
    for number in range(7, 10):
        text = nygard(number, f"Name queue {number}", "Accepted")
        (root / f"docs/adr/000{number}-name-queue-{number}.md").write_text(text, encoding="utf-8")
    (finding,) = incomplete(root)
    assert finding.what == (
        "7 accepted records lack sections that most in docs/adr have: Costs (in 7), Roles (in 7), Owners (in 7), Tests"
        " (in 7) and 1 more"
    )
    assert len(finding.evidence) == 6
    assert finding.evidence[-1] == "… and 2 more"
