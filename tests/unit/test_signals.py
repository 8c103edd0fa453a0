"""What a signal ends; a process that was started to ignore one, as a background job is, goes on ignoring it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.unit.cli_kit import SERVER, records

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals to send to one process")
SOON = 120.0
"""Seconds for a process to start or to end on a busy machine."""
A_WHILE = 1.0
"""Seconds after which a process lives on that a signal would have ended: all of them look twice a second."""
HELLO = (
    b'{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25",'
    b' "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}}\n'
)
FRONTS = {"watch": ("watch", "--every", "0.1"), "web": ("web", "--no-open"), "serve": ("serve",)}


@contextmanager
def started(folder: Path, *words: str, ignored: str = "", said: bytes = b"") -> Iterator[subprocess.Popen[bytes]]:
    """Start the program with *words*, as one that ignores the signal *ignored* does; it has begun its work."""
    command = starting(ignored, "-m", "autology", *words)
    pipe = subprocess.PIPE
    env = {**os.environ, "PYTHONPATH": str(SERVER)}
    with subprocess.Popen(command, cwd=folder, env=env, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        try:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(said)
            process.stdin.flush()
            assert process.stdout.readline()
            yield process
        finally:
            process.kill()


@pytest.mark.parametrize("name", ["SIGINT", "SIGHUP"])
@pytest.mark.parametrize("front", FRONTS)
def test_a_process_started_to_ignore_a_signal_keeps_ignoring_it(tmp_path: Path, front: str, name: str) -> None:
    message = HELLO if front == "serve" else b""
    with started(tmp_path, *FRONTS[front], ignored=name, said=message) as process:
        process.send_signal(getattr(signal, name))
        time.sleep(A_WHILE)
        assert process.poll() is None
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=SOON)
        assert process.returncode == 0
        assert b"Traceback" not in errors


@pytest.mark.parametrize("name", ["SIGINT", "SIGHUP", "SIGTERM"])
@pytest.mark.parametrize("front", FRONTS)
def test_a_signal_ends_a_process_without_a_traceback(tmp_path: Path, front: str, name: str) -> None:
    with started(tmp_path, *FRONTS[front], said=HELLO if front == "serve" else b"") as process:
        process.send_signal(getattr(signal, name))
        _, errors = process.communicate(timeout=SOON)
        assert process.returncode == 0
        assert b"Traceback" not in errors


@pytest.mark.parametrize("name", ["SIGHUP", "SIGTERM"])
def test_a_command_that_is_ended_says_so_by_its_exit_code(tmp_path: Path, name: str) -> None:
    texts = {f"{n:04}-x.md": f"# {n}. Thing {n}\n\n## Decision\n\n{'Yes. ' * 200}\n" for n in range(1500)}
    records(tmp_path / "adr", texts)
    env = {**os.environ, "PYTHONPATH": str(SERVER)}
    command = starting("", "-m", "autology", "import", "adr", "adr")
    with subprocess.Popen(command, cwd=tmp_path, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        until(lambda: any((tmp_path / ".autology" / "nodes").glob("*/*.md")) or process.poll() is not None)
        process.send_signal(getattr(signal, name))
        _, errors = process.communicate(timeout=SOON)
    assert process.returncode == 128 + getattr(signal, name), errors
    assert b"Traceback" not in errors
    assert b"Run the command again to resume" in errors


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP", "SIGKILL"])
@pytest.mark.parametrize("ignored", ["", "SIGINT"])
def test_workers_end_with_the_process_that_started_them(tmp_path: Path, name: str, ignored: str) -> None:
    if name == ignored:
        name = "SIGTERM"
    worker = (
        "import os, sys, time\n"
        f"sys.path.insert(0, {str(SERVER)!r})\n"
        "from autology.workers.frames import receive, send\n"
        f"open(os.path.join({str(tmp_path)!r}, f'{{os.getpid()}}.worker'), 'w').close()\n"
        "send(sys.stdout.buffer, b'hello')\n"
        "while receive(sys.stdin.buffer): time.sleep(0.1); send(sys.stdout.buffer, b'')\n"
    )
    parent = (
        "import sys, time\n"
        f"sys.path.insert(0, {str(SERVER)!r})\n"
        "from autology import signals\n"
        "from autology.workers.pool import WorkerPool\n"
        "signals.stop()\n"
        f"pool = WorkerPool(lambda: [sys.executable, '-I', '-c', {worker!r}], lambda: b'hello', lambda: 2)\n"
        "with pool.results('node', range(1_000_000), lambda job: time.sleep(0.01)) as made:\n"
        "    for _ in made: pass\n"
    )
    with subprocess.Popen(starting(ignored, "-c", parent), stderr=subprocess.DEVNULL) as process:
        try:
            until(lambda: len(list(tmp_path.glob("*.worker"))) == 2)
            workers = [int(file.stem) for file in tmp_path.glob("*.worker")]
            process.send_signal(getattr(signal, name))
            process.wait(SOON)
        finally:
            process.kill()
    until(lambda: not any(map(lives, workers)))


def starting(ignored: str, *words: str) -> list[str]:
    """Return the command that starts Python with *words*, *ignored* being the only signal that it ignores."""
    before = (
        "import os, signal, sys\n"
        "for name in ('SIGINT', 'SIGHUP', 'SIGTERM'):\n"
        "    act = signal.SIG_IGN if name == sys.argv[1] else signal.SIG_DFL\n"
        "    signal.signal(getattr(signal, name), act)\n"
        "os.execv(sys.executable, [sys.executable, *sys.argv[2:]])\n"
    )
    return [sys.executable, "-c", before, ignored, *words]


def until(seen: Callable[[], bool]) -> None:
    """Wait until something is *seen*."""
    end = time.monotonic() + SOON
    while not seen():
        assert time.monotonic() < end
        time.sleep(0.01)


def lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{process}/stat")  # one that ended is there until its new parent has taken note of it
    return not (state.exists() and state.read_text().rpartition(")")[2].split()[0] == "Z")
