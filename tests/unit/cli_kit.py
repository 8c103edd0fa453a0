"""The command line as people use it, and projects with decision records for it to be used in."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from autology.cli import main

SERVER = Path(__file__).resolve().parents[2] / "server"
PERSON = {
    "GIT_AUTHOR_NAME": "Ada",
    "GIT_AUTHOR_EMAIL": "ada@example.org",
    "GIT_COMMITTER_NAME": "Ada",
    "GIT_COMMITTER_EMAIL": "ada@example.org",
    "GIT_CONFIG_NOSYSTEM": "1",
}

NYGARD = """\
# 1. Keep orders in PostgreSQL

Date: 2019-03-04

## Status

Accepted

## Context

Orders need transactions.

## Decision

We keep orders in PostgreSQL, as `src/orders.py` expects.

## Alternatives

MongoDB.

## Consequences

A server to run.
"""
MADR = """\
---
status: accepted
date: 2021-05-06
tags: [Message Queue, "文書"]
---
# Send mail through a queue

## Context and Problem Statement

Sending blocks requests. Supersedes [ADR-3](0003-send-mail-at-once.md).

## Considered Options

* a queue
* threads

## Decision Outcome

Chosen option: "a queue", because it survives restarts.

### Consequences

* Good, because requests return at once.
"""
SUPERSEDED = """\
# 3. Send mail at once

## Status

Superseded by [ADR-2](0002-send-mail-through-a-queue.md)

## Context

Few mails.

## Decision

We send mail at once.

## Consequences

Requests wait.
"""
Y_STATEMENT = """\
# 4. Cache prices

In the context of the price list, facing slow queries, we decided for a cache in memory
and neglected a second database, to achieve answers within 50 ms, accepting prices that are a minute old.
"""
RECORDS = {
    "0001-keep-orders-in-postgresql.md": NYGARD,
    "0002-send-mail-through-a-queue.md": MADR,
    "0003-send-mail-at-once.md": SUPERSEDED,
    "0004-cache-prices.md": Y_STATEMENT,
}


def autology(*arguments: str, project: Path) -> int:
    """Run a command in *project*; return its exit code."""
    return main([arguments[0], "--project", str(project), *arguments[1:]])


def run_json(capsys: pytest.CaptureFixture[str], *arguments: str, project: Path) -> Any:
    """Run a command with ``--json`` in *project*; return what it told."""
    capsys.readouterr()
    autology(*arguments, "--json", project=project)
    return json.loads(capsys.readouterr().out)


def process(
    *arguments: str, project: Path, stdin: bytes = b"", env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run a command in a process of its own, standing in *project*."""
    return subprocess.run(
        [sys.executable, "-m", "autology", *arguments],
        cwd=project,
        input=stdin,
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(SERVER), **(env or {})},
    )


def records(folder: Path, files: Mapping[str, str] = RECORDS) -> Path:
    """Write decision records into *folder*, their line ends as they are."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).write_bytes(text.encode())
    return folder


def git(folder: Path, *arguments: str, at: str | None = None) -> str:
    """Run git in *folder*; *at* is what it takes for the present moment."""
    when = {"GIT_AUTHOR_DATE": at, "GIT_COMMITTER_DATE": at} if at else {}
    done = subprocess.run(
        ["git", *arguments], cwd=folder, env={**os.environ, **PERSON, **when}, capture_output=True, check=True
    )
    return done.stdout.decode()


def repository(folder: Path, at: str = "2022-01-01T10:00:00Z") -> Path:
    """Make *folder* a git repository with everything in it committed."""
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-m", "begin", at=at)
    return folder
