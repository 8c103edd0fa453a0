"""Reading files that a repository controls: only regular files, no links, pipes or devices."""

from __future__ import annotations

import errno
import os
import stat
import time

from autology.core.content.files import Stamp
from autology.model.errors import StorageError

# Non-blocking, because the file may be replaced by a pipe before it is opened.
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)

YOUNG_NS = 20_000_000
"""A file this young may be rewritten without a new stamp: file system clocks tick every 4 to 10 ms."""
CHUNK = 65_536
"""Bytes read at once of a file that grows meanwhile."""


class RefusedError(OSError):
    """Raised for what is not read: a link, a pipe, a device, or a file that is too large."""


def read(path: str, limit: int | None = None) -> tuple[bytes, os.stat_result]:
    """Return the bytes at *path* and the file's metadata.

    Raises:
        FileNotFoundError: it does not exist.
        OSError: it is not a regular file, longer than *limit* bytes, or cannot be read.
    """
    _refuse(os.lstat(path), path, limit)
    handle = os.open(path, _FLAGS)
    try:
        facts = os.fstat(handle)
        _refuse(facts, path, limit)
        return _all(handle, facts.st_size), facts
    finally:
        os.close(handle)


def head(path: str, size: int) -> bytes:
    """Return the first *size* bytes at *path*. Raises OSError as :func:`read` does."""
    _refuse(os.lstat(path), path, None)
    handle = os.open(path, _FLAGS)
    try:
        return os.read(handle, size)
    finally:
        os.close(handle)


def read_stamped(path: str, full: str, limit: int) -> tuple[bytes, Stamp]:
    """Return the bytes and the stamp of the file at *full*, which is *path* in the project.

    A file written just now gets a stamp that never matches: another text of the same length could follow within the
    same clock tick.

    Raises:
        FileNotFoundError: it does not exist.
        StorageError: it is not a regular file, longer than *limit* bytes, or cannot be read."""
    try:
        data, facts = read(full, limit)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise StorageError(path, error.strerror or str(error), "Put a readable text file there.") from None
    settled = abs(time.time_ns() - facts.st_mtime_ns) > YOUNG_NS
    return data, Stamp(facts.st_size, facts.st_mtime_ns if settled else 0)


def mtime(path: str) -> int:
    """Return when the file or folder at *path* was modified, in nanoseconds; 0 where there is none."""
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return 0


def _all(handle: int, size: int) -> bytes:
    """Return what the file of about *size* bytes holds: without a buffered reader, in half of the time."""
    data = os.read(handle, size + 1)
    if len(data) == size:
        return data
    parts = [data]  # it was changed meanwhile, or read in part
    while data := os.read(handle, CHUNK):
        parts.append(data)
    return b"".join(parts)


def _refuse(facts: os.stat_result, path: str, limit: int | None) -> None:
    if stat.S_ISLNK(facts.st_mode):
        raise RefusedError(errno.ELOOP, "is a link, which is not followed", path)
    if not stat.S_ISREG(facts.st_mode):
        raise RefusedError(errno.EINVAL, "is not a regular file", path)
    if limit is not None and facts.st_size > limit:
        raise RefusedError(errno.EFBIG, f"has {facts.st_size:,} bytes; {limit:,} is the limit", path)
