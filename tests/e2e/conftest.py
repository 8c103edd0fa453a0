"""What the end-to-end tests stand on: the client, and the plugin as users get it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e.driving import ROOT, Claude
from tests.plugin.executable_standin import base_python

INSTALL = "python3 build.py test tests/e2e"


@pytest.fixture(scope="session")
def client() -> Path:
    """The real client's program."""
    installed = ROOT / ".build" / "client" / "node_modules" / "@anthropic-ai" / "claude-code" / "bin" / "claude.exe"
    program = Path(os.environ.get("AUTOLOGY_CLIENT") or installed)
    if not program.is_file():
        pytest.fail(f"these tests drive the client, and there is none at {program}: `{INSTALL}` installs it")
    return program


@pytest.fixture(scope="session")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The plugin as users get it; built first, unless it is up to date."""
    folder = tmp_path_factory.mktemp("release") / "autology"
    command = [base_python(), str(ROOT / "build.py"), "release", str(folder)]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="session")
def start(client: Path, release: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Claude]:
    """Makes a client with a home and a project of its own, and the plugin loaded."""
    return lambda: Claude(client, tmp_path_factory.mktemp("client"), release)


@pytest.fixture
def claude(start: Callable[[], Claude]) -> Claude:
    """A client with the plugin, in a project that has nothing yet."""
    return start()
