"""A measurement that reads other projects' texts says so where they are absent, and fails."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bench import material

MEASUREMENTS = [
    file.stem
    for file in sorted((material.ROOT / "bench").glob("*.py"))
    if "from bench.material import" in file.read_text(encoding="utf-8")
]


def run(name: str, shared: Path) -> subprocess.CompletedProcess[str]:
    paths = os.pathsep.join([str(material.ROOT / "server"), str(material.ROOT)])
    environment = {**os.environ, "PYTHONPATH": paths, material.VARIABLE: str(shared)}
    command = [sys.executable, str(material.ROOT / "bench" / f"{name}.py")]
    return subprocess.run(command, cwd=shared, env=environment, capture_output=True, encoding="utf-8", check=False)


def test_every_measurement_that_reads_them_takes_the_folder_from_one_place() -> None:
    assert len(MEASUREMENTS) >= 11
    files = (material.ROOT / "bench").rglob("*.py")
    assert [file.stem for file in files if material.VARIABLE in file.read_text(encoding="utf-8")] == ["material"]


@pytest.mark.parametrize("name", MEASUREMENTS)
def test_without_the_texts_it_fails_with_the_next_step_in_one_line(tmp_path: Path, name: str) -> None:
    done = run(name, tmp_path)
    assert done.returncode == 1
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.startswith(str(tmp_path))
    assert f"set {material.VARIABLE} to the folder that holds bench/" in line


def test_the_folder_in_use_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bench" / "corpora").mkdir(parents=True)
    monkeypatch.setenv(material.VARIABLE, str(tmp_path))
    assert material.corpora() == tmp_path / "bench" / "corpora"
    assert capsys.readouterr().err == f"reading {(tmp_path / 'bench' / 'corpora').resolve()}\n"
