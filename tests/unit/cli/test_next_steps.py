"""What a person is told who named something that there is not, or wrote where no project was."""

from __future__ import annotations

import types
from pathlib import Path

import pytest

from autology.cli import main
from autology.cli.project import announce_creation
from autology.cli.screen import Screen
from autology.model.errors import StorageError
from tests.unit.cli_kit import autology, run_json


@pytest.mark.parametrize("command", ["show", "graph", "path", "relate", "update", "delete", "unrelate"])
def test_a_mistyped_title_suggests_the_closest_one(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    autology("capture", "--title", "Postgres", "--content", "x", "--type", "concept", project=tmp_path)
    capsys.readouterr()
    more = {"path": ["Postgres"], "relate": ["uses", "Postgres"], "unrelate": ["uses", "Postgres"]}
    values = ["--title", "y"] if command == "update" else more.get(command, [])
    assert autology(command, "Postgrse", *values, project=tmp_path) == 1
    assert "Did you mean: Postgres (concept, " in capsys.readouterr().err


def test_a_node_is_called_by_its_title_where_only_one_has_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ids = {}
    for title in ("Postgres", "Orders"):
        ids[title] = run_json(
            capsys, "capture", "--title", title, "--content", "x", "--type", "concept", project=tmp_path
        )["id"]
    assert autology("relate", "orders", "uses", "Postgres", project=tmp_path) == 0
    assert autology("unrelate", "Orders", "uses", "postgres ", project=tmp_path) == 0
    assert autology("update", "Orders", "--status", "needs_review", project=tmp_path) == 0
    assert autology("review", "Orders", "--keep", project=tmp_path) == 0
    capsys.readouterr()
    assert run_json(capsys, "show", "Orders", project=tmp_path) == run_json(
        capsys, "show", ids["Orders"], project=tmp_path
    )
    assert autology("delete", "Orders", "--yes", project=tmp_path) == 0


def test_a_title_that_two_nodes_have_is_answered_with_the_id_of_each(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for kind in ("concept", "pattern"):
        autology("capture", "--title", "Twice", "--content", "x", "--type", kind, project=tmp_path)
    capsys.readouterr()
    for command in (["delete", "twice", "--yes"], ["relate", "twice", "uses", "Twice"], ["show", "twice"]):
        assert autology(*command, project=tmp_path) == 1
        output = capsys.readouterr().err
        assert "2 nodes" in output
        assert ".md" not in output
        assert "(concept)" in output


def test_the_review_names_the_other_note_of_a_duplicate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = (
        run_json(capsys, "capture", "--title", "Twice", "--content", f"Text {each}.", project=tmp_path)["id"]
        for each in ("one", "another")
    )
    assert autology("review", project=tmp_path) == 1
    output = capsys.readouterr().out
    assert "the same title as .autology/nodes/" in output
    assert f"{first}.md" in output or f"{second}.md" in output


def test_a_setting_that_cannot_be_read_is_named_with_its_own_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / ".autology").mkdir()
    (tmp_path / ".autology" / "config.yaml").write_text("sound: [on\n\n", encoding="utf-8")
    autology("doctor", project=tmp_path)
    assert "(line 3)" in capsys.readouterr().out


def test_asking_about_a_missing_file_says_that_it_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "index.py").write_text("x = 1\n", encoding="utf-8")
    assert autology("context", "make the index quick", project=tmp_path) == 0
    assert "the file 'make the index quick' does not exist" in (output := capsys.readouterr().out)
    assert output.rstrip().endswith("Pass a task with --task.")
    assert autology("context", "x" * 5_000, project=tmp_path) == 0
    assert "the file 'xxx" in capsys.readouterr().out
    assert autology("context", "src/index.py", project=tmp_path) == 0
    assert "no file" not in capsys.readouterr().out


def test_words_found_only_in_text_are_not_suggested_as_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "changes.md").write_text("# Changes\n\nNothing of the sort.\n", encoding="utf-8")
    autology("capture", "--title", "Postgres", "--content", "Nothing else scales.", project=tmp_path)
    for command in ("show", "graph", "update"):
        values = ["--title", "y"] if command == "update" else []
        capsys.readouterr()
        assert autology(command, "nothing", *values, project=tmp_path) == 1
        assert "Did you mean" not in capsys.readouterr().err
    assert autology("show", "the changes", project=tmp_path) == 1
    assert "Did you mean: docs/changes.md?" in capsys.readouterr().err


def test_sync_summarises_the_index_in_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    autology("capture", "--title", "Postgres", "--content", "x", project=tmp_path)
    assert autology("sync", project=tmp_path) == 0
    assert "the index contains 1 note, 0 relations and 0 documents." in capsys.readouterr().out
    autology("memory", "store", "--kind", "observation", "The cache holds 40 entries.", project=tmp_path)
    assert autology("sync", project=tmp_path) == 0
    assert "the index contains 1 note, 0 relations, 0 documents and 1 memory." in capsys.readouterr().out


def test_an_unknown_name_with_no_similar_one_suggests_a_search_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for command, step in (
        (["graph", "zzz"], "`autology search`"),
        (["path", "zzz", "yyy"], "`autology search`"),
        (["relate", "zzz", "uses", "yyy"], "`autology query`"),
        (["memory", "show", "zzz"], "`autology memory find`"),
    ):
        assert autology(*command, project=tmp_path) == 1
        assert step in capsys.readouterr().err


def test_a_memory_without_a_kind_is_met_with_the_kinds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert autology("memory", "store", "Rotate the keys.", project=tmp_path) == 2
    output = capsys.readouterr().err
    assert "observation, " in output
    assert output.rstrip().endswith("--kind observation.")
    assert not (tmp_path / ".autology").exists()


def test_a_search_in_a_folder_that_holds_nothing_says_where_documents_lie(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "retries.md").write_text("# Retries\n\nA growing pause.\n", encoding="utf-8")
    assert autology("search", "pause", "--path", "nope", project=tmp_path) == 0
    message = "Nothing found. No document or note at nope. Documents are in: docs.\n"
    assert capsys.readouterr().out == message
    assert autology("search", "xyzzy", "--path", "docs", project=tmp_path) == 0
    assert capsys.readouterr().out == "Nothing found. Try fewer or different words.\n"


@pytest.mark.parametrize("words", ["capture --title Note --content text", "memory store --kind todo text"])
def test_commands_do_not_create_a_project_in_the_home_folder(
    words: str, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(home)
    assert main(words.split()) == 1
    assert "Go to a project's folder, or name one with --project." in capsys.readouterr().err
    assert not (home / ".autology").exists()
    assert main([*words.split(), "--project", str(home)]) == 0
    assert (home / ".autology").exists()


def test_the_root_of_all_files_is_no_project_and_what_is_made_elsewhere_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    requests = types.SimpleNamespace(project=None)
    with pytest.raises(StorageError, match="not a project"):
        announce_creation(tmp_path.anchor, requests, Screen())  # type: ignore[arg-type]
    announce_creation(str(tmp_path), requests, Screen())  # type: ignore[arg-type]
    assert capsys.readouterr().err == "", "nobody watches"
    monkeypatch.setattr(Screen, "is_watched", True)
    announce_creation(str(tmp_path), requests, Screen())  # type: ignore[arg-type]
    assert f"created a new project in {tmp_path / '.autology'}" in capsys.readouterr().err
    (tmp_path / ".git").mkdir()
    announce_creation(str(tmp_path), requests, Screen())  # type: ignore[arg-type]
    assert capsys.readouterr().err == ""
