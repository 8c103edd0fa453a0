"""An inter-process lock that a dead process cannot hold, and that times out."""

import os
import sys
import time


class Lock:
    """Holds a lock on *path* inside the `with`, or goes on without it after *wait* seconds.

    Going on is safe: the protected file is written next to its target and renamed. The lock only avoids duplicate work.
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
    """Try to lock the open *file*; return true if it is locked, or if its file system has no locks."""
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
        return True  # Some network homes refuse every lock; waiting would not help.
    return True
