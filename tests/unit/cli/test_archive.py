"""On a terminal, past sessions are read, kept and counted, and a project that is set up is offered its own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from autology.cli import main
from tests.fakes.transcripts import Session


def ran(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str]:
    code = main(list(argv))
    return code, capsys.readouterr().out


@pytest.fixture
def here(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    made = tmp_path / "app"
    (made / ".git").mkdir(parents=True)
    monkeypatch.chdir(made)
    session = Session(home, folder=str(made))
    session.user("where does the cache live")
    session.assistant("We decided to keep it below the home because it is disposable.")
    return made


def test_archive_reads_keeps_and_counts(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out = ran(capsys, "archive", "--json")
    result = json.loads(out)
    assert code == 0
    assert (result["read"], result["kept"], result["failed"], result["unencoded"]) == (1, 1, [], 0)
    assert result["sessions"] == {"all": 1, "live": 1, "kept": 1, "unkept": 0, "lost": 0, "agents": 0, "behind": 0}
    assert result["chunks"] == {"conversation": 1, "decision": 1}
    assert "✓ 0 transcripts had new content, 0 archived." in ran(capsys, "archive")[1]


def test_status_changes_nothing(here: Path, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out = ran(capsys, "archive", "--status")
    assert (code, out.splitlines()[0]) == (0, "1 session")
    assert not (home / "data" / "archive").exists()


def test_a_session_that_is_not_there_is_said_to_be_none(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out = ran(capsys, "archive", "--session", "nobody")
    assert (code, out) == (1, "No transcript found of nobody.\n")


def test_init_offers_the_project_s_sessions_and_reads_them_on_yes(
    here: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Session(home, folder="/home/dev/elsewhere").user("something else")
    assert ran(capsys, "init", "--dry-run", "--json")[1].count('"sessions": 1') == 1
    code, out = ran(capsys, "init", "--yes")
    assert code == 0
    assert "1 past session of Claude Code, to be indexed and archived" in out
    assert "The last decision there" not in out, "the user did not agree to what the assistant says"
    result = json.loads(ran(capsys, "archive", "--status", "--json")[1])
    assert (result["sessions"]["live"], result["sessions"]["kept"], result["chunks"]) == (
        2,
        1,
        {"conversation": 1, "decision": 1},
    )


def test_init_closes_with_the_last_choice_that_still_holds(
    here: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session = Session(home, folder=str(here))
    for user, assistant in (
        ("we need a job queue", "Celery is the usual one, Huey is smaller. I would take Celery."),
        ("huey, we have three jobs", "Huey runs the jobs now, with one worker."),
    ):
        session.user(user)
        session.assistant(assistant)
    out = ran(capsys, "init", "--yes")[1]
    assert "“huey, we have three jobs”\n  then: Huey runs the jobs now, with one worker.\n" in out
    assert "  autology review --mined\n" in out
    session.user("drop huey, use a table of jobs instead")
    session.assistant("Decision: jobs are rows of a table.")
    out = ran(capsys, "init", "--yes")[1]
    assert "“drop huey, use a table of jobs instead”" in out
    assert "three jobs" not in out


def test_doctor_says_what_is_kept_and_what_is_lost(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ran(capsys, "init", "--yes")
    facts = {fact["area"]: fact["text"] for fact in json.loads(ran(capsys, "doctor", "--json")[1])["facts"]}
    assert facts["sessions"] == "1 with the client, 1 archived, 0 lost"
    assert facts["talk"] == "2 passages indexed, 2 of them only lexically"
    assert facts["archive"].endswith("kept indefinitely")
