"""The executable between two homes: what one machine stored and said is found on the other, and it says from where."""

from __future__ import annotations

import json
import os
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import places
from tests.fakes.transcripts import Session
from tests.plugin.executable_standin import base_python

EXECUTABLE = os.environ.get("AUTOLOGY_EXECUTABLE", "")
pytestmark = pytest.mark.skipif(not EXECUTABLE, reason="build.py test names the executable")
FACT = "The mailer retries three times before it gives up."


class Home:
    """A home with a clone of one project to stand in."""

    def __init__(self, root: Path, name: str) -> None:
        self.folder = root / name
        self.home = self.folder / "home"
        self.home.mkdir(parents=True)
        self.environment = {**os.environ, **places(self.home)}
        self.clone = self.folder / "app"
        (self.clone / ".git").mkdir(parents=True)
        url = '[remote "origin"]\n\turl = https://example.org/ada/app.git\n'
        (self.clone / ".git" / "config").write_text(url, encoding="utf-8")
        self.name = name

    def run(self, *arguments: str) -> str:
        command = [base_python(), "-I", "-S", EXECUTABLE, *arguments]
        done = subprocess.run(command, env=self.environment, cwd=self.clone, capture_output=True, timeout=300)
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode("utf-8")

    def data(self, *arguments: str) -> Any:
        return json.loads(self.run(*arguments, "--json"))


def test_what_one_machine_stored_and_said_is_found_on_the_other(tmp_path: Path) -> None:
    laptop, desktop = (Home(tmp_path, name) for name in ("laptop", "desktop"))
    place = str(tmp_path / "synced")
    laptop.run("memory", "store", "--kind", "observation", "--scope", "org=acme", "--id", "mailer", FACT)
    session = Session(laptop.home, folder=str(laptop.clone), begin=datetime.now(UTC) - timedelta(days=3, hours=2))
    session.user("how long does the invoice cache live")
    session.assistant("We decided to keep invoices for 40 minutes, because prices change hourly.")

    assert "Nothing is encrypted" in laptop.run("mirror", place, "--name", "laptop")
    received = desktop.data("mirror", place, "--name", "desktop")

    assert (received["memories"]["received"], received["sessions"]["received"]) == (["mailer"], 1)
    assert [item["content"] for item in desktop.data("memory", "find", "mailer retries")["items"]] == [FACT]
    recalled = desktop.run("recall", "--project", ".", "invoice cache")
    assert "3 days ago on laptop" in recalled
    assert "keep invoices for 40 minutes" in recalled
    assert session.id in desktop.run("sessions", "--handoff", session.id[:8])
