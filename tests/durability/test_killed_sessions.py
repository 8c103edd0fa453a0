"""Killed at any call, reading and keeping of sessions loses nothing, and takes nothing in twice."""

from __future__ import annotations

import gzip
import os
import shutil
from pathlib import Path

import pytest

from autology.core.conversations import conversations as module
from autology.wire import user
from autology.wire.project import Project
from tests.durability.killing import course, killed_at
from tests.fakes.transcripts import Session

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="a child that dies midway is made by fork")

POINTS = int(os.environ.get("AUTOLOGY_KILL_POINTS", "8"))


def written(home: Path) -> None:
    for number in range(2):
        session = Session(home, session=f"5e55{number:04}-0000-4000-8000-000000000000")
        for turn in range(4):
            session.user(f"question {number}.{turn}")
            session.assistant(f"Answer {turn}. " + "It is there. " * 120)
            session.tool("Write", "ok", file_path="/home/dev/app/a.py", content="x = 1\n" * 400)


def read(home: Path) -> None:
    Project(str(home)).conversations.refresh()


def keep(home: Path) -> None:
    Project(str(home)).conversations.keep()


def held(home: Path) -> list[tuple[str, int, str]]:
    index = user.conversation_index()
    chunks = index.chunks(index.ids_starting("", 10_000)).values()
    return sorted((chunk.transcript, chunk.position, chunk.text) for chunk in chunks)


@pytest.mark.parametrize("step", [3, 1_000], ids=["many transactions", "all sessions in one"])
def test_reading_that_is_killed_goes_on_where_it_was(home: Path, monkeypatch: pytest.MonkeyPatch, step: int) -> None:
    monkeypatch.setattr(module, "ALL_STEP", step)
    written(home)
    read(home)
    whole = held(home)
    assert len(whole) > 12
    data = home / "data"
    shutil.rmtree(data)
    died = 0
    for stop in course(lambda: read(home)).stops(POINTS):
        shutil.rmtree(data, ignore_errors=True)
        died += killed_at(stop, lambda: read(home))
        part = held(home)
        assert set(part) <= set(whole)
        read(home)
        assert held(home) == whole
    assert died > POINTS // 2


def test_keeping_that_is_killed_leaves_a_whole_copy_or_none(home: Path) -> None:
    written(home)
    keep(home)
    archive = home / "data" / "archive"
    whole = {file: gzip.decompress(file.read_bytes()) for file in archive.rglob("*.gz")}
    assert len(whole) == 2
    shutil.rmtree(archive)
    died = 0
    for stop in course(lambda: keep(home)).stops(POINTS):
        shutil.rmtree(archive, ignore_errors=True)
        died += killed_at(stop, lambda: keep(home))
        for file in archive.rglob("*.gz"):
            assert gzip.decompress(file.read_bytes()) == whole[file]
        for left in archive.rglob("*.part"):
            os.utime(left, (0, 0))
        keep(home)
        assert {file: gzip.decompress(file.read_bytes()) for file in archive.rglob("*.gz")} == whole
        assert not list(archive.rglob("*.part"))
    assert died > POINTS // 2
