"""Documents on the command line: searched, shown, brought up to date, watched, examined."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from autology.core.documents import delete_restore
from autology.wire.project import Project
from tests.unit.cli_kit import SERVER, autology, repository, run_json


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "docs").mkdir(parents=True)
    (root / "docs" / "retries.md").write_text(
        "# Retries\n\nA failed call is repeated with a growing pause. See [[limits]].\n", encoding="utf-8"
    )
    (root / "docs" / "limits.md").write_text("# Limits\n\nFive calls a second.\n", encoding="utf-8")
    return root


def test_a_search_shows_title_place_snippet_and_why(vault: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert autology("search", "growing", "pause", project=vault) == 0
    shown = capsys.readouterr().out
    assert "1. Retries  document · 0." in shown
    assert "docs/retries.md" in shown
    assert "with a *growing* *pause*" in shown
    assert "why: growing, pause in the text" in shown
    autology("search", "zebra", project=vault)
    assert "Nothing found" in capsys.readouterr().out


def test_a_search_finds_nodes_and_documents_together(vault: Path, capsys: pytest.CaptureFixture[str]) -> None:
    autology("capture", "--title", "Pause", "--content", "A growing pause.", "--type", "concept", project=vault)
    result = run_json(capsys, "search", "pause", project=vault)["results"]
    assert {hit["type"] for hit in result} == {"concept", "document"}
    assert result[0].keys() == {"id", "title", "type", "path", "score", "relevance", "preview", "source", "explain"}
    assert all(abs(sum(hit["explain"].values()) - hit["relevance"]) < 0.002 for hit in result)


def test_a_search_is_narrowed_by_place_type_tag_author_and_time(
    vault: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (vault / "notes").mkdir()
    page = "---\nauthor: Ada\ntags: [calls]\n---\n# Pauses\n\nOf a growing pause.\n"
    (vault / "notes" / "pauses.md").write_text(page, encoding="utf-8")
    autology("capture", "--title", "Pause", "--content", "A growing pause.", "--type", "concept", project=vault)

    def ids(*options: str) -> list[str]:
        return [
            hit["path"] for hit in run_json(capsys, "search", "growing", "pause", *options, project=vault)["results"]
        ]

    assert len(ids()) == 4  # with what the best of them links to
    assert ids("--path", "notes") == ids("--author", "ada") == ids("--tag", "calls") == ["notes/pauses.md"]
    assert set(ids("--type", "document")) == {"docs/limits.md", "docs/retries.md", "notes/pauses.md"}
    assert ids("--until", "last year") == []
    assert len(ids("--since", "yesterday")) == 4
    assert autology("search", "pause", "--since", "soon", project=vault) == 2
    assert "is not a time" in capsys.readouterr().err


def test_the_best_answer_is_opened_in_the_editor(vault: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = tmp_path / "seen"
    editor = tmp_path / "editor.py"
    editor.write_text(f"import sys; open({str(result)!r}, 'w').write(sys.argv[1])", encoding="utf-8")
    monkeypatch.setenv("VISUAL", f"{sys.executable} {editor}")
    assert autology("search", "pause", "--open", project=vault) == 0
    assert Path(result.read_text(encoding="utf-8")) == vault / "docs" / "retries.md"


def test_a_deleted_document_is_listed_and_restored(vault: Path, capsys: pytest.CaptureFixture[str]) -> None:
    delete_restore.delete_document(Project(str(vault)).library, "limits")
    [listed] = run_json(capsys, "restore", project=vault)["documents"]
    assert (listed["id"], listed["path"], listed["title"]) == ("docs/limits.md", "docs/limits.md", "Limits")
    assert autology("restore", project=vault) == 0
    assert "docs/limits.md" in capsys.readouterr().out
    assert autology("restore", "nothing", project=vault) == 1
    assert "limits" in capsys.readouterr().err
    assert autology("restore", "limits", project=vault) == 0
    assert "✓ Restored: Limits (docs/limits.md)" in capsys.readouterr().out
    assert (vault / "docs" / "limits.md").read_text(encoding="utf-8") == "# Limits\n\nFive calls a second.\n"


def test_a_document_is_shown_like_a_node(vault: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert autology("show", "retries", project=vault) == 0
    shown = capsys.readouterr().out
    assert "growing pause" in shown
    assert "—[CITES]→ docs/limits.md" in shown
    result = run_json(capsys, "show", "docs/limits.md", project=vault)
    assert result["document"]["content"].startswith("# Limits")
    assert result["incoming"] == [{"source": "docs/retries.md", "type": "CITES"}]
    assert autology("show", "nothing", project=vault) == 1
    assert "Note not found: nothing" in capsys.readouterr().err
    assert autology("show", "3f2a91c0", project=vault) == 1
    assert "note not found: 3f2a91c0" in capsys.readouterr().err


def test_nearly_the_same_text_is_shown_once_with_where_else_it_stands(
    vault: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    message = "Zebras are counted at the river every spring, by two people, who write down place, day and number. "
    for name in ("first", "second"):
        (vault / "docs" / f"{name}.md").write_text(f"# {name.title()} count\n\n{message * 2}\n", encoding="utf-8")
    [hit] = run_json(capsys, "search", "zebras counted at the river", project=vault)["results"]
    assert {hit["path"], *hit["also"]} == {"docs/first.md", "docs/second.md"}
    assert autology("search", "zebras counted at the river", project=vault) == 0
    assert f"near-identical: {hit['also'][0]}" in capsys.readouterr().out


def test_a_sync_takes_documents_in(vault: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_json(capsys, "sync", project=vault) == {
        "read": 2,
        "nodes": 0,
        "relations": 0,
        "documents": 2,
        "memories": 0,
        "unreadable": 0,
        "conversations": {"read": 0, "chunks": 0, "unread": []},
    }
    assert not (vault / ".autology").exists()


def test_init_counts_the_documents_it_found(vault: Path, capsys: pytest.CaptureFixture[str]) -> None:
    repository(vault)
    assert autology("init", "--dry-run", project=vault) == 0
    assert "2 texts: `autology search` answers from them" in capsys.readouterr().out
    assert run_json(capsys, "init", "--dry-run", project=vault)["documents"] == 2


def test_the_doctor_lists_documents_that_cannot_be_read(vault: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (vault / "docs" / "image.md").write_bytes(b"\x89PNG\r\n\x00\x00\x00\x0d")
    result = run_json(capsys, "doctor", project=vault)
    assert {"area": "documents", "text": "2 in the project"} in result["facts"]
    [finding] = [each for each in result["findings"] if each["area"] == "document"]
    assert finding["problem"] == "docs/image.md: is not text: it contains zero bytes"


def test_a_configured_source_that_is_missing_is_reported(
    vault: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUTOLOGY_DOCUMENTS_SOURCES", "docs, handbook")
    result = run_json(capsys, "doctor", project=vault)
    assert "the folder handbook/" in str(result["findings"])
    assert run_json(capsys, "search", "pause", project=vault)["results"]


def test_a_repository_may_choose_among_its_files_that_are_not_ignored(
    vault: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (vault / "src").mkdir()
    (vault / "src" / "secret.md").write_text("zebra", encoding="utf-8")
    (vault / "docs" / "public").mkdir()
    (vault / "docs" / "public" / "a.md").write_text("zebra", encoding="utf-8")
    config = vault / ".autology" / "config.yaml"
    config.parent.mkdir()
    config.write_text("documents:\n  sources: src\n", encoding="utf-8")
    (vault / ".gitignore").write_text("secret.md\n", encoding="utf-8")

    def found() -> list[str]:
        return [hit["id"] for hit in run_json(capsys, "search", "zebra", project=vault)["results"]]

    assert found() == []
    config.write_text("documents:\n  sources: [docs/public]\n", encoding="utf-8")
    assert found() == ["docs/public/a.md"]
    assert run_json(capsys, "search", "pause", project=vault)["results"] == []
    config.write_text("documents:\n  sources: '**'\n", encoding="utf-8")
    assert found() == ["docs/public/a.md"]


def test_watching_says_what_changed_and_ends_cleanly(vault: Path) -> None:
    def saved(text: str) -> None:
        """Write it whole: a look in the midst of the writing would find a further change."""
        (vault / "new.beside").write_text(text, encoding="utf-8")
        (vault / "new.beside").replace(vault / "docs" / "new.md")

    command = [sys.executable, "-m", "autology", "watch", "--every", "0.1", "--project", str(vault)]
    watching = subprocess.Popen(
        command,
        env={**os.environ, "PYTHONPATH": str(SERVER)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    try:
        assert watching.stdout
        assert "Watching 2 files" in watching.stdout.readline()
        saved("# New\n")
        assert watching.stdout.readline().split()[1:] == ["added", "docs/new.md"]
        saved("# Newer\n")
        assert watching.stdout.readline().split()[1:] == ["changed", "docs/new.md"]
        (vault / "docs" / "new.md").unlink()
        assert watching.stdout.readline().split()[1:] == ["removed", "docs/new.md"]
        watching.send_signal(signal.SIGINT)
        out, err = watching.communicate(timeout=600)
        assert (watching.returncode, out) == (0, "")
        assert err.startswith("autology: stopped watching")
    finally:
        watching.kill()
        watching.communicate()


def test_a_document_that_cannot_be_read_is_not_called_missing(vault: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (vault / "docs" / "limites.md").write_bytes("# Limites dépassées\n".encode("latin-1"))
    for name in ("docs/limites.md", "limites"):
        assert autology("show", name, project=vault) == 1
        refused = capsys.readouterr().err
        assert "docs/limites.md: is not UTF-8 (byte 11); save it as UTF-8" in refused
        assert "not found" not in refused


def test_an_empty_name_is_refused_as_empty(vault: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert autology("show", " ", project=vault) == 1
    assert "id: is empty. Give a note's id" in capsys.readouterr().err


def test_updating_a_document_as_a_node_says_which_tool_to_use(vault: Path, capsys: pytest.CaptureFixture[str]) -> None:
    autology("search", "pause", project=vault)
    capsys.readouterr()
    for name in ("docs/limits.md", "limits"):
        for command in (("delete", name, "--yes"), ("update", name, "--title", "X")):
            assert autology(*command, project=vault) == 1
            refused = capsys.readouterr().err
            assert f"note not found: {name}. It is a document" in refused
            assert "delete_document" in refused


def test_restoring_something_not_in_the_trash_names_the_command_that_lists_it(
    vault: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert autology("restore", "docs/limits.md", project=vault) == 1
    assert "docs/limits.md. `autology restore` lists what is in the trash." in capsys.readouterr().err


def test_a_documents_links_stand_apart_from_its_text(vault: Path, capsys: pytest.CaptureFixture[str]) -> None:
    autology("show", "retries", project=vault)
    assert "See [[limits]].\n\n  —[CITES]→ docs/limits.md\n" in capsys.readouterr().out


def test_show_prints_a_document_and_a_node_without_their_secrets_but_for_raw(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6" * 3
    node = run_json(capsys, "capture", "--title", "Node", "--content", "It is told here.", project=tmp_path)
    file = tmp_path / node["path"]
    file.write_text(file.read_text(encoding="utf-8").replace("told here", secret), encoding="utf-8")
    (tmp_path / "guide.md").write_text(f"# Guide\n\nThe token is {secret}.\n", encoding="utf-8")
    for id in ("guide", node["id"]):
        for options in ((), ("--json",)):
            capsys.readouterr()
            assert autology("show", id, *options, project=tmp_path) == 0
            printed = capsys.readouterr().out
            assert secret not in printed
            assert "[redacted:github-token]" in printed
        assert autology("show", id, "--raw", project=tmp_path) == 0
        assert secret in capsys.readouterr().out


def test_results_much_weaker_than_the_best_one_are_counted_and_shown_on_request(
    vault: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (vault / "docs" / "gears.md").write_text("# Gears\n\nThe zebra gearbox has a zebra clutch.\n", encoding="utf-8")
    filler = "It rains on most days of the year, and people stay at home. " * 40
    for number in range(3):
        text = f"# Weather {number}\n\n{filler} A gearbox was seen in town {number}.\n"
        (vault / "docs" / f"weather{number}.md").write_text(text, encoding="utf-8")
    every = run_json(capsys, "search", "zebra gearbox clutch", project=vault)["results"]
    weak = [hit for hit in every if hit["score"] < every[0]["score"] / 2]
    assert weak
    autology("search", "zebra", "gearbox", "clutch", project=vault)
    shown = capsys.readouterr().out
    assert f"{len(weak)} weaker one{'s' if len(weak) > 1 else ''}: --all" in shown
    assert not any(hit["title"] in shown for hit in weak)
    autology("search", "zebra", "gearbox", "clutch", "--all", project=vault)
    everything = capsys.readouterr().out
    assert all(hit["title"] in everything for hit in every)
    assert "weaker" not in everything
