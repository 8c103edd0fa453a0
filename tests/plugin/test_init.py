"""`autology init` in any repository: it shows what is there, adopts it on yes, and ends with a first answer."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from autology.core.content import indexing_wait
from autology.model.entry import DOCUMENT
from autology.wire.project import Project
from tests.unit.cli_kit import (
    RECORDS,
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
def test_records_are_adopted_where_they_lie(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], folder: str, in_git: bool
) -> None:
    records(tmp_path / folder)
    records(tmp_path / "docs" / "guide", {"first-steps.md": "# First steps\n\nInstall it.\n"})
    if in_git:
        repository(tmp_path)
    answer = init(tmp_path, capsys, "--yes")
    assert answer["folders"] == [folder]
    assert answer["done"] == {"adopted": len(RECORDS), "copies": 0, "older_relations": 0}
    listed = run_json(capsys, "records", project=tmp_path)["records"]
    assert [one["status"] for one in listed] == ["accepted", "accepted", "superseded", None]
    assert {one["node_status"] for one in listed} == {"active", "superseded"}
    config = (tmp_path / ".autology/config.yaml").read_text(encoding="utf-8")
    assert config == f"records:\n  - {folder}\n"


def test_what_the_configuration_says_already_stays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    records(tmp_path / "docs/adr")
    records(tmp_path / "old/adr")
    (tmp_path / ".autology").mkdir()
    config = tmp_path / ".autology/config.yaml"
    config.write_text("# ours\nrecords:\n  old/adr: false\nhooks: false\n", encoding="utf-8")
    assert init(tmp_path, capsys, "--yes")["done"]["adopted"] == len(RECORDS)
    assert config.read_text(encoding="utf-8").startswith("# ours\n")
    assert "docs/adr" in config.read_text(encoding="utf-8")
    config.write_text("records: false\n", encoding="utf-8")
    assert init(tmp_path, capsys, "--yes")["done"]["adopted"] == 0
    assert config.read_text(encoding="utf-8") == "records: false\n"


def test_init_ends_with_three_questions_and_their_answers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    records(tmp_path / "docs/adr")
    assert autology("init", "--yes", project=repository(tmp_path)) == 0
    output = capsys.readouterr().out
    assert "4 records, which become nodes where they lie:" in output
    assert "docs/adr: 4 decisions (2 accepted, 1 superseded, 1 no known status)" in output
    assert "✓ 4 records adopted" in output
    assert output.count("  docs/adr/000") == 3
    assert "what replaced Send mail at once?" in output
    assert "\nwhy did we decide to" in output
    assert "/plugin install autology@autology" in output
    answers = init(tmp_path, capsys, "--yes")["answers"]
    assert len(answers) == 3
    assert all(answer["passage"] for answer in answers)
    for answer in answers[:2]:
        result = run_json(capsys, "query", *answer["question"].split(), project=tmp_path)["results"]
        assert result[0]["node"]["id"] == answer["id"]


def test_init_asks_the_documents_of_a_project_without_records(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "README.md").write_text("# README\n\nA mill.\n", encoding="utf-8")
    for name, title in (("grinding", "Grinding by water"), ("sacks", "Sacks and their weights")):
        text = f"# {title}\n\nHow {title.lower()} works in this mill, and why.\n"
        (tmp_path / f"docs/{name}.md").write_text(text, encoding="utf-8")
    assert autology("init", "--yes", project=repository(tmp_path)) == 0
    output = capsys.readouterr().out
    assert "what do we know about Grinding by water?" in output
    assert "docs/sacks.md" in output
    assert "Save a first note" in output
    answers = init(tmp_path, capsys, "--yes")["answers"]
    assert [answer["path"] for answer in answers] == ["docs/grinding.md", "docs/sacks.md"]


def test_a_second_run_adds_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    records(tmp_path / "adr")
    repository(tmp_path)
    init(tmp_path, capsys, "--yes")
    before = tree(tmp_path)
    answer = init(tmp_path, capsys, "--yes")
    assert answer["done"] == {"adopted": len(RECORDS), "copies": 0, "older_relations": 0}
    assert tree(tmp_path) == before
    assert autology("init", project=tmp_path) == 0  # nothing to ask about
    assert "4 records adopted" in capsys.readouterr().out


def test_a_dry_run_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    records(tmp_path / "adr")
    before = tree(tmp_path)
    assert autology("init", "--dry-run", project=tmp_path) == 0
    assert "4 records, which become nodes where they lie" in capsys.readouterr().out
    assert init(tmp_path, capsys, "--dry-run")["records"] == 4
    assert tree(tmp_path) == before


def test_without_anybody_to_ask_it_shows_the_plan_and_how_to_go_on(tmp_path: Path) -> None:
    records(tmp_path / "adr")
    done = process("init", project=tmp_path)
    assert done.returncode == 1
    assert b"4 records, which become nodes where they lie" in done.stdout
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


def test_what_is_counted_is_shown_before_records_are_looked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    records(tmp_path / "docs/adr")
    assert autology("init", "--yes", project=repository(tmp_path)) == 0
    output = capsys.readouterr().out
    assert output.index("texts: `autology search`") < output.index("records, which become nodes")


def test_what_init_did_not_wait_for_is_indexed_in_the_background(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(indexing_wait, "SECONDS", 0.0)
    monkeypatch.setattr(indexing_wait, "LEAST", 0.0)
    (tmp_path / "docs").mkdir()
    for number in range(120):
        (tmp_path / f"docs/{number}.md").write_text(f"# Page {number}\n\nText.\n", encoding="utf-8")
    assert autology("init", "--yes", project=repository(tmp_path)) == 0
    assert "More texts are being indexed in the background" in capsys.readouterr().out
    index = Project(str(tmp_path)).graph.index
    deadline = time.monotonic() + 120
    while len(index.stamps(DOCUMENT)) < 120:
        assert time.monotonic() < deadline
        time.sleep(0.1)


def test_generated_files_stay_out_of_git(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    records(tmp_path / "adr")
    repository(tmp_path)
    init(tmp_path, capsys, "--yes")
    git(tmp_path, "add", "-A")
    added = git(tmp_path, "diff", "--cached", "--name-only").split()
    assert added == [".autology/.gitignore", ".autology/config.yaml"]


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


def test_a_record_that_is_no_text_is_left_and_the_others_are_adopted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    records(tmp_path / "adr")
    (tmp_path / "adr/0009-latin.md").write_bytes(b"# caf\xe9\n")
    assert init(tmp_path, capsys, "--yes")["done"]["adopted"] == len(RECORDS)


@pytest.mark.parametrize(("name", "files"), [("hive-adrs", 6), ("orchard-rfcs", 7)])
def test_a_collection_answers_its_first_question(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, files: int
) -> None:
    shutil.copytree(COLLECTIONS / name, tmp_path / "docs" / "adr")
    answer = init(repository(tmp_path), capsys, "--yes")
    assert answer["done"]["adopted"] == files
    assert len(answer["answers"]) == 3
    assert len(answer["answers"][0]["passage"]) > 40


def tree(root: Path) -> Mapping[str, bytes]:
    """Every file of a project but what is made anew."""
    made = (".git", "cache", "graph")
    return {
        str(file.relative_to(root)): file.read_bytes()
        for file in sorted(root.rglob("*"))
        if file.is_file() and not set(file.relative_to(root).parts) & set(made)
    }
