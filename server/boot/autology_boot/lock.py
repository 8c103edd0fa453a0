"""A lock between processes that a dead one cannot hold, and that gives up rather than wait for ever."""

import os
import sys
import time


class Lock:
    """Holds *path* locked inside the `with`, or goes on without after *wait* seconds.

    Going on is safe: what it guards is written beside and renamed. The lock only saves doing work twice.
    """

    def __init__(self, path, wait):
        self.path = path
        self.wait = wait
        self.file = None

    def __enter__(self):
        self.file = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
        until = time.monotonic() + self.wait
        while not _taken(self.file) and time.monotonic() < until:
            time.sleep(0.05)
        return self

    def __exit__(self, *problem):
        os.close(self.file)


def _taken(file):
    """Try to lock the open *file*; true if it is locked, or cannot be on this file system."""
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
        return True  # Some network homes refuse every lock; waiting would not change that.
    return True
