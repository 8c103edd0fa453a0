"""Writing to a pipe or socket without waiting for its reader, where the system allows it."""

from __future__ import annotations

import os
import socket
import stat
import sys

if sys.platform == "linux":
    import fcntl
    import termios


def write(file: int, data: bytes) -> int:
    """Write what *file* takes of *data* without waiting; return the number of bytes written, 0 where that is unknown.

    Only this process may write to *file*. Raises OSError if its other end is closed.
    """
    mode = os.fstat(file).st_mode
    if stat.S_ISSOCK(mode):
        return _send(file, data)
    return os.write(file, data) if stat.S_ISFIFO(mode) and len(data) <= _room(file) else 0


def _send(file: int, data: bytes) -> int:
    if sys.platform == "win32":
        return 0
    with socket.socket(fileno=os.dup(file)) as connection:
        try:
            return connection.send(data, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return 0


def _room(pipe: int) -> int:
    """Return the bytes that *pipe* takes without waiting if it is empty, else 0; 0 where that is unknown."""
    if sys.platform == "linux":
        unread = int.from_bytes(fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)), sys.byteorder)
        return 0 if unread else fcntl.fcntl(pipe, fcntl.F_GETPIPE_SZ)
    return 0
