"""The server lives through what happens to it, several calls at once among it, and ends when it should."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from autology.files import lock
from autology.tools.server import TOOLS
from tests.plugin.served import INITIALIZE, PATIENCE, ROOT, Served, served, text

posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals to send to one process")


@contextmanager
def writing_elsewhere(project: Path) -> Iterator[None]:
    """Hold the project's write lock, as another process that is busy writing does."""
    with lock.held(str(project / ".autology" / "cache" / "lock"), "the lock"):
        yield


def start(server: Served, title: str = "The first") -> str:
    """Shake hands and capture a node; return its id."""
    server.greet()
    made = server.call("autology_capture", title=title, content="It is here.", type="concept")
    return str(made["structuredContent"]["id"])


def titles(server: Served) -> set[str]:
    answer = server.call("autology_query", limit=100, detail="brief")["structuredContent"]["results"]
    return {hit["node"]["title"] for hit in answer}


def answered_meanwhile(server: Served) -> None:
    """Return when what was sent before has been taken up."""
    assert server.ask("ping")["result"] == {}
    assert server.call("autology_query", query="first")["isError"] is False


def cancel(server: Served, id: int) -> None:
    server.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}})


# ---- its end ----------------------------------------------------------------------------------------


def test_the_end_of_input_ends_it_and_what_was_asked_before_is_answered(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        server.greet()
        id = server.begin("tools/list")
        assert server.end() == 0
        assert len(server.answer(id)["result"]["tools"]) == len(TOOLS)
        assert server.errors == ""


def test_the_end_of_input_ends_it_before_anything_was_said(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        assert server.end() == 0
        assert (server.lines, server.errors) == ([], "")


@posix
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_a_signal_ends_it_at_once_even_while_it_writes(tmp_path: Path, name: str) -> None:
    with served(tmp_path) as server:
        start(server)
        with writing_elsewhere(tmp_path):
            waits = server.begin_call("autology_capture", title="Too late", content="c", type="concept")
            answered_meanwhile(server)
            server.process.send_signal(getattr(signal, name))
            assert server.ended() == 0
        assert server.silent(waits, 0), "it waited until the other writer kept it waiting too long"
        assert server.errors == ""
    with served(tmp_path) as server:
        server.greet()
        assert titles(server) == {"The first"}


def test_the_end_of_input_ends_it_even_while_it_waits_to_write(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        start(server)
        with writing_elsewhere(tmp_path):
            server.begin_call("autology_capture", title="Too late", content="c", type="concept")
            answered_meanwhile(server)
            assert server.end() == 0
        assert server.errors == ""


def test_requests_sent_before_the_end_of_input_are_all_answered(tmp_path: Path) -> None:
    """Requests out of a file or a pipe, as a script has them."""
    calls = [
        {"name": "autology_capture", "arguments": {"title": f"Number {n}", "content": "c", "type": "concept"}}
        for n in range(20)
    ]
    requests = [{"jsonrpc": "2.0", "id": n + 1, "method": "tools/call", "params": call} for n, call in enumerate(calls)]
    greeted = [INITIALIZE, {"jsonrpc": "2.0", "method": "notifications/initialized"}]
    messages = b"".join(json.dumps(message).encode() + b"\n" for message in [*greeted, *requests])
    for values in (messages, messages.removesuffix(b"\n")):
        done = subprocess.run(
            [sys.executable, "-m", "autology", "serve", "--project", str(tmp_path)],
            input=values,
            capture_output=True,
            env={**os.environ, "PYTHONPATH": str(ROOT / "server")},
            check=True,
        )
        answers = {answer["id"]: answer for answer in map(json.loads, done.stdout.splitlines())}
        assert answers.keys() == set(range(21))
        assert not any(answers[n]["result"]["isError"] for n in range(1, 21))
        assert done.stderr == b""
    assert len(list((tmp_path / ".autology" / "nodes" / "concepts").glob("*.md"))) == 40


def test_the_end_of_input_with_nothing_asked_ends_it(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        start(server)
        assert server.end() == 0


def test_a_cancelled_call_does_not_delay_the_shutdown(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        start(server)
        with writing_elsewhere(tmp_path):
            one = server.begin_call("autology_capture", title="It began", content="c", type="concept")
            two = server.begin_call("autology_capture", title="It waited", content="c", type="concept")
            answered_meanwhile(server)
            cancel(server, one)
            cancel(server, two)
            assert server.end() == 0
        assert server.silent(one, 0)
        assert server.silent(two, 0)


def test_blank_lines_of_input_are_ignored(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        for line in ("", "  ", "\t\r"):
            server.send(line)
        server.greet()
        assert server.ask("ping")["result"] == {}
        assert server.end() == 0
        assert len(server.lines) == 2


@posix
def test_the_server_ends_with_its_parent_process(tmp_path: Path) -> None:
    program = (
        "import subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-m', 'autology', 'serve'], stdin=subprocess.PIPE)\n"
        "print(child.pid, flush=True)\n"
        "time.sleep(600)\n"
    )
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2] / "server")}
    with subprocess.Popen(
        [sys.executable, "-c", program], cwd=tmp_path, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as parent:
        assert parent.stdout
        child = int(parent.stdout.readline())
        parent.kill()
        # The child holds the other end of standard output too: it ends when the child is gone.
        begun = time.monotonic()
        parent.stdout.read()
        assert time.monotonic() - begun < PATIENCE
    while running(child):
        assert time.monotonic() - begun < PATIENCE
        time.sleep(0.05)


def test_acknowledged_writes_survive_a_kill(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        start(server)
        for n in range(20):
            server.call("autology_capture", title=f"Number {n}", content="c", type="concept")
        server.process.kill()
    with served(tmp_path) as server:
        server.greet()
        assert len(titles(server)) == 21


# ---- several calls at once --------------------------------------------------------------------------


def test_reading_goes_on_while_a_write_waits(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        id = start(server)
        with writing_elsewhere(tmp_path):
            writes = [
                server.begin_call("autology_update", id=id, title="Renamed"),
                server.begin_call("autology_capture", title="The second", content="c", type="concept"),
            ]
            reads = [server.begin_call("autology_query", query="first") for _ in range(8)]
            for read in reads:
                assert server.answer(read)["result"]["structuredContent"]["results"]
            assert server.silent(writes[0], 0.2)
        assert "✓ Updated: Renamed" in text(server.answer(writes[0])["result"])
        server.answer(writes[1])
        assert titles(server) == {"Renamed", "The second"}


def test_a_cancelled_call_is_never_answered_and_a_write_that_began_completes(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        start(server)
        with writing_elsewhere(tmp_path):
            began = server.begin_call("autology_capture", title="It began", content="c", type="concept")
            waits = server.begin_call("autology_capture", title="It waited", content="c", type="concept")
            answered_meanwhile(server)
            cancel(server, began)
            cancel(server, waits)
            answered_meanwhile(server)
        assert server.call("autology_status")["structuredContent"]["totalNodes"] in (1, 2)
        server.call("autology_capture", title="The last", content="c", type="concept")
        assert titles(server) == {"The first", "It began", "The last"}
        assert server.silent(began, 0.3)
        assert server.silent(waits, 0)


def test_captures_and_queries_at_once_lose_nothing(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        start(server)
        calls = []
        for n in range(60):
            calls.append(server.begin_call("autology_capture", title=f"Number {n}", content="c", type="concept"))
            calls.append(server.begin_call("autology_query", query=f"number {n}"))
            calls.append(server.begin_call("autology_status"))
        for call in calls:
            done = server.answer(call)["result"]
            assert done["isError"] is False, done["content"]
        assert len(titles(server)) == 61
        assert server.call("autology_status")["structuredContent"]["totalNodes"] == 61


def test_two_sessions_of_one_project_work_at_once_and_see_each_other(tmp_path: Path) -> None:
    with served(tmp_path) as one, served(tmp_path) as two:
        shared = start(one)
        two.greet()

        def work(server: Served, name: str) -> None:
            for n in range(15):
                server.call("autology_capture", title=f"{name} {n}", content="c", type="concept")
                server.call("autology_query", query=name)
            end = server.call("autology_query", query=f"{name} 3", limit=1)["structuredContent"]["results"][0]
            response = server.call("autology_relate", source=shared, target=end["node"]["id"], type="relates_to")
            assert not response["isError"]

        with ThreadPoolExecutor() as pool:
            for done in [pool.submit(work, one, "left"), pool.submit(work, two, "right")]:
                done.result()
        for server in (one, two):
            assert len(titles(server)) == 31
            answer = server.call("autology_status")["structuredContent"]
            assert (answer["totalNodes"], answer["totalRelations"], answer["unreadable"]) == (31, 2, [])


def test_a_large_graphs_projection_is_written_when_there_is_time_for_it(tmp_path: Path) -> None:
    folder = tmp_path / ".autology" / "nodes" / "concepts"
    folder.mkdir(parents=True)
    hub, count = "3f2a91c0-1111-4222-8333-444455556666", 1_100
    for n in range(count):
        id = hub if n == 0 else f"{n:08x}-1111-4222-8333-444455556666"
        relations = "" if n == 0 else f"relations:\n  - type: uses\n    target: {hub}\n    confidence: 0.8\n"
        head = f"id: {id}\ntype: concept\ntitle: Number {n}\n{relations}"
        (folder / f"{id}.md").write_text(f"---\n{head}---\n\n# Number {n}\n\nSome.\n", encoding="utf-8")
    projection = tmp_path / ".autology" / "graph" / "index.json"
    with served(tmp_path) as server:
        server.greet()
        answer = server.call("autology_status")["structuredContent"]
        assert (answer["unreadable"], answer["totalRelations"]) == ([], count - 1)
        written(projection, count - 1)
        one, two = f"{1:08x}", f"{2:08x}"
        server.call("autology_relate", source=one, target=two, type="affects")
        written(projection, count)


def running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def written(projection: Path, relations: int) -> None:
    """Wait until the projection holds so many relations."""
    until = time.monotonic() + PATIENCE  # 2 s where nothing else runs
    while not projection.exists() or len(json.loads(projection.read_bytes())["relations"]) != relations:
        assert time.monotonic() < until, "it was not written"
        time.sleep(0.05)


# ---- what is wrong with the project -----------------------------------------------------------------


def test_a_damaged_index_is_rebuilt(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        start(server)
    index = tmp_path / ".autology" / "cache" / "index.sqlite"
    for path in index.parent.glob("index.sqlite-*"):
        path.unlink()
    index.write_bytes(b"SQLite format 3\x00" + b"damaged" * 1_000)
    with served(tmp_path) as server:
        server.greet()
        assert titles(server) == {"The first"}


def test_a_project_that_cannot_be_used_leaves_a_server_that_says_why(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    for name in ("a link", "a file", "no index", "no nodes", "unreadable note"):
        (tmp_path / name).mkdir()
    outside.mkdir()
    (tmp_path / "a link" / ".autology").symlink_to(outside, target_is_directory=True)
    (tmp_path / "a file" / ".autology").write_text("not a folder", encoding="utf-8")
    (tmp_path / "no index" / ".autology" / "cache" / "index.sqlite").mkdir(parents=True)
    (tmp_path / "no nodes" / ".autology" / "nodes").mkdir(parents=True)
    (tmp_path / "no nodes" / ".autology" / "nodes" / "concepts").write_text("not a folder", encoding="utf-8")
    notes = tmp_path / "unreadable note" / ".autology" / "nodes" / "concepts"
    notes.mkdir(parents=True)
    (notes / "broken.md").write_bytes(b"---\nid: [\n---\n\xff\xfe")

    for name, message in (
        ("a link", "leads out of the project through a link"),
        ("a file", "storage error: .autology"),
        ("no index", "the index cannot be used"),
        ("no nodes", "storage error: .autology"),
    ):
        with served(tmp_path / name) as server:
            server.greet()
            assert len(server.ask("tools/list")["result"]["tools"]) == len(TOOLS)
            answer = server.call("autology_capture", title="t", content="c", type="concept")
            assert answer["isError"], name
            assert message in text(answer), (name, text(answer))
            assert text(answer).endswith("."), name
            for tool in ("autology_query", "autology_status"):
                assert "internal error" not in text(server.call(tool)), name
            assert server.ask("ping")["result"] == {}
            assert server.end() == 0
    assert list(outside.iterdir()) == []

    with served(tmp_path / "unreadable note") as server:
        start(server)
        [unreadable] = server.call("autology_status")["structuredContent"]["unreadable"]
        assert unreadable["path"].endswith("broken.md")


@posix
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="nothing is closed to root")
def test_a_folder_that_nothing_may_be_written_to_is_read_and_said_to_be_so(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        start(server)
    closed = [tmp_path / ".autology", *(path for path in tmp_path.rglob("*") if path.is_dir())]
    try:
        for folder in closed:
            folder.chmod(0o500)
        with served(tmp_path) as server:
            server.greet()
            assert titles(server) == {"The first"}
            answer = server.call("autology_capture", title="t", content="c", type="concept")
            assert "writable" in text(answer)
    finally:
        for folder in closed:
            folder.chmod(0o700)


@posix
def test_a_working_folder_that_is_gone_leaves_a_server_that_says_so(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    with served(gone) as server:
        server.send({"jsonrpc": "2.0", "id": "early", "method": "ping"})
        gone.rmdir()
        server.greet()
        assert len(server.ask("tools/list")["result"]["tools"]) == len(TOOLS)
        answer = server.call("autology_status")
        assert answer["isError"]
        assert "Start the client again in a folder that exists." in text(answer)


def test_a_file_changed_outside_is_seen(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        id = start(server)
        path = tmp_path / ".autology" / "nodes" / "concepts" / f"{id}.md"
        path.write_text(path.read_text(encoding="utf-8").replace("The first", "The renamed"), encoding="utf-8")
        server.call("autology_status")
        assert titles(server) == {"The renamed"}
        path.unlink()
        assert titles(server) == set()
