"""The release for every target, installed in the client, on each Python of this machine: `build.py everywhere`."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from types import ModuleType

import pytest

from buildtools import targets
from buildtools.project import Project
from tests.e2e.driving import ROOT
from tests.e2e.test_client_acceptance import acceptance
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
    e2e: ModuleType, client: Path, everywhere: Path, tmp_path: Path, tag: str, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ("--install", "--env", f"XDG_CACHE_HOME={tmp_path / 'cache'}")
    found = {}
    for state in ("cold", "warm"):
        (tmp_path / state).mkdir()
        found[state] = acceptance(e2e, client, everywhere, tmp_path / state, *options, python=PYTHONS[tag])
        with capsys.disabled():
            print(row(tag, state, tmp_path / state / "report.json"))
    assert found == {"cold": [], "warm": []}
    [copy] = (tmp_path / "cache" / "autology" / "app").glob("*-cp*")
    assert f"-{tag}-" in copy.name


def row(tag: str, state: str, report: Path) -> str:
    """A line of the table: how many checks passed, when the first question came, and how busy the machine was."""
    checks = json.loads(report.read_text(encoding="utf-8"))["checks"]
    passed = sum(check["ok"] for check in checks)
    [first] = [check["detail"] for check in checks if check["check"].startswith("first request")] or ["never"]
    busy = f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()}"
    return f"\n| {tag} | {state} | {passed} of {len(checks)} | first request after {first} | {busy} |"
