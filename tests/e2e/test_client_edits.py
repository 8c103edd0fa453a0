"""Edits and commands in the client: what was settled is named once, and refused only where the user chose so."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.e2e.driving import Block, Claude, Session, contexts

NAMED = "This edit may contradict something settled"
AGAINST = "This command may contradict something settled"
FILE = "src/jobs/queue.py"
ALLOWED = ("--permission-mode", "acceptEdits")


def edit(claude: Claude, path: str, old: str, new: str) -> Block:
    requests = {"file_path": str(claude.project / path), "old_string": old, "new_string": new}
    return {"tool": "Edit", "input": requests}


@pytest.fixture(scope="module")
def claude(start: Callable[[], Claude]) -> Claude:
    made = start()
    made.capture(
        "Retry jobs with exponential backoff",
        "## Context\n\nBursts are throttled.\n\n## Decision\n\n`src/jobs/queue.py` retries (`MAX_RETRIES`).\n\n"
        "## Alternatives\n\n- Celery: one more service.\n\n## Consequences\n\nA job may take long.\n",
        *("--type", "decision", "--references", FILE),
    )
    (made.project / "src" / "jobs").mkdir(parents=True)
    (made.project / FILE).write_text("# waits\nMAX_RETRIES = 5\n", encoding="utf-8")
    (made.project / "src" / "other.py").write_text("SIZE = 1\n", encoding="utf-8")
    return made


@pytest.fixture(scope="module")
def session(claude: Claude) -> Session:
    steps = {
        "read": {"tool": "Read", "input": {"file_path": str(claude.project / FILE)}},
        "read another": {"tool": "Read", "input": {"file_path": str(claude.project / "src" / "other.py")}},
        "a comment": edit(claude, FILE, "# waits\n", "# Waits.\n"),
        "another file": edit(claude, "src/other.py", "SIZE = 1\n", "SIZE = 2\n"),
        "the governed constant": edit(claude, FILE, "MAX_RETRIES = 5\n", "MAX_RETRIES = 1\n"),
        "once more": edit(claude, FILE, "MAX_RETRIES = 1\n", "MAX_RETRIES = 2\n"),
    }
    return claude.session(steps, *ALLOWED)


def test_a_decision_that_governs_an_edit_is_named_once_and_the_edit_is_made(session: Session, claude: Claude) -> None:
    result = session.after["the governed constant"]
    assert not result.failed
    ((event, messages),) = result.hooks
    assert event == "PreToolUse"
    assert NAMED in messages
    assert "Retry jobs with exponential backoff" in messages
    assert session.requests[-1].any_text.count(NAMED) == 1
    assert "MAX_RETRIES = 2" in (claude.project / FILE).read_text(encoding="utf-8")
    assert len([message for message in session.messages if "Retry jobs with exponential backoff" in message]) == 1


@pytest.mark.parametrize("name", ["a comment", "another file", "once more"])
def test_edits_that_contradict_no_decision_are_not_commented_on(session: Session, name: str) -> None:
    result = session.after[name]
    assert not result.failed
    assert [event for event, _ in contexts(result.text)] == []


@pytest.fixture(scope="module")
def other(start: Callable[[], Claude]) -> Claude:
    made = start()
    made.capture("Use pnpm", "Use pnpm, never npm install. Never run `make publish`.", "--type", "convention")
    made.capture("Quiet modules", "Never print in `src/`.", "--type", "convention")
    (made.project / "src").mkdir()
    (made.project / "src" / "a.py").write_text("SIZE = 1\n", encoding="utf-8")
    return made


def test_a_ruled_out_command_is_named_and_run_and_an_enforced_one_is_refused(other: Claude) -> None:
    other.autology("enforce", "Quiet modules", "deny")
    steps = {
        "ruled out": {
            "tool": "Bash",
            "input": {"command": "npm install --offline left-pad || echo tried", "description": "x"},
        },
        "read": {"tool": "Read", "input": {"file_path": str(other.project / "src" / "a.py")}},
        "refused": edit(other, "src/a.py", "SIZE = 1\n", "SIZE = 1\nprint(SIZE)\n"),
        "allowed": edit(other, "src/a.py", "SIZE = 1\n", "SIZE = 2\n"),
    }
    session = other.session(steps, *ALLOWED, "--allowedTools", "Bash")
    result = session.after["ruled out"]
    assert any(event == "PreToolUse" and AGAINST in messages for event, messages in result.hooks)
    assert session.after["refused"].failed
    assert "Quiet modules" in session.after["refused"].text
    assert not session.after["allowed"].failed
    assert (other.project / "src" / "a.py").read_text(encoding="utf-8") == "SIZE = 2\n"
