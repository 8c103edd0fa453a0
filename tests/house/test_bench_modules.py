"""Every measurement can be started: what it imports and what it reads is still there."""

from __future__ import annotations

import re
import runpy
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).resolve().parents[2] / "bench"
MEASUREMENTS = sorted(file for folder in (BENCH, BENCH / "published") for file in folder.glob("*.py"))


@pytest.mark.parametrize("file", MEASUREMENTS, ids=[file.stem for file in MEASUREMENTS])
def test_a_measurement_finds_what_it_imports(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = set(sys.modules)
    monkeypatch.syspath_prepend(str(file.parent))
    monkeypatch.setattr(sys, "path", list(sys.path))  # some add the server's folder
    try:
        runpy.run_path(str(file), run_name="imported")
    finally:
        for name in set(sys.modules) - before:
            if (where := getattr(sys.modules[name], "__file__", None)) and Path(where).parent in (BENCH, file.parent):
                del sys.modules[name]  # the next one imports it in its own order


PATH_IN_TESTS = re.compile(r'"tests"((?: / "[\w.-]+")+)')


def test_the_labels_that_measurements_read_are_there() -> None:
    paths = {
        (file.name, match[1].replace('"', "").replace(" ", "").lstrip("/"))
        for file in MEASUREMENTS
        for match in PATH_IN_TESTS.finditer(file.read_text(encoding="utf-8"))
    }
    assert len(paths) > 5
    assert [(name, path) for name, path in sorted(paths) if not (BENCH.parent / "tests" / path).exists()] == []
