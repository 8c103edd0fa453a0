"""What a pipe or socket takes at once is written at once, and no more: no answer may make all others wait."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from autology.tools import pipe_room

linux = pytest.mark.skipif(sys.platform != "linux", reason="other systems do not tell how much a pipe takes")


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    """The ends of a pipe: to read from, and to write to."""
    ends = os.pipe()
    yield ends
    for end in ends:
        with suppress(OSError):  # closed by the test
            os.close(end)


@linux
def test_an_empty_pipe_takes_a_line_and_one_that_was_not_read_takes_none(pipe: tuple[int, int]) -> None:
    reading, writing = pipe
    assert pipe_room.write(writing, b"one\n") == 4
    assert pipe_room.write(writing, b"two\n") == 0
    assert os.read(reading, 100) == b"one\n"
    assert pipe_room.write(writing, b"three\n") == 6
    assert os.read(reading, 100) == b"three\n"


@linux
def test_what_is_longer_than_a_pipe_is_not_begun(pipe: tuple[int, int]) -> None:
    reading, writing = pipe
    assert pipe_room.write(writing, b"x" * 10_000_000) == 0
    os.close(writing)
    assert os.read(reading, 100) == b""


@linux
def test_a_pipe_that_nobody_reads_is_an_error(pipe: tuple[int, int]) -> None:
    reading, writing = pipe
    os.close(reading)
    with pytest.raises(BrokenPipeError):
        pipe_room.write(writing, b"one\n")


@pytest.mark.skipif(sys.platform == "win32", reason="its sockets have no descriptors")
def test_a_socket_takes_a_part_and_then_nothing_until_it_is_read() -> None:
    reading, writing = socket.socketpair()
    with reading, writing:
        data = b"x" * 10_000_000
        begun = pipe_room.write(writing.fileno(), data)
        assert 0 < begun < len(data)
        assert pipe_room.write(writing.fileno(), data) == 0
        assert len(reading.recv(begun, socket.MSG_WAITALL)) == begun
        assert pipe_room.write(writing.fileno(), b"one\n") == 4
        assert reading.recv(10) == b"one\n"
        reading.close()
        with pytest.raises(OSError, match=r"Broken pipe|reset"):
            pipe_room.write(writing.fileno(), b"two\n")


def test_of_a_file_nothing_is_known(tmp_path: Path) -> None:
    with (tmp_path / "answers").open("wb") as file:
        assert pipe_room.write(file.fileno(), b"one\n") == 0
