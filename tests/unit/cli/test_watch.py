"""What drifted waits for a review wherever it is read, and no file is written for it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from autology import wire
from autology.wire.project import Project
from tests.unit.cli_kit import autology, git, repository, run_json

WRITTEN, LATER = "2022-06-01T00:00:00Z", "2023-01-01T00:00:00Z"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "src").mkdir(parents=True)
    (root / "src" / "a.py").write_text("def a():\n    return 1\n", encoding="utf-8")
    (root / ".autology").mkdir()
    return repository(root)


@pytest.fixture
def note(project: Path, capsys: pytest.CaptureFixture[str]) -> str:
    requests = ("capture", "--title", "How numbers are made", "--content", "See `a()`, which gives one, always.")
    made = run_json(capsys, *requests, "--type", "concept", "--references", "src/a.py", project=project)
    run_json(
        capsys,
        "capture",
        "--title",
        "Numbers at large",
        "--content",
        "They are many.",
        "--type",
        "concept",
        project=project,
    )
    for path in files(project):  # they were written before what follows
        text = path.read_text(encoding="utf-8")
        path.write_text(re.sub(r"(created|modified): .*", rf"\1: {WRITTEN}", text), encoding="utf-8", newline="\n")
    return str(made["id"])


def rewrite(project: Path, body: str = "return 2", message: str = "Give two", at: str = LATER) -> str:
    (project / "src" / "a.py").write_text(f"def a():\n    {body}\n", encoding="utf-8")
    git(project, "commit", "-qam", message, at=at)
    return Project(str(project)).history.head() or ""


def files(project: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in sorted(project.glob(".autology/nodes/*/*.md"))}


def search_json(capsys: pytest.CaptureFixture[str], project: Path, *words: str) -> dict[str, Any]:
    results = run_json(capsys, "query", *words, project=project)["results"]
    return {each["node"]["title"]: each["node"] for each in results}


def test_every_answer_tells_of_it_with_the_commit_and_writes_nothing(
    project: Path, note: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = files(project)
    assert search_json(capsys, project, "numbers")["How numbers are made"]["status"] == "active"
    commit = rewrite(project)
    by_words = search_json(capsys, project, "numbers")
    assert by_words["Numbers at large"]["status"] == "active"
    (near,) = [
        node
        for group in ("high", "medium", "low")
        for node in run_json(capsys, "context", "src/a.py", project=project)[group]
    ]
    shown = run_json(capsys, "show", note[:8], project=project)["node"]
    for node in (by_words["How numbers are made"], near, shown):
        assert node["status"] == "needs_review"
        assert node["drifted"] == [f"`a` of src/a.py was rewritten: {commit[:7]} 2023-01-01 Give two"]
        assert f"autology review {note[:8]} --keep" in node["settle"]
    counted = run_json(capsys, "status", project=project)
    assert (counted["drifted"], counted["nodes_by_status"]) == (1, {"active": 1, "needs_review": 1, "superseded": 0})
    for words in (("query", "numbers"), ("show", note), ("context", "src/a.py"), ("status",)):
        autology(*words, project=project)
        assert "Give two" in (output := capsys.readouterr().out) or "1 note may be outdated" in output
    assert files(project) == before


def test_status_filters_treat_drifted_notes_as_needing_review(
    project: Path, note: str, capsys: pytest.CaptureFixture[str]
) -> None:
    rewrite(project)
    assert set(search_json(capsys, project, "--status", "needs_review")) == {"How numbers are made"}
    assert set(search_json(capsys, project, "--status", "active")) == {"Numbers at large"}
    assert set(search_json(capsys, project, "numbers", "--status", "needs_review")) == {"How numbers are made"}
    assert set(search_json(capsys, project, note, "--status", "active")) == set()


def test_deleted_notes_are_no_longer_reported_as_drifted(
    project: Path, note: str, capsys: pytest.CaptureFixture[str]
) -> None:
    rewrite(project)
    run_json(capsys, "status", project=project)
    assert list(looked(project)) == [note]
    run_json(capsys, "delete", note, "--yes", project=project)
    assert looked(project) == {}
    assert run_json(capsys, "status", project=project)["drifted"] == 0


@pytest.mark.parametrize("settled_by", ["review", "update", "revert"])
def test_a_review_an_update_and_taking_the_change_back_settle_it(
    settled_by: str, project: Path, note: str, capsys: pytest.CaptureFixture[str]
) -> None:
    rewrite(project)
    assert search_json(capsys, project, "numbers")["How numbers are made"]["status"] == "needs_review"
    assert list(looked(project)) == [note]
    if settled_by == "review":
        run_json(capsys, "review", note[:8], "--keep", project=project)
    elif settled_by == "update":
        run_json(capsys, "update", note[:8], "--content", "See `a()`, which gives two now.", project=project)
    else:
        rewrite(project, "return 1", "Give one again", "2023-01-02T00:00:00Z")
    node = search_json(capsys, project, "numbers")["How numbers are made"]
    assert node["status"] == "active"
    assert "drifted" not in node
    assert looked(project) == {}


def looked(project: Path) -> dict[str, str]:
    """Return what hooks are told of."""
    look = wire.glance(str(project))
    assert look is not None
    with look:
        return look.drifted()


def test_drift_is_the_same_in_a_clone_whether_all_or_one_note_is_checked(
    project: Path, note: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    git(project, "add", "-A")
    git(project, "commit", "-qm", "Notes", at="2022-07-01T00:00:00Z")
    rewrite(project)
    run_json(capsys, "status", project=project)
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", str(project), str(clone))
    run_json(capsys, "show", note, project=clone)
    assert looked(clone) == looked(project) != {}


def test_damaged_remarks_and_a_project_without_git_cost_nothing(
    project: Path, note: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rewrite(project)
    index = Project(str(project)).graph.index
    for damaged in ("[]", "{", '{"head": 1}', json.dumps({"head": "x", "nodes": {note: 3}})):
        index.set_metadata("drifted", damaged)
        assert looked(project) == {}
        assert search_json(capsys, project, "numbers")["How numbers are made"]["status"] == "needs_review"
    bare = tmp_path / "bare"
    (bare / ".autology").mkdir(parents=True)
    run_json(
        capsys,
        "capture",
        "--title",
        "Alone",
        "--content",
        "See `x`.",
        "--type",
        "concept",
        "--references",
        "x.py",
        project=bare,
    )
    assert search_json(capsys, bare, "alone")["Alone"]["status"] == "active"


def test_an_edit_a_capture_and_their_commit_are_no_drift_here_and_in_a_clone(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "src" / "a.py").write_text("def a():\n    return 2\n", encoding="utf-8")
    requests = ("capture", "--title", "Two", "--content", "See `a()`, which gives two.", "--type", "concept")
    made = run_json(capsys, *requests, "--references", "src/a.py", project=project)
    git(project, "add", "-A")
    git(project, "commit", "-qm", "Give two")
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", str(project), str(clone))
    for each in (project, clone):
        assert run_json(capsys, "status", project=each)["drifted"] == 0
    rewrite(clone, "return 3", "Give three", "2040-01-01T00:00:00Z")
    assert "Give three" in str(run_json(capsys, "show", str(made["id"]), project=clone)["node"]["drifted"])
