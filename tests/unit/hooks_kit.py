"""Hooks as the client runs them: a process, JSON in, JSON out; and projects for them to be called in."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from autology.index import schema

SERVER = Path(__file__).resolve().parents[2] / "server"
SESSION = "048e5d0c-6802-46b6-acdc-999dcf7e63d6"

ALONE = {"AUTOLOGY_DETACH": "off"}
"""No process goes on when a test is over, unless the test is of that."""

_RUN = """
import sys
import time
true = time.monotonic
time.monotonic = lambda: true() / 1000  # what a hook gives up by: a busy machine makes none silent
sys.path.insert(0, sys.argv[1])
from autology.hooks import runner
runner.SECONDS *= 100
code = runner.run(sys.argv[2], sys.stdin.buffer.read())
if len(sys.argv) > 3:
    sys.stderr.write("\\n".join(sys.modules))
sys.exit(code)
"""


def command(event: str) -> list[str]:
    """Return the command that runs the hook *event*."""
    return [sys.executable, "-I", "-S", "-c", _RUN, str(SERVER), event]


def run_raw(
    event: str, raw: bytes, cwd: Path, env: dict[str, str] | None = None, modules: bool = False
) -> tuple[bytes, str]:
    """Run the hook *event* on *raw*; return what it printed, and the modules it loaded if asked for."""
    arguments = [*command(event), *(["modules"] if modules else [])]
    done = subprocess.run(
        arguments, input=raw, cwd=cwd, env={**os.environ, **ALONE, **(env or {})}, capture_output=True, timeout=600
    )
    assert done.returncode == 0
    assert modules or done.stderr == b""
    return done.stdout, done.stderr.decode()


def run(event: str, cwd: Path, env: dict[str, str] | None = None, **given: object) -> Any:
    """Run the hook *event* with the client's usual input and *given*; return what it said, read as JSON if it is."""
    usual = {"session_id": SESSION, "transcript_path": "/t.jsonl", "cwd": str(cwd)}
    out, _ = run_raw(event, json.dumps({**usual, **given}).encode(), cwd, env)
    text = out.decode("utf-8")
    return json.loads(text) if text.startswith("{") else text


def after(command: str, cwd: Path, env: dict[str, str] | None = None, **more: object) -> Any:
    """Run the hook that follows a Bash call of *command*."""
    values: dict[str, object] = {
        "hook_event_name": "PostToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": command, "description": "x"},
        "tool_response": {"stdout": "", "stderr": "", "interrupted": False, "isImage": False},
        "duration_ms": 600_000,  # whatever this machine took since the commit
    }
    return run("post-commit", cwd, env, **{**values, **more})


def context_of(answer: Any) -> str:
    """Return what Claude is told."""
    text = answer["hookSpecificOutput"]["additionalContext"]
    assert isinstance(text, str)
    return text


def git(folder: Path, *arguments: str, env: dict[str, str] | None = None) -> str:
    """Run git in *folder*, with nobody's configuration."""
    quiet = {
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_AUTHOR_NAME": "Dev",
        "GIT_AUTHOR_EMAIL": "dev@example.com",
        "GIT_COMMITTER_NAME": "Dev",
        "GIT_COMMITTER_EMAIL": "dev@example.com",
    }
    done = subprocess.run(
        ["git", *arguments], cwd=folder, env={**os.environ, **quiet, **(env or {})}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def repository(folder: Path) -> Path:
    """Make a repository in *folder*."""
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "-q", "-b", "main")
    return folder


def commit(folder: Path, subject: str, *names: str, env: dict[str, str] | None = None) -> str:
    """Commit a change of the files *names*; return its hash."""
    for name in names or ("a.txt",):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"{subject} {os.urandom(4).hex()}\n", encoding="utf-8")
        git(folder, "add", "-f", "--", name)
    git(folder, "commit", "-q", "-m", subject, env=env)
    return git(folder, "rev-parse", "HEAD").strip()


def index(root: Path, nodes: Sequence[dict[str, Any]] = (), problems: Sequence[tuple[str, str]] = ()) -> Path:
    """Give the project at *root* an index that holds *nodes*."""
    file = root / ".autology" / "cache" / "index.sqlite"
    file.parent.mkdir(parents=True, exist_ok=True)
    if file.exists():
        file.unlink()
    db = sqlite3.connect(file)
    db.execute("PRAGMA journal_mode=WAL")
    db.executescript(schema.TABLES)
    for number, node in enumerate(nodes):
        row = {
            "id": f"{number:08x}-0000-4000-8000-000000000000",
            "kind": "node",
            "type": "decision",
            "title": f"Node {number}",
            "title_key": "",
            "status": "active",
            "decision_status": None,
            "confidence": 0.9,
            "created": "2026-01-01T00:00:00Z",
            "modified": "2026-01-01T00:00:00Z",
            "session": None,
            "origin": None,
            "path": f".autology/nodes/{number}.md",
            "size": 1,
            "mtime_ns": 1,
            **{key: value for key, value in node.items() if key != "references"},
        }
        columns, marks = ", ".join(row), ", ".join("?" * len(row))
        at = db.execute(f"INSERT INTO source({columns}) VALUES ({marks})", tuple(row.values())).lastrowid
        db.executemany("INSERT INTO reference VALUES (?, ?)", [(path, at) for path in node.get("references", ())])
    db.executemany("INSERT INTO problem(path, reason) VALUES (?, ?)", problems)
    db.commit()
    db.close()
    return file


def project(folder: Path, nodes: Sequence[dict[str, Any]] = ()) -> Path:
    """Make a repository with a first commit, an `.autology` folder and an index."""
    repository(folder)
    commit(folder, "Begin", "README.md", env={"GIT_COMMITTER_DATE": "2024-01-01T00:00:00Z"})
    index(folder, nodes)
    # As if it had been there for long: nothing here happened during the tool call of a test.
    os.utime(folder / ".git" / "logs" / "HEAD", (1_700_000_000, 1_700_000_000))
    return folder
