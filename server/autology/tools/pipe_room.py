"""Writing to a pipe without waiting for its reader, where the system says how much it takes."""

from __future__ import annotations

import os
import stat
import sys

if sys.platform == "linux":
    import fcntl
    import termios


def write(file: int, data: bytes) -> int:
    """Write *data* to *file* if it takes it all at once; return the number of bytes written, 0 if it may have to wait.

    Only this process may write to *file*. Raises OSError if its other end is closed.
    """
    return os.write(file, data) if len(data) <= _room(file) else 0


def _room(file: int) -> int:
    """Return the bytes that *file* takes without waiting, as far as known: those of an empty pipe."""
    if sys.platform != "linux" or not stat.S_ISFIFO(os.fstat(file).st_mode):
        return 0
    unread = int.from_bytes(fcntl.ioctl(file, termios.FIONREAD, bytes(4)), sys.byteorder)
    return 0 if unread else fcntl.fcntl(file, fcntl.F_GETPIPE_SZ)
