"""Exclusive lock for writers, released by the operating system when its holder dies."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from autology.model.errors import BusyError, StorageError
from autology.model.next_step import Action, Sentence, do

PATIENCE = 10.0
"""Seconds to wait for another writer; the longest write measured (10,000 files) holds it for 4."""


@contextmanager
def held(path: str, shown: str, patience: float | None = None) -> Iterator[None]:
    """Hold the lock file at *path*, called *shown* in messages.

    Raises:
        BusyError: another process holds it for longer than *patience* seconds (default `PATIENCE`).
        StorageError: it cannot be opened.
    """
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o644)
    except OSError as error:
        raise StorageError(shown, error.strerror or str(error), _STEP) from None
    try:
        _wait(handle, shown, PATIENCE if patience is None else patience)
        yield
    finally:
        os.close(handle)  # closing frees the lock


def holder(path: str) -> str | None:
    """Describe the holder of the lock file at *path*, or None if it is free. Changes nothing."""
    try:
        handle = os.open(path, os.O_RDWR)
    except OSError:
        return None
    try:
        if _taken(handle, path):
            return None
        return _process(handle) or "another process is writing"
    except StorageError:
        return None
    finally:
        os.close(handle)


def _process(handle: int) -> str | None:
    """Return the holding process if the system reports it: Linux lists locks by inode."""
    number = os.fstat(handle).st_ino
    try:
        with open("/proc/locks", encoding="ascii") as file:
            lines = [line.split() for line in file]
    except (OSError, ValueError):
        return None
    for words in lines:
        if len(words) > 5 and words[1] == "FLOCK" and words[5].endswith(f":{number}") and words[4].isdigit():
            return f"process {words[4]} is writing"
    return None


_STEP = "Nothing was changed. Make the folder writable, or work on a copy."


def _wait(handle: int, shown: str, patience: float) -> None:
    deadline = time.monotonic() + patience
    pause = 0.0005
    while not _taken(handle, shown):
        if time.monotonic() > deadline:
            step = Sentence("Nothing was changed. Try again; ", do(Action.DOCTOR), " shows which process it is.")
            raise BusyError(shown, f"another process has been writing for {patience:.0f} seconds", step)
        time.sleep(pause)
        pause = min(pause * 1.5, 0.02)


def _taken(handle: int, shown: str) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except OSError as error:
        # Some network file systems have no locks: failing is safe, waiting forever is not.
        raise StorageError(shown, f"this file system cannot lock: {error.strerror}", _STEP) from None
    return True
