"""The review on a terminal: every answer is kept at once, a wrong one is asked again, and stopping loses nothing."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.unit.cli_kit import SERVER, repository, run_json

if sys.platform == "win32":
    pytest.skip("Windows has no pseudo-terminals", allow_module_level=True)

import pty

PATIENCE = 60.0
HALF = "## Decision\n\n{}.\n"
WHOLE = "## Context\n\nSlow.\n\n## Decision\n\nOnce.\n\n## Alternatives\n\n- Twice.\n\n## Consequences\n\nLess.\n"
QUESTION = "[q]uit "


class Terminal:
    """The review of *project* on a terminal of its own."""

    def __init__(self, project: Path, editor: str = "true") -> None:
        self.ours, theirs = pty.openpty()
        controlled = "import os, sys; os.close(os.open(os.ttyname(0), os.O_RDWR))"  # so that Ctrl-C reaches it
        started = "from autology.__main__ import main; sys.exit(main(sys.argv[1:]))"
        code = f"{controlled}; sys.path.insert(0, {str(SERVER)!r}); {started}"
        self.process = subprocess.Popen(
            [sys.executable, "-c", code, "review", "--project", str(project)],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env={**os.environ, "EDITOR": editor, "VISUAL": editor, "NO_COLOR": "1", "TERM": "dumb"},
            start_new_session=True,
        )
        os.close(theirs)
        self.seen = ""

    def until(self, text: str) -> str:
        """Return what was shown since the last answer, up to *text*."""
        end = time.monotonic() + PATIENCE
        while text not in self.seen:
            assert time.monotonic() < end, f"'{text}' was not shown: {self.seen}"
            if not select.select([self.ours], [], [], 1.0)[0]:
                continue
            try:
                self.seen += os.read(self.ours, 4096).decode("utf-8", "replace").replace("\r\n", "\n")
            except OSError:  # it ended
                break
        assert text in self.seen, self.seen
        shown, _, self.seen = self.seen.partition(text)
        return shown + text

    def answer(self, line: str) -> None:
        os.write(self.ours, f"{line}\n".encode())

    def press(self, key: bytes) -> None:
        os.write(self.ours, key)

    def ended(self) -> int:
        return self.process.wait(PATIENCE)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(PATIENCE)
        os.close(self.ours)


@pytest.fixture
def project(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    root = tmp_path / "project"
    (root / ".autology").mkdir(parents=True)
    repository(root)
    for title in ("First", "Second", "Third"):
        requests = ("capture", "--title", title, "--content", HALF.format(title), "--type", "decision")
        run_json(capsys, *requests, project=root)
    return root


@pytest.fixture
def terminals() -> Iterator[list[Terminal]]:
    opened: list[Terminal] = []
    yield opened
    for each in opened:
        each.close()


@pytest.fixture
def terminal(project: Path, terminals: list[Terminal]) -> Terminal:
    terminals.append(Terminal(project))
    return terminals[0]


def texts(project: Path) -> dict[str, str]:
    """Return the nodes' files by their titles."""
    content = [path.read_text(encoding="utf-8") for path in project.glob(".autology/nodes/decisions/*.md")]
    return {text.split("\n# ", 1)[1].split("\n", 1)[0]: text for text in content}


def shown(text: str) -> str:
    """Return the title that is asked about."""
    return next(title for title in ("First", "Second", "Third") if f"  {title}  (" in text)


def test_review_answers_given_before_ctrl_c_are_kept(project: Path, terminal: Terminal) -> None:
    kept = shown(terminal.until(QUESTION))
    terminal.answer("k")
    terminal.until("reason (saved in the note): ")
    terminal.answer("it holds")
    terminal.until("kept")
    requests = shown(terminal.until(QUESTION))
    terminal.answer("k")
    terminal.until("reason (saved in the note): ")
    terminal.press(b"\x03")
    terminal.until("2 notes left for later.")
    assert terminal.ended() == 1
    after = texts(project)
    assert "status: active" in after[kept]
    assert "kept: it holds" in after[kept]
    assert "reviews:" not in after[requests]


@pytest.mark.parametrize("at_once", [True, False])
def test_end_of_input_stops_the_review_and_answers_nothing(project: Path, terminal: Terminal, at_once: bool) -> None:
    before = texts(project)
    terminal.until(QUESTION)
    if not at_once:
        terminal.answer("k")
        terminal.until("reason (saved in the note): ")
    terminal.press(b"\x04")
    terminal.until("3 notes left for later.")
    assert terminal.ended() == 1
    assert texts(project) == before


def test_a_wrong_answer_and_a_wrong_id_are_asked_again(project: Path, terminal: Terminal) -> None:
    before = texts(project)
    terminal.until(QUESTION)
    terminal.answer("what?")
    terminal.until("Unknown answer 'what?'.")
    terminal.until(QUESTION)
    terminal.answer("s")
    terminal.until("id of the replacement: ")
    terminal.answer("ffffffff")
    terminal.until("not found")
    terminal.until(QUESTION)
    terminal.answer("")
    terminal.until("left for later")
    terminal.until(QUESTION)
    terminal.answer("q")
    assert terminal.ended() == 1
    assert texts(project) == before


def test_answering_every_review_question_settles_all_notes(project: Path, terminal: Terminal) -> None:
    for _ in range(3):
        terminal.until(QUESTION)
        terminal.answer("k")
        terminal.until("reason (saved in the note): ")
        terminal.answer("")
    assert terminal.ended() == 0
    assert all("status: active" in text for text in texts(project).values())


def test_text_from_the_editor_is_saved_or_reopened(
    project: Path, tmp_path: Path, terminals: list[Terminal], capsys: pytest.CaptureFixture[str]
) -> None:
    for title in ("First", "Second", "Third"):
        id = next(
            path.stem for path in project.glob(".autology/nodes/decisions/*.md") if title in path.read_text("utf-8")
        )
        if title == "First":
            run_json(capsys, "update", id, "--content", WHOLE, "--status", "active", project=project)
            path = project / f".autology/nodes/decisions/{id}.md"
            path.write_text(path.read_text("utf-8").replace("Once.", "Sometimes."), encoding="utf-8")  # breaks its seal
        else:
            run_json(capsys, "delete", id, "--yes", project=project)
    editor = tmp_path / "editor.py"
    editor.write_text(
        "import pathlib, sys\nfile = pathlib.Path(sys.argv[1])\ntext = file.read_text('utf-8')\n"
        "file.write_text(text + '\\nOnce more.\\n', 'utf-8')\n",
        encoding="utf-8",
    )
    terminals.append(Terminal(project, f"{sys.executable} {editor}"))
    terminal = terminals[0]
    terminal.until(QUESTION)
    terminal.answer("u")
    terminal.until("reason (saved in the note): ")
    terminal.answer("")
    terminal.until("an accepted text would change")
    terminal.until("opens again): ")
    terminal.answer("agreed on")
    terminal.until("amended")
    assert terminal.ended() == 0
    (text,) = texts(project).values()
    assert text.count("Once more.") == 2
    assert "amended: agreed on" in text
