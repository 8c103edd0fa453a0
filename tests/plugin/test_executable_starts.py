"""The executable as it is shipped, started where much is wrong: a server that works, or one that says what to do."""

from __future__ import annotations

import json
import marshal
import os
import random
import shutil
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from autology_boot import minimal_server
from autology_boot.problem import Problem
from buildtools import targets
from buildtools.project import Project
from tests.plugin.executable_standin import ROOT, base_python, homes, users_python
from tests.plugin.served import DISCOVER, ENVELOPE, INITIALIZE, served, text

pytestmark = pytest.mark.xdist_group("starts")

ASK = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "autology_status", "arguments": {}}}
INPUT = "".join(json.dumps(each) + "\n" for each in (INITIALIZE, ASK)).encode()
TEN = 10


@pytest.fixture(scope="module")
def pyz() -> Path:
    named = os.environ.get("AUTOLOGY_EXECUTABLE")
    if not named:
        pytest.fail("AUTOLOGY_EXECUTABLE names no executable: `python3 build.py test` builds it and sets that")
    return Path(named)


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "project").mkdir()
    return homes(tmp_path)


Process = subprocess.Popen[bytes]


def server(pyz: Path, home: Mapping[str, str], folder: Path, python: str, small: bool = False) -> Process:
    # A limit on the size of files stands for a full disk: what is written fails alike.
    limited = ["/bin/sh", "-c", 'ulimit -f 64; exec "$@"', "sh"] if small else []
    command, pipe = [*limited, python, "-I", "-S", str(pyz), "serve"], subprocess.PIPE
    return subprocess.Popen(command, cwd=folder, env=home, stdin=pipe, stdout=pipe, stderr=pipe)


def answers(process: Process) -> tuple[str, str]:
    """What it calls itself, and what its status says."""
    assert process.stdin
    assert process.stdout
    process.stdin.write(INPUT)
    process.stdin.flush()
    result: dict[Any, Any] = {}
    while not {0, 1} <= set(result):
        line = process.stdout.readline()
        assert line, process.communicate()[1].decode()
        result[json.loads(line).get("id")] = json.loads(line)
    process.communicate(timeout=600)
    assert process.returncode == 0
    return result[0]["result"]["serverInfo"].get("title", ""), result[1]["result"]["content"][0]["text"]


def start(pyz: Path, home: Mapping[str, str], tmp_path: Path, python: str = "", small: bool = False) -> tuple[str, str]:
    return answers(server(pyz, home, tmp_path / "project", python or users_python(), small))


def copies(home: Mapping[str, str]) -> list[Path]:
    app = Path(home["AUTOLOGY_CACHE_DIR"]) / "app"
    return [path for path in app.iterdir() if not path.name.startswith(".")]


def works(told: tuple[str, str]) -> bool:
    return told[0] == "Autology" and json.loads(told[1])["totalNodes"] == 0


def test_ten_at_once_on_a_cold_cache_and_again_on_one_that_lost_half_of_its_files(
    pyz: Path, home: dict[str, str], tmp_path: Path
) -> None:
    for _ in range(2):
        ten = [server(pyz, home, tmp_path / "project", users_python()) for _ in range(TEN)]
        assert all(works(answers(each)) for each in ten)
        [copy] = copies(home)
        files = sorted(path for path in copy.rglob("*") if path.is_file())
        assert len(files) > 1_000
        for file in random.Random(7).sample(files, len(files) // 2):
            file.unlink()


def test_a_copy_that_can_only_be_read_serves(pyz: Path, home: dict[str, str], tmp_path: Path) -> None:
    assert works(start(pyz, home, tmp_path))
    cache = Path(home["AUTOLOGY_CACHE_DIR"])
    for path in [*cache.rglob("*"), cache]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        assert works(start(pyz, home, tmp_path))
    finally:
        for path in [cache, *cache.rglob("*")]:
            path.chmod(0o755)


def test_a_server_that_cannot_be_unpacked_says_what_to_do(pyz: Path, home: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "tmp").mkdir()
    for name in ("cache", f"tmp/autology-{os.getuid()}"):
        (tmp_path / name).write_text("a file stands here", encoding="utf-8")
    _, status = start(pyz, home | {"TMPDIR": str(tmp_path / "tmp")}, tmp_path)
    assert "What to do: Make the folder writable, free some space, or set AUTOLOGY_CACHE_DIR" in status


def test_on_a_full_disk_the_server_says_so_and_leaves_nothing_half_made(
    pyz: Path, home: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "tmp").mkdir()
    home |= {"TMPDIR": str(tmp_path / "tmp")}
    _, status = start(pyz, home, tmp_path, small=True)
    assert "File too large" in status
    assert "free some space" in status
    assert copies(home) == []
    assert works(start(pyz, home, tmp_path))


@pytest.mark.parametrize("early", ["on", "off"])
def test_a_copy_with_a_damaged_module_is_replaced_while_its_server_answers(
    pyz: Path, home: dict[str, str], tmp_path: Path, early: str
) -> None:
    home["AUTOLOGY_EARLY_ANSWERS"] = early
    assert works(start(pyz, home, tmp_path))
    [copy] = copies(home)
    [module] = (copy / "mcp" / "server" / "__pycache__").glob("runner.*.pyc")
    complete = module.read_bytes()
    module.write_bytes(complete[: len(complete) // 2])
    assert works(start(pyz, home, tmp_path))
    [copy] = copies(home)
    assert works(start(pyz, home, tmp_path))


@pytest.mark.parametrize("early", ["on", "off"])
def test_a_part_that_fails_while_the_client_is_already_answered_is_named_by_the_tools(
    pyz: Path, home: dict[str, str], tmp_path: Path, early: str
) -> None:
    home["AUTOLOGY_EARLY_ANSWERS"] = early
    assert works(start(pyz, home, tmp_path))
    [copy] = copies(home)
    [module] = (copy / "mcp" / "server" / "__pycache__").glob("runner.*.pyc")
    complete = module.read_bytes()
    damaged = complete[:16] + marshal.dumps(compile("1/0", "damaged", "exec"))
    module.write_bytes(damaged.ljust(len(complete)))  # of the same size: the copy looks intact
    _, status = start(pyz, home, tmp_path)
    assert "A part of Autology could not be loaded (division by zero)" in status
    assert "What to do: Install it again" in status


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
@pytest.mark.parametrize("phase", ["unpacking", "loading", "serving"])
def test_a_signal_ends_the_server_in_each_phase_of_its_start(
    pyz: Path, home: dict[str, str], tmp_path: Path, name: str, phase: str
) -> None:
    if phase != "unpacking":
        assert works(start(pyz, home, tmp_path))
    command = (users_python(), "-I", "-S", str(pyz), "serve")
    with served(tmp_path / "project", home, command=command) as beginning:
        beginning.send(INITIALIZE)
        beginning.answer(0)
        if phase == "serving":
            beginning.send(ASK)
            beginning.answer(1)
        beginning.process.send_signal(getattr(signal, name))
        assert beginning.process.wait(10) == 0
    assert works(start(pyz, home, tmp_path))


def test_a_call_that_is_followed_by_the_end_of_input_is_answered_though_nothing_is_loaded_yet(
    pyz: Path, home: dict[str, str], tmp_path: Path
) -> None:
    process = server(pyz, home, tmp_path / "project", users_python())
    output, errors = process.communicate(INPUT, timeout=600)
    assert [json.loads(line)["id"] for line in output.splitlines()] == [0, 1]
    assert (process.returncode, errors) == (0, b"")


@pytest.mark.parametrize("odd", [b'{"id": 1, "method": "ping", "params": {"_meta": 7}}\n', b"[" * 100_000 + b"\n"])
def test_a_server_that_only_reports_a_problem_answers_whatever_it_is_sent(odd: bytes) -> None:
    output: list[bytes] = []
    assert minimal_server.serve(Problem("It is broken.", "Fix it."), [odd, b"\n", odd], output.append) == 0
    assert len(output) == 2


def test_a_client_without_a_handshake_is_told_why_the_server_cannot_start(
    pyz: Path, home: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "tmp").mkdir()
    for name in ("cache", f"tmp/autology-{os.getuid()}"):
        (tmp_path / name).write_text("a file stands here", encoding="utf-8")
    command = (users_python(), "-I", "-S", str(pyz), "serve")
    with served(tmp_path / "project", home | {"TMPDIR": str(tmp_path / "tmp")}, command=command) as broken:
        broken.send(DISCOVER)
        assert "result" in broken.answer("probe-1")
        call = {"name": "autology_status", "arguments": {}, "_meta": ENVELOPE}
        result = broken.ask("tools/call", call)["result"]
        assert "free some space" in text(result)
        assert result["resultType"] == "complete"
        assert "free some space" in broken.ask("tools/call", {**call, "name": "autology_query"})["error"]["message"]
        assert broken.end() == 0


NO_OTHER = pytest.param(None, marks=pytest.mark.skip("no other Python is installed on this machine"))


def other_pythons() -> list[str]:
    """Every other Python of this machine that starts, too old ones too."""
    result = {name: shutil.which(f"python3.{minor}") for minor in (8, 9, 10) for name in [f"3.{minor}"]}
    for minor in (8, 9, 10):
        for path in (Path.home() / ".pyenv" / "versions").glob(f"3.{minor}.*/bin/python3"):
            result[f"3.{minor}"] = str(path)
    own = targets.here(Project.at(ROOT))
    others = {one.tag: one.python for one in targets.everything(Project.at(ROOT)) if one.runs_here() and one != own}
    named = [*result.values(), *others.values()]
    return [path for path in named if path and subprocess.run([path, "-c", ""], capture_output=True).returncode == 0]


@pytest.mark.parametrize("python", other_pythons() or [NO_OTHER], ids=lambda path: path and Path(path).parents[1].name)
def test_another_python_hands_over_to_the_one_that_fits_or_says_which_it_needs(
    pyz: Path, home: dict[str, str], tmp_path: Path, python: str
) -> None:
    (tmp_path / "none").mkdir()
    title, status = start(pyz, home | {"PATH": str(tmp_path / "none")}, tmp_path, python)
    if title:  # The file is for this one too.
        assert works((title, status))
    else:
        assert "What to do: " in status
        assert "3.11 or newer" in status or "This file was built for" in status
    there = f"{Path(base_python()).parent}:/usr/bin:/bin"
    assert works(start(pyz, home | {"PATH": there}, tmp_path, python))
