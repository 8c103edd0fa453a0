"""Reading a file with the stamp that tells whether it is still the same."""

from __future__ import annotations

import time

from autology.core.ports import Stamp
from autology.files import regular
from autology.model.errors import StorageError

YOUNG_NS = 20_000_000
"""A file this young may be written again without its stamp changing: clocks of file systems tick every 4 to 10 ms."""


def read(path: str, full: str, limit: int) -> tuple[bytes, Stamp]:
    """Return the bytes of the file that lies at *full*, *path* in the project, and the stamp they go with.

    A file that was written this very moment gets a stamp that no later look finds again: another text of the same
    length may follow under the same time.

    Raises:
        FileNotFoundError: there is none.
        StorageError: it is no regular file, longer than *limit* bytes, or cannot be read.
    """
    try:
        data, facts = regular.read(full, limit)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise StorageError(path, error.strerror or str(error), "Put a readable markdown file there.") from None
    settled = abs(time.time_ns() - facts.st_mtime_ns) > YOUNG_NS
    return data, Stamp(facts.st_size, facts.st_mtime_ns if settled else 0)
