"""The review: what waits is told with its reasons, and what is said of it is kept with it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.unit.cli_kit import autology, git, repository, run_json

WHOLE = "## Context\n\nSlow.\n\n## Decision\n\nWrite once.\n\n## Alternatives\n\n- Twice.\n\n## Consequences\n\nLess.\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "src").mkdir(parents=True)
    (root / "src" / "a.py").write_text("def a():\n    return 1\n", encoding="utf-8")
    (root / ".autology").mkdir()
    return repository(root)


def made(capsys: pytest.CaptureFixture[str], project: Path, title: str, content: str, type: str, *more: str) -> str:
    requests = ("capture", "--title", title, "--content", content, "--type", type, *more)
    return str(run_json(capsys, *requests, project=project)["id"])


def waiting(capsys: pytest.CaptureFixture[str], project: Path) -> dict[str, list[str]]:
    import json

    capsys.readouterr()
    autology("review", "--json", project=project)
    answer: dict[str, Any] = json.loads(capsys.readouterr().out)
    return {each["title"]: each["reasons"] for each in answer["waiting"]}


def test_drifted_changed_and_incomplete_notes_wait_for_review_with_reasons(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made(capsys, project, "How a works", "See `a()`, which gives one, always.", "concept", "--references", "src/a.py")
    made(capsys, project, "Half decided", "## Decision\n\nYes.\n", "decision")
    id = made(capsys, project, "Write once", WHOLE, "decision")
    assert set(waiting(capsys, project)) == {"Half decided"}
    (project / "src" / "a.py").write_text("def a():\n    return 2\n", encoding="utf-8")
    git(project, "commit", "-qam", "Two", at="2035-01-01T00:00:00Z")
    file = project / f".autology/nodes/decisions/{id}.md"
    file.write_text(file.read_text(encoding="utf-8").replace("Slow.", "Fast."), encoding="utf-8")
    result = waiting(capsys, project)
    assert set(result) == {"Write once", "Half decided", "How a works"}
    assert any(
        reason.startswith("`a` of src/a.py was rewritten") and "Two" in reason for reason in result["How a works"]
    )
    assert "its status is needs_review" in result["Half decided"]


def test_without_a_terminal_the_list_is_printed_and_the_exit_code_says_that_something_waits(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert autology("review", project=project) == 0
    assert "Nothing to review." in capsys.readouterr().out
    id = made(capsys, project, "Half decided", "## Decision\n\nYes.\n", "decision")
    assert autology("review", project=project) == 1
    out = capsys.readouterr().out
    assert "1 note to review." in out
    assert f"autology review {id[:8]} --keep" in out


def test_a_note_kept_in_review_leaves_the_queue_with_its_reason(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    id = made(capsys, project, "Half decided", "## Decision\n\nYes.\n", "decision")
    done = run_json(capsys, "review", id[:8], "--keep", "--reason", "it is enough", project=project)
    assert (done["reviewed"]["status"], done["as"]) == ("active", "kept")
    assert waiting(capsys, project) == {}
    text = (project / f".autology/nodes/decisions/{id}.md").read_text(encoding="utf-8")
    assert "kept: it is enough" in text


def test_an_accepted_text_is_amended_with_a_reason_only(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    id = made(capsys, project, "Write once", WHOLE, "decision")
    changed = WHOLE.replace("Slow.", "Slow, and worn.")
    assert autology("review", id, "--amend", "--content", changed, project=project) == 1
    assert "Say why, with --reason" in capsys.readouterr().err
    assert autology("review", id, "--amend", "--content", changed, "--reason", "a typo", project=project) == 0
    text = (project / f".autology/nodes/decisions/{id}.md").read_text(encoding="utf-8")
    assert "Slow, and worn." in text
    assert "amended: a typo" in text
    assert waiting(capsys, project) == {}


def test_a_change_by_hand_is_kept_with_a_reason_or_superseded(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    id = made(capsys, project, "Write once", WHOLE, "decision")
    file = project / f".autology/nodes/decisions/{id}.md"
    file.write_text(file.read_text(encoding="utf-8").replace("Slow.", "Fast."), encoding="utf-8")
    assert autology("review", id, "--keep", project=project) == 1
    assert autology("review", id, "--skip", project=project) == 0
    assert set(waiting(capsys, project)) == {"Write once"}
    assert autology("review", id, "--keep", "--reason", "measured again", project=project) == 0
    assert waiting(capsys, project) == {}
    newer = made(capsys, project, "Write twice", WHOLE.replace("once", "twice and then no more"), "decision")
    assert autology("review", id, "--supersede", newer, project=project) == 0
    assert "status: superseded" in file.read_text(encoding="utf-8")


def test_decisions_without_a_seal_are_sealed_on_request(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    id = made(capsys, project, "Write once", WHOLE, "decision")
    file = project / f".autology/nodes/decisions/{id}.md"
    before = file.read_text(encoding="utf-8")
    file.write_text("".join(line for line in before.splitlines(True) if "frozen:" not in line), encoding="utf-8")
    assert run_json(capsys, "review", "--seal", project=project) == {"sealed": 1, "named": 0}
    assert file.read_text(encoding="utf-8") == before
    assert run_json(capsys, "review", "--seal", project=project) == {"sealed": 0, "named": 0}
