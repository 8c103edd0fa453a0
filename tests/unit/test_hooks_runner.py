"""A hook never breaks, blocks or slows a session, and says nothing where it has no business."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.unit.hooks_kit import SESSION, command, commit, index, project, run, run_raw

EVENTS = ("post-commit", "pre-compact", "pre-edit", "prompt-submit", "session-start", "session-end")

FORBIDDEN = {
    *(
        "mcp",
        "pydantic",
        "yaml",
        "anyio",
        "dataclasses",
        "inspect",
        "pathlib",
        "typing",
        "asyncio",
        "logging",
        "argparse",
    ),
    *(
        "importlib.metadata",
        "importlib.resources",
        "tempfile",
        "shutil",
        "zipfile",
        "socket",
        "ssl",
        "urllib.request",
        "email",
    ),
    *("unicodedata", "traceback", "uuid", "hashlib", "random", "threading"),
}


def given(here: Path, event: str, **more: object) -> bytes:
    facts: dict[str, object] = {"session_id": SESSION, "cwd": str(here), "source": "startup", "tool_name": "Bash"}
    facts |= {
        "tool_input": {"command": "git commit -m x"},
        "tool_response": {"stdout": ""},
        "duration_ms": 5000,
        "reason": "other",
    }
    return json.dumps({**facts, **more}).encode()


def logged(home: Path) -> str:
    file = home / "data" / "log" / "autology.log"
    return file.read_text(encoding="utf-8") if file.exists() else ""


@pytest.mark.parametrize("event", EVENTS)
def test_where_there_is_no_project_nothing_is_said_or_written(event: str, tmp_path: Path, home: Path) -> None:
    out, _ = run_raw(event, given(tmp_path, event), tmp_path, {"CLAUDE_PID": "5"})
    assert out == b""
    assert list(tmp_path.iterdir()) == []
    assert list(home.iterdir()) == []


@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize("word", ["off", "0", "false", "OFF"])
def test_hooks_that_are_switched_off_say_nothing(event: str, word: str, tmp_path: Path) -> None:
    here = project(tmp_path / "here")
    commit(here, "x")
    assert run_raw(event, given(here, event), here, {"AUTOLOGY_HOOKS": word})[0] == b""


@pytest.mark.parametrize("event", EVENTS)
def test_a_hook_within_a_hook_says_nothing(event: str, tmp_path: Path) -> None:
    here = project(tmp_path / "here")
    commit(here, "x")
    assert run_raw(event, given(here, event), here, {"AUTOLOGY_HOOK_ACTIVE": "1"})[0] == b""


@pytest.mark.parametrize("event", [*EVENTS, "no-such-event"])
@pytest.mark.parametrize(
    "raw", [b"", b"{", b"[]", b'"x"', b"\xff\xfe\x00", b"null", b'{"cwd": 5}' + b" " * 10, b"[" * 200_000]
)
def test_input_that_is_not_the_client_s_breaks_nothing(event: str, raw: bytes, tmp_path: Path, home: Path) -> None:
    (tmp_path / ".autology").mkdir()
    assert run_raw(event, raw, tmp_path)[0] == b""
    assert (raw.startswith(b'{"cwd"')) or f"hook {event}: " in logged(home)


def test_a_failure_leaves_a_line_in_the_log_and_nothing_else(tmp_path: Path, home: Path) -> None:
    (tmp_path / ".autology").mkdir()
    assert run("no\nsuch", tmp_path) == ""
    (line,) = logged(home).splitlines()
    assert " ERROR hook no such: LookupError: no hook of that name" in line


def test_the_log_is_kept_small(tmp_path: Path, home: Path) -> None:
    (tmp_path / ".autology").mkdir()
    file = home / "data" / "log" / "autology.log"
    file.parent.mkdir(parents=True)
    for _ in range(2):
        file.write_bytes(b"x" * 300_000)
        run("nothing", tmp_path)
    assert file.stat().st_size < 1000
    assert sorted(each.name for each in file.parent.iterdir()) == ["autology.log", "autology.log.1"]


def test_a_log_that_cannot_be_written_is_no_second_failure(tmp_path: Path, home: Path) -> None:
    (tmp_path / ".autology").mkdir()
    (home / "data").write_text("a file where a folder should be", encoding="utf-8")
    assert run("nothing", tmp_path) == ""


@pytest.mark.parametrize("event", EVENTS)
def test_a_reader_that_went_away_is_no_failure(event: str, tmp_path: Path) -> None:
    here = project(tmp_path / "here")
    commit(here, "x")
    inside, outside = os.pipe()
    os.close(inside)
    done = subprocess.run(
        command(event),
        input=given(here, event),
        stdout=outside,
        cwd=here,
        timeout=600,
    )
    os.close(outside)
    # 120 is Python's own, from flushing at the very end; the runner itself has returned 0.
    assert done.returncode in (0, 120)


def test_a_project_is_found_from_below_and_where_the_session_began(tmp_path: Path) -> None:
    (tmp_path / "here" / "a" / "b").mkdir(parents=True)
    (tmp_path / "other").mkdir()
    index(tmp_path / "here")
    assert run("session-start", tmp_path / "here" / "a" / "b")
    assert run("session-start", tmp_path / "other") == ""
    assert run("session-start", tmp_path / "other", {"CLAUDE_PROJECT_DIR": str(tmp_path / "here")})


def test_a_folder_of_that_name_in_the_home_is_no_project(home: Path) -> None:
    index(home)
    (home / "work").mkdir()
    assert run("session-start", home / "work") == ""


def test_a_file_in_the_place_of_the_folder_is_no_project(tmp_path: Path) -> None:
    (tmp_path / ".autology").write_text("", encoding="utf-8")
    assert run("session-start", tmp_path) == ""


@pytest.mark.parametrize("event", EVENTS)
def test_what_a_hook_loads_is_the_little_it_needs(event: str, tmp_path: Path) -> None:
    here = project(tmp_path / "here", [{"title": "n"}])
    out, listed = run_raw(event, given(here, event), here, modules=True)
    modules = set(listed.split())
    assert len(modules) > 20, "nothing was listed"
    assert "autology.hooks.runner" in modules
    assert modules & (FORBIDDEN | {"subprocess"}) == set()
    if event == "session-end" or not out:
        assert "sqlite3" not in modules
    # A module more costs some 0.2 ms from an archive: what grows past this is to be looked at.
    assert len([name for name in modules if name.startswith("autology")]) <= 17


def test_a_hook_that_speaks_of_a_commit_loads_no_more_than_the_way_to_git(tmp_path: Path) -> None:
    here = project(tmp_path / "here", [{"title": "n"}])
    commit(here, "x")
    out, listed = run_raw("post-commit", given(here, "post-commit"), here, modules=True)
    assert out
    # What starts a process brings threading and its like along.
    assert set(listed.split()) & (FORBIDDEN - {"threading"}) == set()
