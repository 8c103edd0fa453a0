"""A disk that takes nothing any more: status and doctor say so, whatever the permissions are."""

from __future__ import annotations

import errno
import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from autology.core.nodes.capture import Material, capture
from autology.files import memory_folder
from autology.wire.project import Project
from tests.durability.test_refused import fill, in_a_child, small_disk
from tests.plugin.fronts import command, environment
from tests.plugin.served import served

__all__ = ["small_disk"]  # a fixture
posix = pytest.mark.skipif(not hasattr(os, "fork"), reason="limits and permissions are those of POSIX")
FULL = os.strerror(errno.ENOSPC)


def a_project(root: Path) -> Path:
    root.mkdir(exist_ok=True)
    capture(Project(str(root)).graph, Material("A note", "some plain text", "concept"))
    return root


def run_command(project: Path, data: Path, *words: str) -> tuple[int, Any]:
    env = {**environment(), "AUTOLOGY_DATA_DIR": str(data)}
    done = subprocess.run(command(*words, "--json"), cwd=project, env=env, capture_output=True, timeout=300)
    return done.returncode, json.loads(done.stdout)


def test_every_front_reports_a_full_data_folder_until_there_is_room(small_disk: Path, tmp_path: Path) -> None:
    project, data = a_project(tmp_path / "project"), small_disk / "data"
    remembered = ("memory", "store", "--kind", "observation", "The cache holds 40 entries.", "--scope", "org=acme")
    assert run_command(project, data, *remembered)[0] == 0
    filler = fill(small_disk)
    with served(project, {**os.environ, "AUTOLOGY_DATA_DIR": str(data)}) as server:
        server.greet()
        answer = server.call("system_status")["structuredContent"]
        storage, audit = ({check["name"]: check for check in answer["checks"]}[name] for name in ("storage", "audit"))
        assert (answer["status"], storage["status"], audit["status"]) == ("error", "error", "error")
        assert f"{data}/.autology cannot be written: {FULL}" in storage["message"]
        assert FULL in audit["message"]
        assert "Make room" in storage["step"]
    assert run_command(project, data, "memory", "status")[1]["status"] == "error"
    code, doctor = run_command(project, data, "doctor")
    problems = [finding["problem"] for finding in doctor["findings"]]
    assert code == 1
    assert f"the data folder {data} is not writable: {FULL}" in problems
    assert any(str(small_disk) in problem and "0 MB are free" in problem for problem in problems)
    assert not list(small_disk.rglob("*.tmp"))
    filler.unlink()
    assert run_command(project, data, "memory", "status")[1]["status"] == "ok"


def test_doctor_reports_a_full_project_disk(small_disk: Path, tmp_path: Path) -> None:
    project = a_project(small_disk / "project")
    fill(small_disk)
    code, doctor = run_command(project, tmp_path / "data", "doctor")
    assert code == 1
    assert f".autology takes no files: {FULL}" in [finding["problem"] for finding in doctor["findings"]]
    assert run_command(project, tmp_path / "data", "memory", "status")[1]["status"] == "error"


@posix
def test_a_file_size_limit_and_an_unwritable_folder_are_reported_as_such(quick_path: Path) -> None:
    import resource

    root = a_project(quick_path / "project")
    quick_path.chmod(0o755)

    def limited() -> str:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, 1_000))
        return str(memory_folder.unwritable(str(root)))

    def closed() -> str:
        return str(memory_folder.unwritable(str(root)))

    assert os.strerror(errno.EFBIG) in in_a_child(limited)
    folders = [root, *(path for path in root.rglob("*") if path.is_dir())]
    for folder in folders:
        folder.chmod(0o555)
    result = in_a_child(closed, user=65_534)
    for folder in folders:
        folder.chmod(0o755)
    assert os.strerror(errno.EACCES) in result
    assert memory_folder.unwritable(str(root)) == []


@posix
def test_a_disk_mounted_read_only_is_reported(small_disk: Path, tmp_path: Path) -> None:
    project = small_disk / "project"
    project.mkdir()
    assert run_command(project, tmp_path / "data", "capture", "--title", "A note", "--content", "Some text.")[0] == 0
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    try:
        result = run_command(project, tmp_path / "data", "memory", "status")[1]
        assert result["status"] == "error"
        problems = [finding["problem"] for finding in run_command(project, tmp_path / "data", "doctor")[1]["findings"]]
        assert any("not writable" in problem for problem in problems)
    finally:
        subprocess.run(["mount", "-o", "remount,rw", str(small_disk)], check=True)
