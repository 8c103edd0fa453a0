"""The release for every target, installed in the client, on each Python of this machine: `build.py everywhere`."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from buildtools import targets
from buildtools.project import Project
from tests.e2e.acceptance import Report, accept
from tests.e2e.driving import ROOT
from tests.plugin.executable_standin import base_python


def pythons() -> dict[str, str]:
    """Each Python of this machine that is served, by its tag."""
    known = targets.everything(Project.at(ROOT))
    return {target.tag: str(target.python) for target in known if target.runs_here()}


PYTHONS = pythons()  # Looked for before the tests get homes of their own.


@pytest.fixture(scope="session")
def everywhere(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The release as it is published."""
    folder = tmp_path_factory.mktemp("everywhere") / "autology"
    command = [base_python(), str(ROOT / "build.py"), "release", "--all", str(folder)]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.mark.parametrize("tag", PYTHONS)
def test_what_is_installed_passes_every_check_of_the_driver_unpacked_or_not_yet(
    client: Path, everywhere: Path, tmp_path: Path, tag: str, capsys: pytest.CaptureFixture[str]
) -> None:
    environment = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    failed = {}
    for state in ("cold", "warm"):
        (tmp_path / state).mkdir()
        folder = tmp_path / state
        report = accept(client, everywhere, folder, install=True, environment=environment, python=PYTHONS[tag])
        failed[state] = report.failed
        with capsys.disabled():
            print(row(tag, state, report))
    assert failed == {"cold": [], "warm": []}
    [copy] = (tmp_path / "cache" / "autology" / "app").glob("*-cp*")
    assert f"-{tag}-" in copy.name


def row(tag: str, state: str, report: Report) -> str:
    """A line of the table: how many checks passed, when the first request came, and how busy the machine was."""
    passed = sum(held for _, held, _ in report.checks)
    busy = f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()}"
    return f"\n| {tag} | {state} | {passed} of {len(report.checks)} | {report.first_request:.2f} s | {busy} |"
