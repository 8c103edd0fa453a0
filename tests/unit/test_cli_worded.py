"""Fixes in a terminal are commands that can be typed there; programs keep the calls."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from autology.cli import main, program
from autology.cli.worded import as_commands
from autology.core.analysis.finding import call
from tests.unit.cli_kit import autology, told

CALLS = [
    (call("autology_delete", id="1"), "`autology delete 1`"),
    (call("autology_relate", source="1", target="2", type="supersedes"), "`autology relate 1 supersedes 2`"),
    (call("autology_unrelate", source="1", target="2", type="uses"), "`autology unrelate 1 uses 2`"),
    (call("autology_update", id="1", content="… as it is now"), "`autology update 1 --edit`"),
    (call("autology_update", id="1", references=[]), "`autology update 1 --references`"),
    (call("autology_update", id="1", tags=["a", "b c"], status="active"),
     "`autology update 1 --tags a 'b c' --status active`"),
    (call("autology_query", related_to="1"), "`autology query --related-to 1`"),
    (call("autology_capture", title="Why's that", content="…", type="decision", supersedes=["1"]),
     """`autology capture --title 'Why'"'"'s that' --edit --type decision --supersedes 1`"""),
    (f"{call('autology_delete', id='1')}, or {call('autology_update', id='2', status='active')}",
     "`autology delete 1`, or `autology update 2 --status active`"),
    (call("autology_capture", title="T", content="…", relations=[{"type": "relates_to", "target": "1"}]),
     "`autology capture --title T --edit --relations relates_to=1`"),
    ("autology_update {cut of", "autology_update {cut of"),
    ("Merge the two files.", "Merge the two files."),
]  # fmt: skip


@pytest.mark.parametrize(("fix", "typed"), CALLS)
def test_a_suggested_tool_call_is_printed_as_the_equivalent_command(fix: str, typed: str) -> None:
    assert as_commands(fix) == typed
    for words in typed.split("`")[1::2]:
        _, name, *given = shlex.split(words)
        command = next(each for each in program.COMMANDS if each.name == name)
        program.parser(command, program.load(command)).parse_args(given)


def test_analysis_in_a_terminal_names_commands_and_data_names_tools(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    autology("capture", "--title", "Alone", "--content", "x", "--references", "src/gone.py", project=tmp_path)
    capsys.readouterr()
    assert autology("analyze", "--all", project=tmp_path) == 0
    shown = capsys.readouterr().out
    assert "fix: `autology update " in shown
    assert "autology_" not in shown
    assert all(each["fix"].startswith("autology_") for each in told(capsys, "analyze", project=tmp_path)["findings"])
    main(["lint", "--format", "github", "--project", str(tmp_path)])
    said = capsys.readouterr().out
    assert "`autology update " in said
    assert "autology_" not in said
