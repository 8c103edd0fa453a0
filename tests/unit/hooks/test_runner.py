"""A hook never breaks, blocks or slows a session, and says nothing where it has no business."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import time
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from autology.files import lock
from autology.hooks import other_clients, runner
from tests.unit.hooks_kit import SERVER, SESSION, command, commit, index, project, repository, run, run_raw

EVENTS = ("post-commit", "pre-command", "pre-compact", "pre-edit", "prompt-submit", "session-start", "session-end")

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


def payload(here: Path, event: str, **more: object) -> bytes:
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
def test_hooks_outside_a_project_say_and_write_nothing(event: str, tmp_path: Path, home: Path) -> None:
    out, _ = run_raw(event, payload(tmp_path, event), tmp_path, {"CLAUDE_PID": "5"})
    assert out == b""
    assert list(tmp_path.iterdir()) == []
    assert list(home.iterdir()) == []


@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize("word", ["off", "0", "false", "OFF"])
def test_hooks_that_are_switched_off_say_nothing(event: str, word: str, tmp_path: Path) -> None:
    here = project(tmp_path / "here")
    commit(here, "x")
    assert run_raw(event, payload(here, event), here, {"AUTOLOGY_HOOKS": word})[0] == b""


@pytest.mark.parametrize("event", EVENTS)
def test_a_hook_within_a_hook_says_nothing(event: str, tmp_path: Path) -> None:
    here = project(tmp_path / "here")
    commit(here, "x")
    assert run_raw(event, payload(here, event), here, {"AUTOLOGY_HOOK_ACTIVE": "1"})[0] == b""


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
    assert " ERROR hook no such: LookupError: unknown hook" in line


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
        input=payload(here, event),
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
def test_a_hook_loads_only_the_modules_it_needs(event: str, tmp_path: Path) -> None:
    here = project(tmp_path / "here", [{"title": "n"}])
    out, listed = run_raw(event, payload(here, event), here, modules=True)
    modules = set(listed.split())
    assert len(modules) > 20, "nothing was listed"
    assert "autology.hooks.runner" in modules
    assert modules & (FORBIDDEN | {"subprocess"}) == set()
    if event == "session-end" or not out:
        assert "sqlite3" not in modules
    # A module more costs some 0.2 ms from an archive: what grows past this is to be looked at.
    # A command is also split as a shell would.
    assert len([name for name in modules if name.startswith("autology")]) <= (18 if event == "pre-command" else 17)


def test_a_hook_that_speaks_of_a_commit_loads_no_more_than_the_way_to_git(tmp_path: Path) -> None:
    here = project(tmp_path / "here", [{"title": "n"}])
    commit(here, "x")
    out, listed = run_raw("post-commit", payload(here, "post-commit"), here, modules=True)
    assert out
    # What starts a process brings threading and its like along.
    assert set(listed.split()) & (FORBIDDEN - {"threading"}) == set()


# ---- waiting -------------------------------------------------------------------------------------

BLOCKED = 1.0
"""Seconds that a hook may spend neither running nor queued for a processor: 0.03, and what it reads from disk."""


@pytest.mark.skipif(sys.platform != "linux", reason="what a process waited for is read from /proc")
@pytest.mark.parametrize("event", EVENTS)
def test_no_hook_waits_for_a_lock_whatever_is_held(event: str, tmp_path: Path, home: Path) -> None:
    project(tmp_path, [{"id": "1", "title": "Use SQLite"}])
    index(tmp_path)
    past = home / "data" / "conversations.sqlite"
    past.parent.mkdir(parents=True, exist_ok=True)
    with ExitStack() as held:
        for name in (tmp_path / ".autology" / "cache" / "index.sqlite", past):
            db = held.enter_context(closing(sqlite3.connect(name, isolation_level=None)))
            db.execute("PRAGMA locking_mode=EXCLUSIVE")
            db.execute("BEGIN EXCLUSIVE")
            db.execute("CREATE TABLE held (x)")
        for folder in (tmp_path / ".autology" / "cache", home / "data"):
            held.enter_context(lock.held(str(folder / "lock"), "lock"))
        more = {
            "prompt": "what did we decide about the queue in SQLite last week?",
            "tool_name": "Edit" if event == "pre-edit" else "Bash",
            "tool_input": {"command": "git commit -m x", "file_path": str(tmp_path / "a.py"), "new_string": "x = 1"},
        }
        blocked, code = blocked_for(event, payload(tmp_path, event, **more), tmp_path)
    assert code == 0
    assert blocked < BLOCKED


def test_a_relative_folder_is_one_of_the_folder_that_the_hook_runs_in(tmp_path: Path) -> None:
    (tmp_path / "shop/.autology").mkdir(parents=True)
    (output, _) = run_raw("session-start", b'{"session_id": "s", "cwd": "shop", "source": "startup"}', tmp_path)
    assert b"This project keeps its knowledge in Autology" in output


def blocked_for(event: str, raw: bytes, cwd: Path) -> tuple[float, int]:
    """Run a hook; return for how long it neither ran nor waited for a processor, and its exit code."""
    pipe = subprocess.PIPE
    begun = time.monotonic()
    env = {**os.environ, "AUTOLOGY_DETACH": "off"}
    with subprocess.Popen(command(event), cwd=cwd, env=env, stdin=pipe, stdout=pipe) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(raw)
        process.stdin.close()
        process.stdout.read()
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        took = time.monotonic() - begun
        ran, queued, _ = map(int, Path(f"/proc/{process.pid}/schedstat").read_text(encoding="ascii").split())
    return took - (ran + queued) / 1e9, process.returncode


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has neither such timers nor such files")
def test_a_hook_that_is_held_up_ends_silently_before_the_client_ends_it(tmp_path: Path, home: Path) -> None:
    repository(tmp_path)
    index(tmp_path)
    commit(tmp_path, "Take a queue")
    notes = tmp_path / ".autology" / "cache" / "hooks" / "sessions" / f"{SESSION}.jsonl"
    notes.parent.mkdir(parents=True)
    os.mkfifo(notes)  # whoever opens it to write waits for a reader
    program = f"import sys; sys.path.insert(0, {str(SERVER)!r}); from autology.__main__ import main; main(sys.argv[1:])"
    begun = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", program, "hook", "post-commit"],
        input=payload(tmp_path, "post-commit", duration_ms=600_000),
        cwd=tmp_path,
        capture_output=True,
    )
    took = time.monotonic() - begun
    assert (done.returncode, done.stdout, done.stderr, logged(home)) == (0, b"", b"", "")
    assert runner.SECONDS <= took < 30, "it was not held up, or not ended"


def test_a_hook_in_gemini_goes_by_the_file_of_the_session_and_by_what_the_user_typed() -> None:
    path = "/home/dev/.gemini/tmp/app/chats/session-2026-11-27T15-01-4685d014.jsonl"
    prompt = "<hook_context>what did we decide &lt;x&gt;</hook_context>\n\nfix the door"
    request = other_clients.translated({"session_id": "u", "transcript_path": path, "prompt": prompt})
    assert request["session_id"] == "session-2026-11-27T15-01-4685d014"
    assert request["prompt"] == "fix the door"
    plain: dict[str, object] = {"session_id": "u", "transcript_path": None, "prompt": "fix <hook_context>"}
    assert other_clients.translated(plain) == plain
    rollout: dict[str, object] = {"session_id": "u", "transcript_path": "/c/rollout-2026-11-27T15-01-u.jsonl"}
    assert other_clients.translated(rollout) == rollout
    torn: dict[str, object] = {"prompt": "<hook_context>never ends"}
    assert other_clients.translated(torn) == torn
