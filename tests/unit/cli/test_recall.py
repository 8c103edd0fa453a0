"""Recalling past sessions in a terminal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from autology.cli import main
from autology.core.recall import new_conversations
from autology.core.recall.discussions import code
from autology.model.next_step import Action, do
from autology.wire.project import Project
from tests.fakes.talk import Edit, Said, turns, write
from tests.unit.cli_kit import run_json

SESSION = "aaaaaaaa-0000-4000-8000-000000000000"
SAID = [
    Said(
        "2026-03-12T09:00:00Z", "why does the importer stop?", "It ran out of file handles. We decided to close them."
    ),
    Said("2026-03-14T09:00:00Z", "write the retry loop", "Here.", (Edit("retry.py", "while True:\n    attempt()\n"),)),
]


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("data", "cache", "claude"):
        variable = "CLAUDE_CONFIG_DIR" if name == "claude" else f"AUTOLOGY_{name.upper()}_DIR"
        monkeypatch.setenv(variable, str(tmp_path / name))
    folder = tmp_path / "shop"
    folder.mkdir()
    monkeypatch.chdir(folder)
    write(tmp_path / "claude", str(folder), SESSION, SAID)
    return folder


def run(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["recall", *words]) == 0
    return capsys.readouterr().out


def test_prose_tells_what_was_found_and_how_to_read_it(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = run(capsys, "importer", "file", "handles")
    assert text.startswith("I found ")
    assert "\nPrevious Discussions\n\n  why does the importer stop?\n" in text
    assert "### " not in text
    assert "**" not in text
    assert " ago (2026-03-12) · conversation by the assistant · shop · relevance " in text
    assert "\n    ● It ran out of file handles. We decided to close them.\n  autology show " in text
    id = text.partition("autology show ")[2].split()[0]
    assert main(["show", id]) == 0
    shown = capsys.readouterr().out
    assert "It ran out of file handles." in shown
    assert SESSION in shown
    assert run(capsys, "--open", id[:8]) == shown


@pytest.mark.parametrize(
    ("options", "found"),
    [
        (["--since", "2026-03-13"], False),
        (["--until", "2026-03-11"], False),
        (["--since", "2026-03-12", "--until", "2026-03-12"], True),
        (["--type", "code"], False),
        (["--project", "."], True),
    ],
)
def test_filters_leave_out_what_does_not_pass(
    shop: Path, capsys: pytest.CaptureFixture[str], options: list[str], found: bool
) -> None:
    results = json.loads(run(capsys, "importer handles", "--json", *options))
    assert any("file handles" in result["content"] for result in results["results"]) is found


@pytest.mark.parametrize("name", ["zygomorphs", "zygomorphs-legacy"])
def test_the_folder_of_the_project_found_is_no_word_that_nothing_speaks_of(
    shop: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    question = f"why does the importer stop in {name}?"
    assert f"No passage speaks of “{name}”." in run(capsys, question)
    (tmp_path / name).mkdir()
    write(tmp_path / "claude", str(tmp_path / name), SESSION.replace("a", "b"), SAID)
    assert "No passage" not in run(capsys, question)


@pytest.mark.parametrize("command", ["recall", "sessions"])
def test_an_unknown_project_is_an_error_that_names_the_known_ones(
    shop: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    assert main([command, "importer handles", "--project", "elsewhere"]) == 1
    output = capsys.readouterr()
    assert output.out == ""
    assert f"Known projects, latest first: {shop}. Name an existing folder or one of these." in output.err
    assert main([command, "importer handles", "--project", "shop"]) == 0
    (shop.parent / "new").mkdir()
    assert main([command, "importer handles", "--project", "../new"]) == 0


def test_a_turn_opens_by_its_id_and_an_unknown_id_says_so(
    shop: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    [transcript] = (tmp_path / "claude").rglob("*.jsonl")
    run(capsys, "importer")
    assert main(["show", turns(transcript)[1]]) == 0
    assert "write the retry loop" in capsys.readouterr().out
    assert main(["recall", "--open", "f" * 24]) == 1
    assert "passage not found" in capsys.readouterr().err
    assert main(["recall", "x", "--open", "f" * 24]) == 2
    assert main(["recall"]) == 2


def test_a_search_without_its_filters_is_offered_as_it_is_typed(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "\nNext\n  autology recall 'file handles'\n" in run(capsys, "file", "handles", "--until", "2026-03-01")


def test_without_words_the_refusal_shows_how_to_list_what_was_said(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["recall", "--since", "yesterday"]) == 2
    assert "Try `autology recall yesterday`" in capsys.readouterr().err


def test_a_range_that_ends_before_it_begins_is_refused(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["recall", "handles", "--since", "2026-03-13", "--until", "2026-03-11"]) == 2
    assert "until: ends before since begins. Pass the earlier time as since." in capsys.readouterr().err


def test_a_code_search_without_results_does_not_suggest_itself(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "importer")
    memory = Project(str(shop)).conversation_search
    assert code(memory, "file handles", None, True, 5, "search_code_history").suggestions == (
        do(Action.RECALL, query="file handles"),
    )
    assert code(memory, "retry loop", "cobol", True, 5, "search_code_history").suggestions == (
        do(Action.SEARCH_CODE_HISTORY, query="retry loop"),
    )


@pytest.mark.parametrize("query", ["???", "!!!", "\udcff\udcfe", "🚀"])
def test_a_query_without_a_letter_or_digit_is_an_error(
    query: str, shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["recall", query]) == 1
    assert "query: has no word to search for. Give at least one word to search for." in capsys.readouterr().err


def test_recall_without_indexed_sessions_says_so(
    shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "no past sessions are indexed" not in run(capsys, "zebra")
    monkeypatch.setenv("AUTOLOGY_DATA_DIR", str(tmp_path / "other"))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "nowhere"))
    assert "Note: no past sessions are indexed; `autology archive --status`" in run(capsys, "importer")


def test_a_search_in_a_terminal_answers_from_what_is_read_and_says_how_to_read_the_rest(
    shop: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(new_conversations, "READING", 0.0)
    at = "2026-03-17T{:02}:{:02}:00.000Z"
    message = [Said(at.format(n // 60, n % 60), f"How is part {n} built?", "From clay. " * 200) for n in range(60)]
    write(tmp_path / "claude", str(shop), "e" * 8 + "-0000-4000-8000-000000000000", message)
    first = run_json(capsys, "recall", "clay", project=shop)
    [note] = [note for note in first["degraded"] if "not fully read" in note]
    assert "`autology sync`" in note
    run_json(capsys, "sync", project=shop)
    whole = run_json(capsys, "recall", "clay", project=shop)
    assert not [note for note in whole.get("degraded", ()) if "not fully read" in note]
    assert whole["stats"]["total_results"] > first["stats"]["total_results"]
