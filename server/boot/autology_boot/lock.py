"""An inter-process lock that a dead process cannot hold, and that times out."""

import os
import sys
import time
from contextlib import contextmanager


@contextmanager
def held(path, wait):
    """Hold a lock on *path*, or continue without it after *wait* seconds; the value is whether it is held.

    Continuing is safe: the protected file is written elsewhere and renamed. The lock only saves duplicate work.
    """
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        until = time.monotonic() + wait
        taken = _taken(file)
        while taken is False and time.monotonic() < until:
            time.sleep(0.05)
            taken = _taken(file)
        yield bool(taken)
    finally:
        os.close(file)


def _taken(file):
    """Try to lock the open *file*; return whether it is locked, None if its file system has no locks."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except OSError:
        return None  # Some network homes refuse every lock; waiting would not help.
    return True
