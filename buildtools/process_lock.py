"""Running a job in one process at a time; the system releases the lock of a dead process."""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from buildtools.run_programs import say


@contextmanager
def locked(path: Path, job: str) -> Iterator[None]:
    """Hold a lock on *path*; if another process runs the same *job*, say so and wait."""
    path.parent.mkdir(parents=True, exist_ok=True)
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if not _taken(file):
            say(f"waiting for another process that is {job}")
            while not _taken(file):
                time.sleep(0.1)
        yield
    finally:
        os.close(file)


def _taken(file: int) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
