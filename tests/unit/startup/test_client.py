"""The client's lines arrive whole and in order, whatever it does and whoever takes over."""

from __future__ import annotations

import os
import shutil
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from autology.startup.client import MAX_LINE, Client
from autology_boot import interpreters

ROOT = Path(__file__).resolve().parents[3]
COPYING = """
import sys
for line in sys.stdin.buffer:
    sys.stdout.buffer.write(b"%d %s\\n" % (len(line), line[:3].strip()))
"""


@contextmanager
def client_of(incoming: int, outgoing: int | None = None) -> Iterator[Client]:
    """The client at the other end of two pipes; it has to close its own before the end."""
    to_client = os.open(os.devnull, os.O_WRONLY) if outgoing is None else outgoing
    with os.fdopen(incoming, "rb") as source, os.fdopen(to_client, "wb") as target:
        client = Client(source, target, None)
        client.start()
        yield client


def test_a_line_that_arrives_byte_by_byte_is_whole() -> None:
    incoming, client_end = os.pipe()
    text = '{"id": "ä漢😀"}\n'.encode()
    with client_of(incoming) as client:
        for byte in text:
            os.write(client_end, bytes([byte]))
        os.write(client_end, b"half")
        os.close(client_end)
        assert list(client.lines()) == [text, b"half"]


def test_the_lines_keep_their_order_when_another_server_takes_over() -> None:
    incoming, client_end = os.pipe()
    lines = [b"%d\n" % number for number in range(3_000)]

    def send() -> None:
        with os.fdopen(client_end, "wb") as stream:
            stream.writelines(lines)

    with client_of(incoming) as client:
        threading.Thread(target=send).start()
        first = [client.take() for _ in range(100)]
        client.hand_over()
        assert first + list(client.lines()) == lines


def test_whoever_waits_for_lines_hears_of_each_and_of_the_end() -> None:
    incoming, client_end = os.pipe()
    arrived, taken = threading.Semaphore(0), []
    with client_of(incoming) as client:
        client.hand_over()
        client.notify(arrived.release)
        assert arrived.acquire(timeout=10)
        assert client.take_at_once() is None
        with os.fdopen(client_end, "wb") as stream:
            stream.writelines(b"%d\n" % number for number in range(100))
        while (line := client.take_at_once()) != b"":
            if line is None:
                assert arrived.acquire(timeout=10)
            else:
                taken.append(line)
    assert taken == [b"%d\n" % number for number in range(100)]


def test_a_connection_that_is_reset_ends_like_one_that_is_closed() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        ours = socket.create_connection(listener.getsockname())
        theirs, _ = listener.accept()
    with ours, ours.makefile("rb") as incoming, ours.makefile("wb") as outgoing:
        client = Client(incoming, outgoing, None)
        client.start()
        theirs.sendall(b"one\n")
        assert client.take() == b"one\n"
        theirs.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        theirs.close()  # sends a reset
        assert client.take() == b""


def test_a_process_that_takes_over_receives_the_line_after_an_overlong_one(tmp_path: Path) -> None:
    (tmp_path / "copying.py").write_text(COPYING, encoding="utf-8")
    incoming, client_end = os.pipe()
    from_server, outgoing = os.pipe()

    def send() -> None:
        with os.fdopen(client_end, "wb") as stream:
            stream.write(b"a\n" + b"b" * (MAX_LINE + 5) + b"\nc\n")

    sender = threading.Thread(target=send)
    sender.start()
    with client_of(incoming, outgoing) as client:
        assert interpreters.pass_on(client, str(tmp_path / "copying.py"), [], {}) == 0
    sender.join()
    with os.fdopen(from_server, "rb") as stream:
        assert stream.read().splitlines() == [b"2 a", b"%d bbb" % (MAX_LINE + 1), b"2 c"]


GREETING = """
import sys
from autology.startup import serving
client = serving.greet(None)
for line in client.lines():
    client.write(line)
"""


@pytest.fixture
def startup(tmp_path: Path) -> Path:
    """A copy of what runs before the program is unpacked."""
    package = tmp_path / "copy" / "autology"
    shutil.copytree(ROOT / "server" / "autology" / "startup", package / "startup")
    for name in ("__init__.py", "signals.py", "places.py"):
        shutil.copy(ROOT / "server" / "autology" / name, package)
    return package


def echoed(startup: Path, incoming: int, outgoing: int) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "PYTHONPATH": str(startup.parent), "AUTOLOGY_CONFIG": str(startup / "none")}
    return subprocess.Popen(
        [sys.executable, "-c", GREETING], stdin=incoming, stdout=outgoing, env=environment, cwd=startup
    )


@pytest.mark.skipif(sys.platform == "win32", reason="a pipe does not block by its other end's will")
@pytest.mark.parametrize("which", [0, 1])
def test_a_pipe_that_a_launcher_set_not_to_block_is_read_and_written_whole(startup: Path, which: int) -> None:
    incoming, client_end = os.pipe()
    from_server, outgoing = os.pipe()
    os.set_blocking((incoming, outgoing)[which], False)
    process = echoed(startup, incoming, outgoing)
    os.close(incoming)
    os.close(outgoing)
    lines = [b"%d " % number + b"x" * 50_000 + b"\n" for number in range(20)]

    def send() -> None:
        with os.fdopen(client_end, "wb") as stream:
            threading.Event().wait(0.5)  # until it has begun to read
            stream.writelines(lines)

    sender = threading.Thread(target=send)
    sender.start()
    with os.fdopen(from_server, "rb") as stream:
        threading.Event().wait(1.0)  # until the pipe is full
        assert list(stream) == lines
    sender.join()
    assert process.wait(60) == 0


def test_a_damaged_record_leaves_all_answers_to_the_sdk(startup: Path) -> None:
    (startup / "startup" / "recorded_answers.json").write_bytes(b'{"handshake": [')
    incoming, client_end = os.pipe()
    from_server, outgoing = os.pipe()
    process = echoed(startup, incoming, outgoing)
    os.close(incoming)
    os.close(outgoing)
    os.write(client_end, b"line\n")
    os.close(client_end)
    with os.fdopen(from_server, "rb") as stream:
        assert stream.read() == b"line\n"
    assert process.wait(60) == 0
