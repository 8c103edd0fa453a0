"""Where tests that write a thousand projects do so."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

MEMORY = Path("/dev/shm")


@pytest.fixture
def quick_path(tmp_path: Path) -> Iterator[Path]:
    """An empty folder, in memory where the system has such: what counts here is the order of calls, not the disk."""
    if not MEMORY.is_dir():
        yield tmp_path
        return
    made = Path(tempfile.mkdtemp(prefix="autology-", dir=MEMORY))
    yield made
    shutil.rmtree(made, ignore_errors=True)
