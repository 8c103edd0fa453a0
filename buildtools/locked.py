"""Letting one process at a time do a job; the system lets go of a dead one's lock."""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from buildtools.screen import say


@contextmanager
def locked(path: Path, job: str) -> Iterator[None]:
    """Hold *path* locked; wait for another process that does the same *job*, and say so."""
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
