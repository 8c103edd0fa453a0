"""What doctor says on Windows of the `python3` that the client starts, tried with stand-ins for the programs there."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from autology.cli import client_python
from autology.cli.client_python import COPY, INSTALL

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the stand-ins are shell scripts")

ALIAS = "echo 'Python was not found; run without arguments to install from the Microsoft Store' >&2; exit 49"


def program(folder: Path, name: str, body: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / name
    file.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    file.chmod(0o755)
    return file


@pytest.fixture
def path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[Path]:
    """The folders of the PATH: one of a Python from python.org, then the one of the Microsoft Store."""
    folders = [tmp_path / "Python313", tmp_path / "Microsoft" / "WindowsApps"]
    program(folders[0], "python.exe", "echo 3.13.2")
    monkeypatch.setattr(sys, "executable", str(folders[0] / "python.exe"))
    monkeypatch.setenv("PATH", os.pathsep.join(map(str, folders)))
    return folders


def fix() -> str:
    [finding] = client_python.examine().findings
    assert finding.area == "python3"
    assert finding.problem.startswith("Claude Code cannot start the server and the hooks: it starts `python3`, and ")
    return finding.fix


@pytest.mark.parametrize("name", ["python3.exe", "python3.bat"])
def test_a_python3_that_starts_is_reported_with_its_version(path: list[Path], name: str) -> None:
    file = program(path[1], name, "echo 3.12.9")
    report = client_python.examine()
    assert report.facts == (("python3", f"3.12.9, {file}"),)
    assert report.findings == ()


def test_without_python3_the_python_on_the_path_is_to_be_copied(path: list[Path]) -> None:
    assert fix().startswith(f"Run `{COPY}`")
    assert "no python3.exe is on the PATH" in client_python.examine().findings[0].problem


def test_the_alias_of_the_store_is_named_as_one(path: list[Path]) -> None:
    program(path[1], "python3.exe", ALIAS)
    assert fix().startswith(f"Run `{COPY}`")
    [finding] = client_python.examine().findings
    assert "python3.exe, an alias of the Microsoft Store, starts no Python" in finding.problem


def test_a_copy_that_would_be_found_after_the_alias_is_not_proposed(
    path: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    program(path[1], "python3.exe", ALIAS)
    monkeypatch.setenv("PATH", os.pathsep.join(map(str, reversed(path))))
    assert fix().startswith(f"Run `{INSTALL}`")


def test_a_python_that_is_not_on_the_path_is_not_copied(path: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(path[1]))
    assert fix().startswith(f"Run `{INSTALL}`")


@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may write anywhere")
def test_a_copy_that_would_take_an_administrator_is_not_proposed(path: list[Path]) -> None:
    path[0].chmod(0o555)
    assert fix().startswith(f"Run `{INSTALL}`")
    path[0].chmod(0o755)


def test_a_python3_in_the_current_folder_is_not_started(
    path: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path / "repository", "python3.exe", f"touch '{tmp_path / 'started'}'; echo 3.13.2")
    monkeypatch.chdir(tmp_path / "repository")
    monkeypatch.setenv("PATH", os.pathsep.join([".", "", str(path[0])]))
    assert "no python3.exe is on the PATH" in client_python.examine().findings[0].problem
    assert not (tmp_path / "started").exists()


def test_the_command_is_the_same_in_every_shell_and_makes_the_copy(path: list[Path]) -> None:
    assert not set(COPY) & set("$%!`\\^&|<>")
    code = COPY.removeprefix('python -c "').removesuffix('"')
    exec(code.replace("sys.executable", repr(str(path[0] / "python.exe"))), {})
    assert (path[0] / "python3.exe").read_bytes() == (path[0] / "python.exe").read_bytes()
