"""Reading files that a repository controls: only regular files, no links, pipes or devices."""

from __future__ import annotations

import errno
import os
import stat

# Non-blocking, because the file may be replaced by a pipe before it is opened.
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


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
        with os.fdopen(handle, "rb", closefd=False) as file:
            return file.read(), facts
    finally:
        os.close(handle)


def mtime(path: str) -> int:
    """Return when the file or folder at *path* was modified, in nanoseconds; 0 where there is none."""
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return 0


def _refuse(facts: os.stat_result, path: str, limit: int | None) -> None:
    if stat.S_ISLNK(facts.st_mode):
        raise OSError(errno.ELOOP, "is a link, which is not followed", path)
    if not stat.S_ISREG(facts.st_mode):
        raise OSError(errno.EINVAL, "is not a regular file", path)
    if limit is not None and facts.st_size > limit:
        raise OSError(errno.EFBIG, f"has {facts.st_size:,} bytes; {limit:,} is the limit", path)
