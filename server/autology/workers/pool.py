"""Whether other processes are worth starting for some work, and the work without them where they are not."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from autology.core.ports import Job, Made

LEAST = 6
"""Jobs from which others help: 300 notes take a second, and a worker that starts meanwhile takes a fifth of it."""
PATIENCE = 20.0
"""Seconds to wait for a job of 0.15 or 0.3 seconds that a worker has taken, when nothing else is left to do."""


class WorkerPool:
    """The :class:`~autology.core.ports.Pool` of up to so many others as *most* tells, each started by *command*.

    A worker that does not say *greeting* first is of another version, and not asked.
    """

    def __init__(
        self,
        command: Callable[[], Sequence[str]],
        greeting: Callable[[], bytes],
        most: Callable[[], int],
        patience: float = PATIENCE,
    ) -> None:
        self._command = command
        self._greeting = greeting
        self._most = most
        self._patience = patience

    @contextmanager
    def made(self, kind: str, jobs: Sequence[Job], here: Callable[[Job], Made]) -> Iterator[Iterator[Made]]:
        """Give what *here* makes of each of *jobs*, in their order; whoever helps is ended when this is left."""
        many = self._most() if len(jobs) >= LEAST else 0
        if many < 1:
            yield map(here, jobs)
            return
        from autology.workers.sharing import Sharing  # who reads a few files starts nobody

        sharing = Sharing(kind, jobs, here, self._patience)
        try:
            sharing.start(many, self._command(), self._greeting())
            yield sharing.results()
        finally:
            sharing.end()


def processors() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
