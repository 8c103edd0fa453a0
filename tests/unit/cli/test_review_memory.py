"""The client's own memory compared with the notes: what repeats or contradicts them, promoted or struck by consent."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from autology import places
from autology.cli import main
from autology.core.nodes.capture import Material, capture
from autology.transcripts.claude_code import project_folder
from autology.wire.project import Project

MEMORY = """\
# Memory

- Payment jobs are retried five times before they go to the dead letter queue.
- Releases are signed with minisign on the build machine.
- The user prefers short answers.
"""


@pytest.fixture
def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The client's memory of a project with two notes, in which commands run."""
    client, root = tmp_path / "client", tmp_path / "project"
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(client))
    monkeypatch.delenv("CLAUDE_CODE_DISABLE_AUTO_MEMORY", raising=False)
    folder = client / "projects" / project_folder(str(root)) / "memory"
    folder.mkdir(parents=True)
    (folder / "MEMORY.md").write_text(MEMORY, encoding="utf-8")
    (root / ".autology").mkdir(parents=True)
    monkeypatch.chdir(root)
    graph = Project(str(root)).graph
    jobs = "Payment jobs are retried three times before they go to the dead letter queue."
    capture(graph, Material("Retry payment jobs", jobs, type="convention"))
    signing = "Releases are signed with minisign on the build machine."
    capture(graph, Material("Sign releases", signing, type="convention"))
    return folder / "MEMORY.md"


def answer_of(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, object]:
    main(["review", "--memory", *words, "--json"])
    answer: dict[str, object] = json.loads(capsys.readouterr().out)
    return answer


def test_lines_that_repeat_or_contradict_a_note_are_listed(memory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["review", "--memory"]) == 1
    out = capsys.readouterr().out
    assert "MEMORY.md:3  contradicts  Retry payment jobs" in out
    assert "MEMORY.md:4  repeats  Sign releases" in out
    assert "short answers" not in out
    assert memory.read_text(encoding="utf-8") == MEMORY


def test_a_line_is_promoted_to_a_note_and_stays(memory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answer = answer_of(capsys, "--promote", "MEMORY.md:5")
    assert answer["title"] == "The user prefers short answers."
    assert memory.read_text(encoding="utf-8") == MEMORY


def test_a_line_is_struck_only_with_consent_and_kept(memory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["review", "--memory", "--strike", "MEMORY.md:4"]) != 0
    assert "consent" in capsys.readouterr().err
    assert memory.read_text(encoding="utf-8") == MEMORY
    answer_of(capsys, "--strike", "MEMORY.md:4", "--yes")
    line = MEMORY.split("\n")[3]
    assert memory.read_text(encoding="utf-8") == MEMORY.replace(f"{line}\n", "")
    kept = Path(places.data_dir()) / "client-memory-struck.jsonl"
    assert json.loads(kept.read_text(encoding="utf-8").splitlines()[-1])["text"] == line
    assert [one["line"] for one in answer_of(capsys)["memory"]] == ["MEMORY.md:3"]  # type: ignore[attr-defined]


def test_a_line_that_is_none_is_refused(memory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["review", "--memory", "--strike", "MEMORY.md:99", "--yes"]) != 0
    assert "names no statement" in capsys.readouterr().err
    assert memory.read_text(encoding="utf-8") == MEMORY
