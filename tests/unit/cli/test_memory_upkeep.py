"""Memories in the commands that are about everything: show, restore, sync, status, doctor."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from autology.core.memory.store import store
from autology.wire.project import Project
from tests.unit.cli_kit import autology, run_json

SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    made = tmp_path / "project"
    (made / ".autology").mkdir(parents=True)
    items = [
        {"kind": "runbook", "content": "# Failover\n\nPromote the replica.", "id": "failover-1", "tags": ["db"]},
        {"kind": "risk", "content": "The only writer may leave.", "id": "writer-risk", "scope": {"org": "acme"}},
        {"kind": "todo", "content": "Order paper.", "id": "paper-todo"},
    ]
    memories = Project(str(made)).memories
    assert store(memories, items).count("stored") == 3
    assert store(memories, [{"id": "paper-todo", "delete": True}]).count("deleted") == 1
    return made


def test_show_prints_a_memory_wherever_it_is_kept(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert autology("show", "failover-1", project=project) == 0
    shown = capsys.readouterr().out
    assert "runbook" in shown
    assert "Promote the replica." in shown
    assert autology("show", "writer-r", "--raw", project=project) == 0
    assert capsys.readouterr().out.startswith("---\nid: writer-risk\nkind: risk\n")
    result = run_json(capsys, "show", "writer-risk", project=project)["memory"]
    assert (result["content"], result["scope"]) == ("The only writer may leave.", {"org": "acme"})
    assert result["path"] == "user:.autology/memory/risk/writer-risk.md"
    assert autology("show", "nothing-of-it", project=project) == 1


def test_restore_lists_and_brings_back_deleted_memories(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    [item] = run_json(capsys, "restore", project=project)["memories"]
    assert (item["id"], item["kind"], item["title"]) == ("paper-todo", "todo", "Order paper.")
    assert autology("restore", project=project) == 0
    assert "Order paper. (memory)" in capsys.readouterr().out
    back = run_json(capsys, "restore", "paper-todo", project=project)["restored"]
    assert back == {
        "id": "paper-todo",
        "title": "Order paper.",
        "type": "todo",
        "path": ".autology/memory/todo/paper-todo.md",
    }
    assert run_json(capsys, "restore", project=project)["memories"] == []
    assert autology("restore", "paper-todo", project=project) == 1


def test_sync_and_status_count_memories(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / ".autology" / "memory" / "todo" / "broken.md").write_text("no memory\n", encoding="utf-8")
    synced = run_json(capsys, "sync", project=project)
    assert (synced["read"], synced["memories"], synced["unreadable"]) == (1, 2, 1)
    assert run_json(capsys, "status", project=project)["memories"] == {"project": 1, "user": 1, "expired": 0}
    assert autology("status", project=project) == 0
    assert "1 of the project, 1 of yours" in capsys.readouterr().out


def test_doctor_counts_memories_and_names_what_is_broken(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = project / ".autology" / "memory" / "todo"
    (folder / "broken.md").write_text("no memory\n", encoding="utf-8")
    (folder / "copy.md").write_text("---\nid: failover-1\n---\n\ncopy\n", encoding="utf-8")
    assert autology("doctor", "--json", project=project) == 1
    report = json.loads(capsys.readouterr().out)
    [fact] = [fact["text"] for fact in report["facts"] if fact["area"] == "memories"]
    assert fact.startswith("1 in the project, 1 of the user")
    problems = [finding["problem"] for finding in report["findings"]]
    for name in ("broken.md", "copy.md"):
        assert any(f".autology/memory/todo/{name}" in problem for problem in problems), problems


def test_doctor_finds_secrets_in_memories(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = project / ".autology" / "memory" / "todo" / "leak.md"
    path.write_text(f"---\nid: leak\n---\n\nUse {SECRET}.\n", encoding="utf-8")
    assert autology("doctor", "--secrets", project=project) == 1
    output = capsys.readouterr().out
    assert ".autology/memory/todo/leak.md:5" in output
    assert SECRET not in output
