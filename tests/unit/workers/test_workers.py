"""Other processes may help to read many files; whatever becomes of them, what comes of it is what one process makes."""

from __future__ import annotations

import json
import os
import pickle
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from autology import detached, places
from autology.core.content import collection
from autology.core.content.files import Stamp
from autology.core.content.plan import ALONE
from autology.core.documents import library as documents
from autology.core.documents.library import Library
from autology.core.long_work import Pool
from autology.core.nodes.graph import Graph
from autology.wire.project import Project
from autology.wire.workers import greeting
from autology.workers.pool import MIN_JOBS, WorkerPool
from autology.workers.process import Process
from tests.fakes.project import an_id

NOTES, DOCUMENTS = 330, 330
STARTING = 60.0
"""Seconds that a worker may take to start on a busy machine."""


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with more files than one process reads alone, some of which cannot be read."""
    root = tmp_path_factory.mktemp("project")
    nodes, docs = root / ".autology" / "nodes" / "concepts", root / "docs"
    nodes.mkdir(parents=True)
    docs.mkdir()
    for number in range(NOTES):
        text = f"---\nid: {an_id(number)}\ntype: concept\ntitle: Thing {number}\ntags: [tag{number % 7}]\n---\n\n"
        text += f"# Part {number}\n\nThe naïve thing {number} [[Thing {number // 2}]], kept since {number * 37}.\n"
        (nodes / f"{an_id(number)}.md").write_bytes(text.encode())
    (nodes / f"{an_id(7)}.md").write_bytes(b"---\ntitle: \xff\n---\n")
    (nodes / "another.md").write_bytes((nodes / f"{an_id(8)}.md").read_bytes())  # has the same id
    for number in range(DOCUMENTS):
        text = (
            f"# Page {number}\n\nSee [[Page {(number * 7) % DOCUMENTS}]], [one](p{number // 3}.md) #tag{number % 5}\n"
        )
        (docs / f"p{number}.md").write_bytes(text.encode())
    (docs / "p9.md").write_bytes(b"\x00\x01 no text")
    # What was written this very moment gets another stamp than what has been lying there.
    for path in root.rglob("*.md"):
        os.utime(path, (path.stat().st_mtime - 60,) * 2)
    return root


@pytest.fixture(scope="module")
def expected(root: Path) -> list[str]:
    """What the index holds when one process made it."""
    return indexed(root, ALONE)


def indexed(root: Path, pool: Pool, complete: bool = False) -> list[str]:
    """Return all that the index of *root* holds when it is made anew, with its vectors in any order if *complete*."""
    graph, library = opened(root, pool)
    graph.refresh(walk=True)
    library.refresh(walk=True)
    if complete:
        graph.encode()
    with sqlite3.connect(places.index_file(str(root))) as db:
        if complete:
            db.execute("UPDATE meaning SET seq = -passage")
        result = [line for line in db.iterdump() if "'generation'" not in line and "'remark " not in line]
    db.close()
    return [line for line in result if "sqlite_sequence" not in line] if complete else result


def test_a_second_pass_by_several_processes_ends_like_indexing_at_once(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words_first = indexed(root, workers(root), complete=True)
    for module in (collection, documents):
        monkeypatch.setattr(module, "MANY", 1_000_000)
    assert words_first == indexed(root, ALONE, complete=True)
    assert sum(line.startswith('INSERT INTO "meaning"') for line in words_first) > NOTES


def opened(root: Path, pool: Pool) -> tuple[Graph, Library]:
    for file in (root / ".autology" / "cache").glob("index.sqlite*"):
        file.unlink()
    project = Project(str(root))
    project.graph.pool = pool
    return project.graph, project.library


def workers(root: Path) -> WorkerPool:
    return WorkerPool(lambda: detached.program(["worker", str(root)]), greeting, lambda: 2)


class Written:
    """A worker that a script is: what it writes down of itself, and the pool of it."""

    def __init__(self, folder: Path, script: str, patience: float = STARTING) -> None:
        self.noted = folder / "started"
        self.noted.mkdir()
        lines = [
            "import os, signal, sys, time",
            f"sys.path.insert(0, {str(Path(detached.__file__).parents[1])!r})",
            "from autology.workers.frames import receive, send",
            "asked, told = sys.stdin.buffer, sys.stdout.buffer",
            f"open(os.path.join({str(self.noted)!r}, str(os.getpid())), 'w').close()",
            script,
        ]
        command = [sys.executable, "-I", "-c", "\n".join(lines)]
        self.pool = WorkerPool(lambda: command, lambda: b"hello", lambda: 2, patience)

    @property
    def processes(self) -> list[int]:
        return [int(file.name) for file in self.noted.iterdir()]


def test_an_index_that_several_processes_made_is_the_one_that_one_process_makes(
    root: Path, expected: list[str]
) -> None:
    assert len(expected) > NOTES + DOCUMENTS
    assert indexed(root, workers(root)) == expected


def test_a_worker_makes_of_files_what_is_made_of_them_here(root: Path) -> None:
    graph, library = opened(root, ALONE)
    notes = [f".autology/nodes/concepts/{an_id(number)}.md" for number in (1, 7, 8, 1_000)]
    pages = [f"docs/p{number}.md" for number in (1, 9, 12)]
    worker = Process(detached.program(["worker", str(root)]), greeting())
    try:
        worker.start()
        result = [pickle.loads(worker.ask(json.dumps(job).encode())) for job in (("node", notes), ("document", pages))]
    finally:
        worker.leave()
    assert result == [graph.steps(notes), library.ready(pages)]
    assert [type(each).__name__ for each in result[0]] == ["Prepared", "Fault", "Prepared", "Gone"]
    assert [type(each).__name__ for each in result[1]] == ["Unlinked", "Fault", "Unlinked"]


def test_results_of_workers_come_in_order(tmp_path: Path) -> None:
    script = """
import json, pickle
send(told, b"hello")
while data := receive(asked):
    send(told, pickle.dumps(("there", json.loads(data)[1])))
    open(os.path.join(os.getcwd(), "answered"), "w").close()
"""
    helping = Written(tmp_path, script.replace("os.getcwd()", repr(str(tmp_path))))

    def here(job: int) -> tuple[str, int]:
        until((tmp_path / "answered").exists)
        return "here", job

    with helping.pool.results("node", range(60), here) as made:
        result = list(made)
    assert [job for _, job in result] == list(range(60))
    assert {where for where, _ in result} == {"here", "there"}
    assert all(map(is_gone, helping.processes))


FAILING = {
    "ends at once": "",
    "is of another version": "send(told, b'goodbye'); receive(asked)",
    "prints what it should not": "print('Welcome!' * 100, flush=True); time.sleep(600)",
    "is killed at its first job": "send(told, b'hello'); receive(asked); os._exit(9)",
    "says half of an answer": r"send(told, b'hello'); receive(asked); os.write(1, b'\x40\0\0\0half')",
    "answers with noise": "send(told, b'hello'); receive(asked); os.write(1, os.urandom(4096))",
    "answers with something else": "send(told, b'hello')\nwhile receive(asked): send(told, b'{}')",
    "promises too much": r"send(told, b'hello'); receive(asked); os.write(1, b'\xff' * 8); time.sleep(600)",
    "hangs before it says anything": "time.sleep(600)",
    "hangs at a job": "send(told, b'hello'); time.sleep(600)",
}


@pytest.mark.parametrize("what", FAILING)
def test_jobs_of_a_failing_worker_are_done_here(what: str, tmp_path: Path) -> None:
    failing = Written(tmp_path, FAILING[what], patience=0.1)

    def here(job: int) -> int:
        until(lambda: len(failing.processes) == 2)
        time.sleep(0.01)
        return -job

    with failing.pool.results("node", range(40), here) as made:
        assert list(made) == [-job for job in range(40)]
    assert all(map(is_gone, failing.processes))


def test_without_workers_all_jobs_are_done_in_this_process(tmp_path: Path) -> None:
    pool = WorkerPool(lambda: [str(tmp_path / "nothing")], lambda: b"hello", lambda: 2)
    with pool.results("node", range(40), str) as made:
        assert list(made) == [str(job) for job in range(40)]


def test_nothing_goes_on_when_the_reading_is_stopped(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lasting = Written(tmp_path, "send(told, b'hello'); time.sleep(600)")
    graph, _ = opened(root, lasting.pool)

    def stopped(path: str) -> tuple[bytes, Stamp]:
        until(lambda: len(lasting.processes) == 2)
        raise KeyboardInterrupt

    monkeypatch.setattr(graph.files, "read", stopped)
    with pytest.raises(KeyboardInterrupt):
        graph.refresh(walk=True)
    assert all(map(is_gone, lasting.processes))


def test_few_files_start_no_workers(root: Path, tmp_path: Path) -> None:
    result = Written(tmp_path, "")
    with result.pool.results("node", range(MIN_JOBS - 1), str) as made:
        assert list(made) == [str(number) for number in range(MIN_JOBS - 1)]
    assert result.processes == []


def test_an_error_of_a_job_itself_is_raised_here(tmp_path: Path) -> None:
    result = Written(tmp_path, "send(told, b'hello'); receive(asked); raise OSError")

    def here(job: int) -> int:
        raise RuntimeError(f"job {job}")

    with pytest.raises(RuntimeError, match="job"), result.pool.results("node", range(50), here) as made:
        list(made)
    assert all(map(is_gone, result.processes))


def test_a_worker_ends_when_whoever_asked_is_gone(root: Path) -> None:
    worker = subprocess.Popen(detached.program(["worker", str(root)]), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    with worker:
        assert worker.stdin is not None
        worker.stdin.close()
        assert worker.wait(STARTING) == 0


@pytest.mark.parametrize(("told", "most"), [("0", -1), ("1", 0), ("2", 1), ("", 3), ("many", 3)])
def test_the_number_of_workers_follows_the_setting_and_the_processors(
    told: str, most: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("AUTOLOGY_WORKERS", told)
    monkeypatch.setattr("autology.workers.pool.processors", lambda: 64)
    pool = Project(str(tmp_path)).graph.pool
    assert isinstance(pool, WorkerPool)
    assert pool._limit() == most
    monkeypatch.setattr("autology.workers.pool.processors", lambda: 1)
    pool = Project(str(tmp_path)).graph.pool
    assert isinstance(pool, WorkerPool)
    assert pool._limit() <= 0


def until(seen: Callable[[], bool]) -> None:
    """Wait until something is *seen*."""
    end = time.monotonic() + STARTING
    while not seen():
        assert time.monotonic() < end
        time.sleep(0.005)


def is_gone(process: int) -> bool:
    if sys.platform == "win32":
        return True  # nothing there tells it by a number
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    return False
