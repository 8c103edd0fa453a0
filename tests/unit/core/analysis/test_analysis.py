"""What is wrong with what is known: every finding is real, rests on something, and names the call that mends it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from autology.core.analysis.analyze import CHECKS
from tests.unit.cli_kit import autology, git, repository, run_json

WHOLE = "## Context\nc\n## Decision\nd\n## Alternatives\na\n## Consequences\nq\n"
Make = Callable[..., str]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository with code in it that is older than every note."""
    root = tmp_path / "project"
    for path in ("src/auth/token.py", *(f"src/billing/part{number}.py" for number in range(6))):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("pass\n", encoding="utf-8")
    (root / ".autology").mkdir()
    return repository(root)


@pytest.fixture
def make(project: Path, capsys: pytest.CaptureFixture[str]) -> Make:
    """Captures a node and returns its id."""

    def made(title: str, content: str = "", kind: str = "concept", **options: str) -> str:
        text = content or f"{title} is told of here in words enough to be of use."
        flags = [word for name, value in options.items() for word in (f"--{name}", *value.split())]
        done = run_json(capsys, "capture", "--title", title, "--content", text, "--type", kind, *flags, project=project)
        return str(done["id"])

    return made


@pytest.fixture
def find(project: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., list[dict[str, Any]]]:
    def all_findings(*focus: str) -> list[dict[str, Any]]:
        findings: list[dict[str, Any]] = run_json(capsys, "analyze", *focus, project=project)["findings"]
        assert all(finding["evidence"] for finding in findings)
        return findings

    return all_findings


Find = Callable[..., list[dict[str, Any]]]


def titles(findings: list[dict[str, Any]]) -> list[list[str]]:
    return [[node["title"] for node in each["nodes"]] for each in findings]


def test_every_finding_says_what_why_on_what_it_rests_and_how_to_mend_it(make: Make, find: Find) -> None:
    make("Alone", references="src/gone.py")
    for each in find():
        assert each.keys() >= {"check", "severity", "what", "why", "evidence", "nodes", "fix"}
        assert each["check"] in CHECKS
        assert each["what"]
        assert each["why"].endswith(".")
        name, _, arguments = each["fix"].partition(" ")
        assert name.startswith("autology_")
        assert json.loads(arguments)


def test_a_decision_without_a_section_is_incomplete_until_it_has_it(make: Make, find: Find, project: Path) -> None:
    id = make("Use queues", "## Context\nc\n## Decision\nd\n", "decision")
    (hits,) = find("incomplete")
    assert (hits["severity"], hits["evidence"]) == ("warning", ["missing: Alternatives, Consequences"])
    assert f'"id": "{id}"' in hits["fix"]
    assert autology("update", id, "--content", WHOLE + "and more words", project=project) == 0
    assert find("incomplete") == []


def test_a_relation_that_leads_nowhere_is_an_error_at_its_line(make: Make, find: Find, project: Path) -> None:
    one, other = make("One"), make("Other")
    assert autology("relate", one, "uses", other, project=project) == 0
    (path,) = (project / ".autology" / "nodes").rglob(f"{other}.md")
    path.unlink()
    (hits,) = find("dangling")
    assert (hits["severity"], titles([hits])) == ("error", [["One"]])
    (text,) = (project / ".autology" / "nodes").rglob(f"{one}.md")
    line = text.read_text(encoding="utf-8").splitlines()[hits["nodes"][0]["line"] - 1]
    assert other in line


def test_supersessions_must_end_somewhere_and_not_where_they_began(make: Make, find: Find, project: Path) -> None:
    old, new = make("Old way"), make("New way")
    assert autology("update", old, "--status", "superseded", project=project) == 0
    assert [each["what"] for each in find("chains")] == ["Superseded, but nothing replaces it: Old way"]
    assert autology("relate", new, "supersedes", old, project=project) == 0
    assert find("chains") == []
    (path,) = (project / ".autology" / "nodes").rglob(f"{old}.md")
    text = path.read_text(encoding="utf-8").replace("status: superseded", "status: active")
    path.write_text(text, encoding="utf-8")
    assert [each["what"] for each in find("chains")] == ["Superseded by 'New way', but still active: Old way"]
    back = f"relations:\n  - type: supersedes\n    target: {new}\n    confidence: 0.9\n"
    path.write_text(text.replace("status: active\n", f"status: superseded\n{back}"), encoding="utf-8")
    assert next(each["severity"] for each in find("chains")) == "error"
    assert "in a cycle" in find("chains")[0]["what"]


def test_files_that_are_gone_or_newer_make_a_node_stale(make: Make, find: Find, project: Path) -> None:
    make("Tokens", references="src/auth/token.py src/auth/lost.py")
    (gone,) = find("stale")
    assert (gone["severity"], gone["evidence"]) == ("warning", ["gone: src/auth/lost.py"])
    assert '"references": ["src/auth/token.py"]' in gone["fix"]
    (project / "src/auth/lost.py").write_text("back\n", encoding="utf-8")
    assert find("stale") == []
    (project / "src/auth/token.py").write_text("changed\n", encoding="utf-8")
    git(project, "commit", "-qam", "change", at="2035-01-01T00:00:00Z")
    (newer,) = find("stale")
    assert (newer["severity"], newer["nodes"][0]["title"]) == ("warning", "Tokens")
    assert "was rewritten" in newer["evidence"][0]
    assert "2035-01-01" in newer["evidence"][0]


def test_two_nodes_that_say_the_same_are_duplicates_and_the_older_one_stays(make: Make, find: Find) -> None:
    text = (
        "Every request that fails is sent again after a pause that doubles, at most five times, and then given up. "
        "The caller learns of it through an error that names the last answer and how long the attempts took."
    )
    first = make("Retry with growing pauses", text)
    second = make("How requests are repeated", text.replace("Every", "Each"))
    make("Something else", text.replace("request", "letter").replace("pause", "week").replace("sent", "posted"))
    (hits,) = find("duplicates")
    assert {node["id"] for node in hits["nodes"]} == {second, first}
    assert hits["fix"].startswith(f'autology_delete {{"id": "{hits["nodes"][0]["id"]}"}}')
    make("retry  WITH growing pauses", "The same title with another text, which is long enough for that.")
    assert len(find("duplicates")) == 2


def test_several_nodes_of_one_title_are_one_finding(make: Make, find: Find) -> None:
    texts = ("How fields are read.", "Calls.", "What a destructor frees.")
    made = [make("Standard object model", text) for text in texts]
    (hits,) = find("duplicates")
    assert hits["what"] == "3 nodes have the same title: Standard object model"
    assert {node["id"] for node in hits["nodes"]} == set(made)
    assert len(set(hits["evidence"])) == 3
    assert '"title": "…"' in hits["fix"]


def test_orphans_are_offered_what_is_near(make: Make, find: Find, project: Path) -> None:
    one = make("One", tags="storage")
    two = make("Two", tags="storage")
    assert autology("unrelate", two, "relates_to", one, project=project) == 0
    assert sorted(titles(find("orphans"))) == [["One"], ["Two"]]
    assert all(one in each["fix"] and two in each["fix"] for each in find("orphans"))
    assert autology("relate", one, "uses", two, project=project) == 0
    assert find("orphans") == []


def test_tags_in_two_spellings_are_one(make: Make, find: Find) -> None:
    make("One", tags="unit-test")
    make("Two", tags="unit-test")
    make("Three", tags="unit-tests policy")
    make("Four", tags="policies")
    hits = sorted(each["what"].removeprefix("Two spellings of one tag: ") for each in find("tags"))
    assert hits == ["'policy' and 'policies'", "'unit-tests' and 'unit-test'"]


def test_folders_without_notes_are_reported_as_gaps(make: Make, find: Find, project: Path) -> None:
    for number in range(6):
        for name in (f"static/fonts/inter{number}.woff2", f"static/icons/icon{number}.PNG"):
            (project / name).parent.mkdir(parents=True, exist_ok=True)
            (project / name).write_bytes(b"\0")
    git(project, "add", "-A")
    assert [each["what"] for each in find("coverage")] == ["No node refers to src/billing"]
    make("Billing", references="src/billing/part1.py")
    assert find("coverage") == []


def test_gaps_are_listed_unasked_only_where_notes_are_about_code(make: Make, find: Find, project: Path) -> None:
    adopted = project / "docs/adr/0001-keep-orders-in-postgresql.md"
    adopted.parent.mkdir(parents=True)
    adopted.write_text("# Keep orders in PostgreSQL\n\n## Decision\n\nOne database.\n", encoding="utf-8")
    git(project, "add", "-A")
    make("Opening hours", "We open at nine.")

    def gaps() -> list[str]:
        return [each["what"] for each in find() if each["check"] == "coverage"]

    assert gaps() == []
    assert [each["what"] for each in find("coverage")] == ["No node refers to src/billing"]
    make("Tokens", references="src/auth/token.py")
    assert gaps() == ["No node refers to src/billing"]


@pytest.mark.parametrize(
    "text",
    [
        "Invoices are made in src/billing and sent from there.",
        "The billing package makes them, and nothing else does.",
        "`OverdueInvoices` lists them once a night, after the rates came.",
    ],
)
def test_a_folder_that_a_text_names_is_no_gap(text: str, make: Make, find: Find, project: Path) -> None:
    (project / "src/billing/overdue_invoices.py").write_text("pass\n", encoding="utf-8")
    git(project, "add", "-A")
    assert len(find("coverage")) == 1
    make("How customers pay", text)
    assert find("coverage") == []


def test_a_folder_of_a_module_with_a_readme_is_no_gap(find: Find, project: Path) -> None:
    inside = project / "libs/tariffs/src/main"
    inside.mkdir(parents=True)
    for number in range(9):
        (inside / f"part{number}.py").write_text("pass\n", encoding="utf-8")
    git(project, "add", "-A")
    assert len(find("coverage")) == 2
    (project / "libs/tariffs/README.md").write_text("# Tariffs\n\nWhat a customer pays.\n", encoding="utf-8")
    git(project, "add", "-A")
    assert [each["what"] for each in find("coverage")] == ["No node refers to src/billing"]


@pytest.mark.parametrize("folder", ["tests/billing", "samples/shop", "proto/v1", "docs/static", "src/dto"])
def test_tests_samples_and_generated_code_are_no_gaps(folder: str, find: Find, project: Path) -> None:
    (project / folder).mkdir(parents=True)
    for number in range(9):
        (project / folder / f"part{number}.py").write_text("pass\n", encoding="utf-8")
    git(project, "add", "-A")
    assert [each["what"] for each in find("coverage")] == ["No node refers to src/billing"]


def test_a_focus_is_a_check_a_type_a_node_or_a_file_and_nothing_else(
    make: Make, find: Find, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    id = make("Tokens", references="src/auth/lost.py")
    make("Half decided", "## Decision\nd\n", "decision")
    assert {each["check"] for each in find("decision")} == {"incomplete", "orphans"}
    assert titles(find(id[:8])) == titles(find("src/auth")) == [["Tokens"], ["Tokens"]]
    assert autology("analyze", "poetry", project=project) == 1
    assert "Use one of: unreadable, dangling" in capsys.readouterr().err


def test_a_file_that_is_no_node_is_an_error(make: Make, find: Find, project: Path) -> None:
    id = make("Fine")
    (path,) = (project / ".autology" / "nodes").rglob(f"{id}.md")
    path.write_text("no frontmatter at all", encoding="utf-8")
    (hits,) = find("unreadable")
    assert hits["severity"] == "error"
    assert hits["nodes"][0]["path"] == str(path.relative_to(project)).replace(os.sep, "/")


def test_lint_prints_one_line_per_finding_and_fails_at_the_chosen_severity(
    make: Make, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert autology("lint", "chains", project=project) == 0
    make("Use, and: queues", "## Context\nc\n## Decision\nd\n", "decision")
    capsys.readouterr()
    assert autology("lint", "incomplete", project=project) == 1
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith(".autology/nodes/decisions/")
    assert line.endswith(".md:1: warning: No section Alternatives and no Consequences: Use, and: queues [incomplete]")
    assert autology("lint", "incomplete", "--fail-on", "error", project=project) == 0
    assert autology("lint", "incomplete", "--fail-on", "never", project=project) == 0
    assert autology("lint", "coverage", project=project) == 0
    assert autology("lint", "coverage", "--fail-on", "notice", project=project) == 1


def test_annotations_cannot_be_broken_by_what_a_node_says(
    make: Make, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make("100% sure,::error::pwned", "## Decision\nd\n", "decision")
    capsys.readouterr()
    assert autology("lint", "incomplete", "--format", "github", project=project) == 1
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("::warning file=.autology/nodes/decisions/")
    assert "title=autology%3A incomplete::No section" in line
    assert "100%25 sure" in line


def test_ten_thousand_supersessions_in_a_row_are_followed() -> None:
    from autology.core.analysis.relations import _loops

    chain = {f"{number:05}": [f"{number + 1:05}"] for number in range(10_000)}
    assert _loops(chain) == []
    assert _loops({**chain, "10000": ["09999"], "a": ["a"]}) == [("09999", "10000"), ("a",)]


def test_the_analysis_describes_the_shape_of_the_graph(
    make: Make, find: Find, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def star(name: str, kind: str) -> tuple[str, list[str]]:
        centre = make(f"{name} centre", kind=kind)
        around = [make(f"{name} leaf {number}", kind="issue") for number in range(8)]
        for each in around:
            run_json(capsys, "relate", each, centre, "affects", project=project)
        return centre, around

    one, _ = star("Payment", "concept")
    other, _ = star("Storage", "pattern")
    run_json(capsys, "relate", one, other, "relates_to", project=project)
    assert {each[0] for each in titles(find("hubs"))} == {"Payment centre", "Storage centre"}
    assert [sorted(pair) for pair in titles(find("bridges"))] == [["Payment centre", "Storage centre"]]
    (unnamed,) = find("communities")
    assert unnamed["nodes"][0]["title"] == "Storage centre"
    assert all(each["severity"] == "notice" for each in find("hubs"))


def test_without_a_project_lint_and_analyze_fail(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("lint", "analyze"):
        assert autology(command, project=tmp_path) == 1
        assert "has no .autology folder. Run `autology init` there" in capsys.readouterr().err
