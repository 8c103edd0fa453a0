"""What people see on a terminal: lines that fit it, that long work goes on, and errors on one line."""

from __future__ import annotations

import os
import re
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from autology.cli import commands, main, parser
from autology.cli.json_keys import snake_case
from autology.text.line_wrap import width
from tests.unit.cli_kit import SERVER, autology, run_json

if sys.platform == "win32":
    pytest.skip("Windows has no pseudo-terminals", allow_module_level=True)

import fcntl
import pty
import termios

LONG = "We keep orders in PostgreSQL, since it has transactions and MySQL lost some of them twice in one week. " * 4
STARTED = "from autology.__main__ import main; sys.exit(main(sys.argv[1:]))"
_STYLE = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


def shown(code: str, columns: int, *words: str) -> list[str]:
    """Return the lines that *code*, run with *words*, shows on a terminal of that many *columns*."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "NO_COLOR")}
    code = f"import sys; sys.path.insert(0, {str(SERVER)!r}); {code}"
    process = subprocess.Popen(
        [sys.executable, "-c", code, *words], stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs,
        env={**environment, "TERM": "xterm"},
    )  # fmt: skip
    os.close(theirs)
    data = b""
    while True:
        try:
            part = os.read(ours, 65_536)
        except OSError:  # Linux reports the end so
            break
        if not part:
            break
        data += part
    os.close(ours)
    process.wait(60)
    return data.decode().replace("\r\n", "\n").split("\n")


def command(columns: int, *words: str) -> list[str]:
    """Return the lines that a command shows, without their styles."""
    return [_STYLE.sub("", line).rpartition("\r")[2] for line in shown(STARTED, columns, *words)]


@pytest.fixture
def project(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    for number in range(3):
        run_json(capsys, "capture", "--title", f"Orders, part {number}", "--content", LONG, project=tmp_path)
    return tmp_path


@pytest.mark.parametrize("columns", [80, 140])
def test_every_line_fits_the_terminal(project: Path, columns: int) -> None:
    for words in (["status"], ["search", "orders"], ["query", "orders"], ["graph"], ["doctor"], ["memory", "status"]):
        lines = command(columns, *words, "--project", str(project))
        assert len(lines) > 1
        whole = [line for line in lines if width(line) > columns and len(line.split()) > 1 and "`" not in line]
        assert whole == [], words
    assert max(map(width, command(columns, "--help"))) <= columns
    snippets = command(columns, "search", "orders", "--project", str(project))
    assert max(map(width, snippets)) > columns - 20  # and it is used


def test_long_work_shows_that_it_goes_on_and_nothing_of_it_is_left() -> None:
    code = "import time; from autology.cli.screen import Screen; screen = Screen(); "
    code += "screen.begin('counting'); time.sleep(1.6); screen.line('done')"
    text = "\n".join(shown(code, 80))
    assert "counting… 1 s" in text
    assert text.endswith("\r\x1b[Kdone\n")
    code = code.replace("sleep(1.6)", "sleep(0.01)")
    assert shown(code, 80) == ["done", ""]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["query", "--nope"], "autology query: unknown option --nope. Did you mean --type?"),
        (["query", "--limit", "x"], "autology query: invalid --limit 'x': expected a whole number from 1 to 100"),
        (["path", "a"], "autology path: the following arguments are required: B. `autology path --help` lists them."),
        (["nosuch"], "autology: unknown command 'nosuch'. `autology --help` lists the commands."),
    ],
)
def test_a_usage_error_is_one_line(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    assert capsys.readouterr() == ("", f"{message}\n")


def test_keys_of_json_are_in_snake_case(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def keys(value: object) -> set[str]:
        if isinstance(value, dict):
            return {*value, *(key for item in value.values() for key in keys(item))}
        return {key for item in value for key in keys(item)} if isinstance(value, list) else set()

    memory = run_json(capsys, "memory", "store", "The cache holds 40 entries.", "--kind", "todo", project=project)
    queries = [["status"], ["query", "orders", "--explain"], ["search", "orders"], ["analyze"], ["memory", "status"]]
    answers = [memory, *(run_json(capsys, *words, project=project) for words in queries)]
    assert [key for answer in answers for key in sorted(keys(answer)) if re.search("[a-z][A-Z]", key)] == []
    assert snake_case({"totalNodes": [{"byType": 1}], "CITES": 1, "docs/aB.md": 1}) == {
        "total_nodes": [{"by_type": 1}], "CITES": 1, "docs/aB.md": 1,
    }  # fmt: skip


def test_the_documented_keys_of_json_are_in_snake_case() -> None:
    for one in commands.commands():
        for action in (one, *commands.actions(one.name)):
            assert re.findall(r"\b[a-z]+[A-Z]\w*", action.load().JSON) == [], action.name
            assert parser.build(one)


def test_a_closed_pipe_is_no_error(project: Path) -> None:
    started = f"import sys; sys.path.insert(0, {str(SERVER)!r}); {STARTED}"
    assert autology("query", "orders", project=project) == 0
    for words in (["search", "orders"], ["search", "orders", "--json"], ["status"], ["export", "--format", "json"]):
        process = subprocess.Popen(
            [sys.executable, "-c", started, *words, "--project", str(project)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        assert process.stdout is not None
        process.stdout.close()
        assert (process.communicate(timeout=60)[1], process.returncode) == (b"", 0), words
