"""`autology init` lets git merge notes field by field, and `autology doctor` says when it cannot."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from autology.cli import merge_driver
from autology.core.nodes.merge_driver import Registration, examine
from autology.render.next_steps import for_terminal
from tests.plugin.fronts import environment, run
from tests.unit.cli_kit import git, repository

EXECUTABLE = pytest.mark.skipif("AUTOLOGY_EXECUTABLE" not in os.environ, reason="build.py test names the executable")


def run_json(project: Path, *arguments: str) -> Any:
    return json.loads(run(project, *arguments, "--json").stdout)


@EXECUTABLE
def test_init_registers_it_once_and_doctor_says_that_it_works(tmp_path: Path) -> None:
    repository(tmp_path)
    assert "git can merge branches' notes field by field" in run(tmp_path, "init", "--dry-run").stdout
    assert run_json(tmp_path, "init")["merge_driver"] is False  # nobody said yes
    assert "`autology init --yes` lets it merge them field by field." in run(tmp_path, "init").stdout
    assert "init --yes" not in run(tmp_path, "init", "--no-merge-driver").stdout
    assert run_json(tmp_path, "init", "--yes", "--no-merge-driver")["merge_driver"] is False
    assert not (tmp_path / ".autology" / ".gitattributes").exists()
    assert run_json(tmp_path, "init", "--yes")["merge_driver"] is True
    assert (tmp_path / ".autology" / ".gitattributes").read_text(encoding="utf-8") == "*.md merge=autology\n"
    config = (tmp_path / ".git" / "config").read_bytes()
    assert os.environ["AUTOLOGY_EXECUTABLE"].encode() in config
    again = run(tmp_path, "init", "--yes")
    assert "✓ git merges the notes of two branches field by field." in again.stdout
    assert (tmp_path / ".git" / "config").read_bytes() == config
    doctor = run_json(tmp_path, "doctor")
    assert {"area": "merges", "text": "notes field by field"} in doctor["facts"]


@EXECUTABLE
def test_doctor_reports_and_fixes_a_missing_or_broken_merge_driver(tmp_path: Path) -> None:
    repository(tmp_path)
    run_json(tmp_path, "init", "--yes")
    git(tmp_path, "config", "merge.autology.driver", "'/gone/autology.pyz' merge-driver %O %A %B %L %P")
    (finding,) = [f for f in run_json(tmp_path, "doctor")["findings"] if f["area"] == "merges"]
    assert "/gone/autology.pyz, which does not exist" in finding["problem"]
    git(tmp_path, "config", "--remove-section", "merge.autology")
    (finding,) = [f for f in run_json(tmp_path, "doctor")["findings"] if f["area"] == "merges"]
    assert "`autology init` registers it again" in finding["fix"]
    run_json(tmp_path, "init", "--yes")
    assert not [f for f in run_json(tmp_path, "doctor")["findings"] if f["area"] == "merges"]


@EXECUTABLE
def test_without_git_no_merge_driver_is_offered(tmp_path: Path) -> None:
    assert run_json(tmp_path, "init", "--yes")["merge_driver"] is False
    assert not [fact for fact in run_json(tmp_path, "doctor")["facts"] if fact["area"] == "merges"]


def test_files_that_are_not_there_are_no_conflict_but_a_driver_that_gave_up(tmp_path: Path) -> None:
    done = run(tmp_path, "merge-driver", "base.md", "ours.md", "theirs.md", "7", "note.md")
    assert done.returncode == 2
    assert "Give three files" in done.stderr


def test_a_project_that_was_never_asked_is_no_finding() -> None:
    report = examine(Registration(False, None), [])
    assert report.findings == ()
    assert "`autology init` offers" in for_terminal(report.facts[0][1])


def test_a_merge_whose_time_is_up_is_left_to_git(tmp_path: Path) -> None:
    program = (
        "from autology.cli import merge_driver, screen\n"
        "decided = merge_driver._deadline({}, screen.Screen())\n"
        "{}\n"
        "import time; time.sleep(2)\n"
    )
    for seconds, then, code in (("0.1", "", merge_driver.LEFT_TO_GIT), ("0.5", "decided.acquire()", 0)):
        done = subprocess.run(
            [sys.executable, "-c", program.format(seconds, then)], env=environment(), cwd=tmp_path, capture_output=True
        )
        assert done.returncode == code, done.stderr
        assert (b"git merge-file" in done.stderr) == bool(code)
