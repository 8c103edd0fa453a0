"""`autology init` in any repository: it shows what is there, brings it in on yes, and ends with a first answer."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.unit.cli_kit import (
    MADR,
    NYGARD,
    RECORDS,
    Y_STATEMENT,
    autology,
    git,
    process,
    records,
    repository,
    run_json,
)
from tests.unit.collections_kit import COLLECTIONS


def init(project: Path, capsys: pytest.CaptureFixture[str], *options: str) -> Any:
    return run_json(capsys, "init", *options, project=project)


@pytest.mark.parametrize("folder", ["docs/adr", "doc/arch", "docs/decisions", "adr", "packages/shop/docs/adrs"])
@pytest.mark.parametrize("in_git", [True, False])
def test_records_are_found_in_the_usual_folders(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], folder: str, in_git: bool
) -> None:
    records(tmp_path / folder)
    records(tmp_path / "docs" / "guide", {"0001-first-steps.md": "# 1. First steps\n"})
    if in_git:
        repository(tmp_path)
    answer = init(tmp_path, capsys, "--yes")
    assert answer["folders"] == [folder]
    assert answer["done"] == {"added": len(RECORDS), "edited": 0, "older_relations": 0}
    assert {a["decision_status"] for a in answer["plan"]["additions"]} == {"accepted", "superseded"}
    assert answer["plan"]["supersessions"] == 1


@pytest.mark.parametrize(
    "text", [NYGARD, MADR, Y_STATEMENT, f"---\ntitle: x\n---\n{NYGARD}"], ids=["nygard", "madr", "y", "front"]
)
def test_every_form_of_decision_record_becomes_a_decision(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    records(tmp_path / "docs/adr", {"0001-a-decision.md": text})
    (addition,) = init(tmp_path, capsys, "--yes")["plan"]["additions"]
    assert (addition["type"], addition["record"], addition["missing_sections"]) == ("decision", True, [])


def test_init_ends_with_sample_questions_and_the_answer_to_the_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    records(tmp_path / "docs/adr")
    assert autology("init", "--yes", project=repository(tmp_path)) == 0
    output = capsys.readouterr().out
    assert "decision records in docs/adr" in output
    assert "4 files become notes" in output
    assert "1 of them supersessions" in output
    assert "✓ 4 notes added." in output
    assert output.count('  autology query "') == 3
    assert "what replaced Send mail at once?" in output
    assert "The first one: why did we decide to" in output
    assert "(from docs/adr/000" in output
    assert "/plugin install autology@autology" in output
    answer = init(tmp_path, capsys, "--yes")["answer"]
    assert answer["passage"]
    result = run_json(capsys, "query", *answer["question"].split(), project=tmp_path)["results"]
    assert result[0]["node"]["id"] == answer["id"]


def test_a_second_run_adds_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    records(tmp_path / "adr")
    repository(tmp_path)
    init(tmp_path, capsys, "--yes")
    before = tree(tmp_path)
    answer = init(tmp_path, capsys, "--yes")
    assert answer["done"] == {"added": 0, "edited": 0, "older_relations": 0}
    assert answer["plan"]["unchanged"] == len(RECORDS)
    assert tree(tmp_path) == before
    assert autology("init", project=tmp_path) == 0  # nothing to ask about
    assert "4 files are imported already, unchanged" in capsys.readouterr().out


def test_a_dry_run_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    records(tmp_path / "adr")
    before = tree(tmp_path)
    assert autology("init", "--dry-run", project=tmp_path) == 0
    assert "4 files become notes" in capsys.readouterr().out
    assert len(init(tmp_path, capsys, "--dry-run")["plan"]["additions"]) == 4
    assert tree(tmp_path) == before


def test_without_anybody_to_ask_it_shows_the_plan_and_how_to_go_on(tmp_path: Path) -> None:
    records(tmp_path / "adr")
    done = process("init", project=tmp_path)
    assert done.returncode == 1
    assert b"4 files become notes" in done.stdout
    assert b"autology init --yes" in done.stderr
    assert not (tmp_path / ".autology").exists()


def test_without_records_it_sets_up_and_suggests_the_first_note(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    repository(tmp_path)
    assert autology("init", project=tmp_path) == 0
    output = capsys.readouterr().out
    assert "✓ .autology is set up." in output
    assert "autology capture --title" in output
    git(tmp_path, "add", "-A")
    assert git(tmp_path, "diff", "--cached", "--name-only").split() == [".autology/.gitignore"]


def test_generated_files_stay_out_of_git(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    records(tmp_path / "adr")
    repository(tmp_path)
    init(tmp_path, capsys, "--yes")
    git(tmp_path, "add", "-A")
    added = git(tmp_path, "diff", "--cached", "--name-only").split()
    assert len(added) == 1 + len(RECORDS)
    assert all(name.startswith(".autology/nodes/") for name in added if name != ".autology/.gitignore")


def test_init_in_a_subfolder_sets_up_the_whole_repository(tmp_path: Path) -> None:
    records(tmp_path / "docs/adr")
    repository(tmp_path)
    (tmp_path / "src" / "deep").mkdir(parents=True)
    done = process("init", "--yes", "--json", project=tmp_path / "src" / "deep")
    assert json.loads(done.stdout)["project"] == str(tmp_path)
    assert (tmp_path / ".autology/nodes/decisions").is_dir()


def test_a_home_folder_is_not_a_project(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert autology("init", "--yes", project=home) == 1
    assert "is your home folder" in capsys.readouterr().err
    assert not (home / ".autology").exists()


def test_ignored_files_and_dependencies_are_not_looked_at(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    records(tmp_path / "node_modules/lib/docs/adr")
    records(tmp_path / "build/docs/adr")
    (tmp_path / ".gitignore").write_text("build/\n", encoding="utf-8")
    repository(tmp_path)
    assert init(tmp_path, capsys, "--yes")["folders"] == []


def test_a_record_that_is_no_text_is_named_and_the_others_come_in(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    records(tmp_path / "adr")
    (tmp_path / "adr/0009-latin.md").write_bytes(b"# caf\xe9\n")
    answer = init(tmp_path, capsys, "--yes")
    assert answer["done"]["added"] == len(RECORDS)
    assert [r["path"] for r in answer["plan"]["refused"]] == ["adr/0009-latin.md"]


@pytest.mark.parametrize(("name", "files"), [("hive-adrs", 6), ("orchard-rfcs", 7)])
def test_a_collection_answers_its_first_question(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, files: int
) -> None:
    shutil.copytree(COLLECTIONS / name, tmp_path / "docs" / "adr")
    answer = init(repository(tmp_path), capsys, "--yes")
    assert answer["done"]["added"] == files
    assert len(answer["questions"]) == 3
    assert len(answer["answer"]["passage"]) > 40


def tree(root: Path) -> Mapping[str, bytes]:
    """Every file of a project but what is made anew."""
    made = (".git", "cache", "graph")
    return {
        str(file.relative_to(root)): file.read_bytes()
        for file in sorted(root.rglob("*"))
        if file.is_file() and not set(file.relative_to(root).parts) & set(made)
    }
