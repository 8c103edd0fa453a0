"""Before a command: what rules it out is named once a session, and what the user enforces is answered each time."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest

from autology import enforcement
from autology.__main__ import main
from autology.core.nodes.capture import Material, capture
from autology.core.nodes.update import Fields, update
from autology.wire.project import Project
from tests.unit.hooks_kit import SESSION, context_of, run

BOOT = Path(__file__).resolve().parents[3] / "server" / "boot" / "__main__.py"
spec = importlib.util.spec_from_file_location("boot", BOOT)
assert spec
assert spec.loader
boot = importlib.util.module_from_spec(spec)
spec.loader.exec_module(boot)

RULE = "Use pnpm, never npm install. Never print in `src/`."


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CLAUDECODE", raising=False)
    return tmp_path


def note(here: Path, content: str = RULE, **more: Any) -> str:
    material = Material("Use pnpm", content, **{"type": "convention", **more})
    return capture(Project(str(here)).graph, material).node.id


def before(here: Path, command: str, session: str = SESSION) -> Any:
    values = {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": command}}
    return run("pre-command", here, None, **values, session_id=session)


def decision_of(answer: Any) -> str:
    return str(answer["hookSpecificOutput"]["permissionDecision"])


def test_a_ruled_out_command_is_named_once_a_session_and_not_refused(here: Path) -> None:
    id = note(here)
    answer = before(here, "cd web && npm install")
    assert f'convention {id[:8]} "Use pnpm" ruled out npm install' in context_of(answer)
    assert "permissionDecision" not in json.dumps(answer)
    assert before(here, "npm install") == ""
    assert before(here, "npm install", "another") != ""


@pytest.mark.parametrize("command", ["pnpm install", "npm run build", "grep 'npm install' README.md", "x" * 10_000])
def test_other_commands_are_passed_over(here: Path, command: str) -> None:
    note(here)
    assert before(here, command) == ""


def test_a_note_that_is_superseded_rules_nothing_out(here: Path) -> None:
    update(Project(str(here)).graph, note(here), Fields(status="superseded"))
    assert before(here, "npm install") == ""
    assert (here / ".autology" / "cache" / "ruled-out-commands").read_text(encoding="utf-8") == ""


def test_the_words_of_ruled_out_commands_lie_beside_the_index(here: Path) -> None:
    note(here, "Never run `terraform apply`, and never run `npm install`.")
    assert (here / ".autology" / "cache" / "ruled-out-commands").read_text(encoding="utf-8") == "npm\nterraform apply\n"


@pytest.mark.parametrize("answer", enforcement.ANSWERS)
def test_what_the_user_enforces_is_answered_each_time_for_commands_and_edits(here: Path, answer: str) -> None:
    id = note(here)
    assert main(["enforce", id[:8], answer]) == 0
    for _ in range(2):
        result = before(here, "npm install")
        assert decision_of(result) == answer
        assert "never npm install" in result["hookSpecificOutput"]["permissionDecisionReason"]
    requests = {"file_path": str(here / "src" / "a.py"), "content": "print(1)\n"}
    values = {"hook_event_name": "PreToolUse", "tool_name": "Write", "tool_input": requests}
    assert decision_of(run("pre-edit", here, None, **values)) == answer
    assert main(["enforce", id[:8], "off"]) == 0
    assert "permissionDecision" not in json.dumps(before(here, "npm install"))


def test_a_changed_text_suspends_the_choice_until_it_is_made_again(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    id = note(here)
    main(["enforce", id, "deny"])
    update(Project(str(here)).graph, id, Fields(content=f"{RULE} Ask Ada."))
    assert "permissionDecision" not in json.dumps(before(here, "npm install"))
    capsys.readouterr()
    assert main(["enforce", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["enforced"][0]["state"] == "suspended"
    assert main(["doctor"]) == 1
    assert "suspended" in capsys.readouterr().out
    main(["enforce", id, "deny"])
    assert decision_of(before(here, "npm install")) == "deny"


def test_the_choice_is_with_the_user_and_nothing_of_it_in_the_project(here: Path, home: Path) -> None:
    id = note(here)
    earlier = {path: path.read_bytes() for path in here.rglob("*.md")}
    main(["enforce", id, "ask"])
    assert {path: path.read_bytes() for path in here.rglob("*.md")} == earlier
    assert id in (home / "data" / "enforced.json").read_text(encoding="utf-8")
    (here / ".autology" / "enforced.json").write_text(
        (home / "data" / "enforced.json").read_text(encoding="utf-8"), encoding="utf-8"
    )
    (home / "data" / "enforced.json").unlink()
    assert "permissionDecision" not in json.dumps(before(here, "npm install"))


@pytest.mark.parametrize(
    "stored", ["", "[]", "{", '{"x": 5}', '{"x": {"answer": "allow", "text": "", "title": "", "project": ""}}']
)
def test_a_file_that_cannot_be_read_enforces_nothing(here: Path, home: Path, stored: str) -> None:
    note(here)
    (home / "data").mkdir(exist_ok=True)
    (home / "data" / "enforced.json").write_text(stored, encoding="utf-8")
    assert "permissionDecision" not in json.dumps(before(here, "npm install"))


def test_a_command_that_claude_runs_does_not_decide(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    id = note(here)
    monkeypatch.setenv("CLAUDECODE", "1")
    assert main(["enforce", id, "deny"]) == 1
    assert "only you decide" in capsys.readouterr().err
    assert enforcement.load() == {}


def test_a_note_without_a_rule_cannot_be_enforced(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    id = note(here, "We like small functions.")
    assert main(["enforce", id, "deny"]) == 1
    assert "rules nothing out" in capsys.readouterr().err


def test_the_entry_point_turns_away_a_command_without_all_words_of_a_rule(tmp_path: Path) -> None:
    words = tmp_path / ".autology" / "cache" / "ruled-out-commands"
    words.parent.mkdir(parents=True)
    raw = [json.dumps({"tool_input": {"command": text}}).encode() for text in ("terraform apply", "terraform plan")]
    assert [boot.rules_out_its_words(str(tmp_path), line) for line in raw] == [False, False]  # no such file yet
    words.write_text("npm\nterraform apply\n", encoding="utf-8")
    assert [boot.rules_out_its_words(str(tmp_path), line) for line in raw] == [True, False]
    assert boot.rules_out_its_words(str(tmp_path), b'{"command": "\\u0074erraform apply"}')
    words.write_bytes(b"")
    assert not boot.rules_out_its_words(str(tmp_path), b'{"command": "\\u0074erraform apply"}')
