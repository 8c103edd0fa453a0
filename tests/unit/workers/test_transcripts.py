"""Other processes may help to read past sessions; the index is the one that a single process makes."""

from __future__ import annotations

import json
import os
import pickle
import shutil
import sqlite3
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from autology import detached, places
from autology.core.content.plan import ALONE
from autology.core.conversations import parallel_reading
from autology.core.index import second_pass
from autology.core.long_work import Pool
from autology.model.query import Filter, Terms
from autology.text.tokens import query_terms
from autology.wire.project import Project
from autology.wire.workers import greeting
from autology.workers.pool import WorkerPool
from autology.workers.process import Process
from tests.fakes.project import an_id
from tests.fakes.transcripts import Session, client_folder, resumed

SESSIONS = 12


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user with sessions, one of which is a fork of another, and one of which is not complete."""
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(client_folder(tmp_path)))
    monkeypatch.setenv("AUTOLOGY_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("AUTOLOGY_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(parallel_reading, "JOB_BYTES", 1)
    sessions = []
    for number in range(SESSIONS):
        session = Session(tmp_path, f"/home/dev/app{number % 3}", f"{number:08x}-0000-4000-8000-000000000000")
        for turn in range(6):
            session.user(f"Why is the login number {number * turn} slow?")
            session.tool("Bash", f"token ghp_{'a1B2' * 9} is wrong", command=f"./login --number {turn}")
            session.assistant(f"Because of the cache number {turn}: we decided to drop it.")
        sessions.append(session)
    fork = resumed(tmp_path, sessions[3], session="ffffffff-0000-4000-8000-000000000000")
    fork.user("And now, after the fork?")
    with sessions[5].file.open("a", encoding="utf-8") as file:
        file.write('{"type": "user", "mess')
    for at, session in enumerate([*sessions, fork]):
        os.utime(session.file, (1_700_000_000 + at, 1_700_000_000 + at))
    return tmp_path


def indexed(home: Path, pool: Pool) -> list[str]:
    """Return all that the index of the sessions holds when it is made anew."""
    for folder in ("data", "cache"):
        shutil.rmtree(home / folder, ignore_errors=True)
    conversations = Project(str(home)).conversations
    conversations.pool = pool
    assert conversations.refresh() == SESSIONS + 1
    assert conversations.refresh() == 0
    with sqlite3.connect(places.conversation_index()) as db:
        result = [line for line in db.iterdump() if "'generation'" not in line]
    db.close()
    return result


class Watched:
    """The pool *inner*; it notes how many jobs there were, and how many of them were done in this process."""

    def __init__(self, inner: Pool) -> None:
        self.inner = inner
        self.jobs = self.here = 0

    @contextmanager
    def results(self, kind: str, jobs: Sequence[object], here: object) -> Iterator[Iterator[object]]:
        def counted(job: object) -> object:
            self.here += 1
            return here(job)  # type: ignore[operator]

        self.jobs += len(jobs)
        with self.inner.results(kind, jobs, counted) as results:
            yield results


def workers(home: Path) -> WorkerPool:
    return WorkerPool(lambda: detached.program(["worker", str(home)]), greeting, lambda: 2)


def test_sessions_that_several_processes_read_are_indexed_as_by_one(home: Path) -> None:
    expected = indexed(home, ALONE)
    assert sum(line.startswith('INSERT INTO "chunk"') for line in expected) > SESSIONS
    assert not any("ghp_" in line for line in expected)
    assert indexed(home, workers(home)) == expected


def test_a_worker_makes_of_sessions_what_is_made_of_them_here(home: Path) -> None:
    conversations = Project(str(home)).conversations
    transcripts = [[name, False] for name in conversations.live.scan()]
    process = Process(detached.program(["worker", str(home)]), greeting())
    try:
        process.start()
        answer = process.ask(json.dumps([parallel_reading.TRANSCRIPTS, transcripts]).encode())
    finally:
        process.leave()
    expected = parallel_reading.read_whole(conversations, [(str(name), False) for name, _ in transcripts])
    assert len(expected) == SESSIONS + 1
    assert pickle.loads(answer) == expected


def test_a_worker_encodes_what_is_encoded_here(home: Path) -> None:
    (nodes := home / ".autology" / "nodes" / "concepts").mkdir(parents=True)
    for number in range(second_pass.MANY):
        front = f"id: {an_id(number)}\ntitle: Thing {number}\ntype: concept\n"
        dates = "created: 2026-01-01T00:00:00Z\nmodified: 2026-01-01T00:00:00Z\nstatus: active\nconfidence: 0.9\n"
        text = f"---\n{front}{dates}source: manual\n---\n\nThe cache number {number}.\n"
        (nodes / f"{an_id(number)}.md").write_text(text, encoding="utf-8")
    graph = Project(str(home)).graph
    graph.refresh(walk=True)
    part = graph.index.unencoded_sources()[0]
    process = Process(detached.program(["worker", str(home)]), greeting())
    try:
        process.start()
        answer = process.ask(json.dumps([second_pass.VECTORS, part]).encode())
    finally:
        process.leave()
    assert pickle.loads(answer) == graph.index.encoded(part) != []


def test_a_fork_leaves_what_it_copied_to_its_original(home: Path) -> None:
    pool = Watched(ALONE)
    shared = indexed(home, pool)
    assert pool.jobs == SESSIONS + 1
    (fork,) = [line for line in shared if line.startswith('INSERT INTO "transcript"') and "ffffffff" in line]
    assert not fork.endswith(",0);"), "the copied turns are counted"


def test_a_worker_that_fails_leaves_the_sessions_to_this_process(home: Path) -> None:
    expected = indexed(home, ALONE)
    failing = WorkerPool(lambda: [sys.executable, "-c", "raise SystemExit(1)"], greeting, lambda: 2)
    assert indexed(home, failing) == expected


def test_a_transcript_that_is_too_large_to_share_is_read_here_in_its_turn(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = indexed(home, ALONE)
    monkeypatch.setattr(parallel_reading, "LARGEST", 1)
    assert indexed(home, ALONE) == expected


def test_sessions_that_went_on_are_read_from_where_they_ended(home: Path) -> None:
    conversations = Project(str(home)).conversations
    conversations.pool = workers(home)
    conversations.refresh()
    before = sum(conversations.index.chunk_counts().values())
    later = Session(home, "/home/dev/app0", "00000000-0000-4000-8000-000000000000")
    later.user("And what came of the marmalade?")
    assert conversations.refresh() == 1
    assert sum(conversations.index.chunk_counts().values()) >= before
    assert conversations.index.lexical_candidates(
        Terms(query_terms("marmalade")), Filter(kind="conversation"), False, 5
    )
