"""Tests cannot touch the home of whoever runs them."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from autology import places
from tests.conftest import REAL_HOME


def test_a_test_has_a_home_of_its_own(home: Path) -> None:
    assert Path("~").expanduser() == home
    assert home != REAL_HOME
    for place in (places.data_dir(), places.cache_dir(), places.config_file()):
        assert Path(place).is_relative_to(home)


def test_processes_started_by_a_test_use_its_home(home: Path) -> None:
    ask = "import os; print(os.path.expanduser('~')); print([n for n in os.environ if n.startswith('CLAUDE_')])"
    done = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [str(home), "[]"]


def test_the_real_home_is_refused_by_whatever_way() -> None:
    real = REAL_HOME / ".local" / "share" / "autology"
    with pytest.raises(PermissionError, match="a test must not touch"):
        (real / "note").open("w")
    with pytest.raises(PermissionError, match="a test must not touch"):
        os.makedirs(real / "memory")  # noqa: PTH103 - the way the product makes folders
    with pytest.raises(PermissionError, match="a test must not touch"):
        sqlite3.connect(str(REAL_HOME / ".cache" / "autology" / "index.sqlite"))
    assert not (real / "memory").exists()
