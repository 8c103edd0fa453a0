"""Reading a file together with the stamp that detects later changes."""

from __future__ import annotations

import time

from autology.core.content.files import Stamp
from autology.files import safe_read
from autology.model.errors import StorageError

YOUNG_NS = 20_000_000
"""A file this young may be rewritten without a new stamp: file system clocks tick every 4 to 10 ms."""


def read(path: str, full: str, limit: int) -> tuple[bytes, Stamp]:
    """Return the bytes and the stamp of the file at *full*, which is *path* in the project.

    A file written just now gets a stamp that never matches: another text of the same length could follow within the
    same clock tick.

    Raises:
        FileNotFoundError: it does not exist.
        StorageError: it is not a regular file, longer than *limit* bytes, or cannot be read."""
    try:
        data, facts = safe_read.read(full, limit)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise StorageError(path, error.strerror or str(error), "Put a readable markdown file there.") from None
    settled = abs(time.time_ns() - facts.st_mtime_ns) > YOUNG_NS
    return data, Stamp(facts.st_size, facts.st_mtime_ns if settled else 0)
