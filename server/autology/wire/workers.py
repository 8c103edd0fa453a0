"""Worker processes, which read and preprocess files for indexing."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from autology.wire import user

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from autology.workers.pool import WorkerPool


def pool(root: str) -> WorkerPool:
    """Return the worker processes for indexing the project at *root*."""
    from autology import detached, settings
    from autology.workers.pool import WorkerPool, processors

    def limit() -> int:
        allowed = settings.own("workers")
        assert isinstance(allowed, int)
        return min(processors(), allowed) - 1  # this process works too

    return WorkerPool(lambda: detached.program(["worker", os.path.abspath(root)]), greeting, limit)


def work(makes: dict[str, Callable[[Any], object]]) -> None:
    """Preprocess the files requested on standard input, with the function for the kind of each."""
    from autology.workers.worker import work

    work(greeting(), makes, sys.stdin.buffer, sys.stdout.buffer)


def greeting() -> bytes:
    """Return what must be equal in two processes for them to index a file in the same way."""
    from autology import __version__
    from autology.index import schema

    table = user.encoder()
    return repr((__version__, sys.version, schema.STAMP, table.name if table else "")).encode()
