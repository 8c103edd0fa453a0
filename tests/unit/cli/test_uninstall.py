"""``autology uninstall`` names every trace and removes nothing; its commands do."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from autology import places
from tests.unit.cli_kit import autology, git, repository, run_json

CAPTURE = ("capture", "--title", "Use SQLite", "--type", "decision", "--content", "For the index.")


def test_a_machine_without_traces_is_told_only_how_to_remove_the_plugin(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    result = run_json(capsys, "uninstall", project=tmp_path)
    assert result["plugin"][0] == "claude plugin uninstall autology@autology"
    assert result["projects"] == []


@pytest.mark.skipif(os.name == "nt", reason="the commands are those of a POSIX shell")
def test_the_commands_remove_everything_that_a_project_and_its_user_have(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project = repository(tmp_path / "it's a project")
    git(project, "config", "merge.autology.driver", "autology merge-driver %O %A %B")
    assert autology(*CAPTURE, project=project) == 0
    Path(places.config_file()).parent.mkdir(parents=True, exist_ok=True)
    Path(places.config_file()).write_text("archive: false\n", encoding="utf-8")
    Path(places.data_dir()).mkdir(parents=True, exist_ok=True)
    copies = Path(places.client_folder(), "plugins", "cache", "autology")
    (copies / "autology" / "0.1.0").mkdir(parents=True)
    capsys.readouterr()
    result = run_json(capsys, "uninstall", project=project)
    [listed] = result["projects"]
    assert (listed["path"], listed["notes"], listed["merge_driver"]) == (str(project), 1, True)
    assert {trace["path"] for trace in result["traces"]} >= {places.data_dir(), places.config_file(), str(copies)}
    assert (project / ".autology").is_dir()
    for command in [*listed["remove"], *(trace["remove"] for trace in result["traces"])]:
        subprocess.run(command, shell=True, check=True)
    assert run_json(capsys, "uninstall", project=project) == {**result, "traces": [], "projects": []}


def test_people_read_what_each_trace_holds_and_that_nothing_is_removed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project = repository(tmp_path / "project")
    assert autology(*CAPTURE, project=project) == 0
    capsys.readouterr()
    assert autology("uninstall", project=project) == 0
    output = capsys.readouterr().out
    assert "removes nothing" in output
    assert "1 note, which belong to you" in output
    assert (project / ".autology").is_dir()
