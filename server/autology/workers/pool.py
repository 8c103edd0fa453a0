"""The worker pool: decides whether parallel processes pay off, and falls back to this process."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from autology.core.long_work import Job, Made

MIN_JOBS = 6
"""Minimum jobs for starting workers: 300 notes take a second, and starting a worker a fifth of one."""
PATIENCE = 20.0
"""Seconds to wait for a job of 0.15 or 0.3 seconds taken by a worker, when no other job is left."""


class WorkerPool:
    """The :class:`~autology.core.long_work.Pool` of at most *limit* () workers, started with *command*.

    A worker that does not send *greeting* first has a different version and is not used.
    """

    def __init__(
        self,
        command: Callable[[], Sequence[str]],
        greeting: Callable[[], bytes],
        limit: Callable[[], int],
        patience: float = PATIENCE,
    ) -> None:
        self._command = command
        self._greeting = greeting
        self._limit = limit
        self._patience = patience

    @contextmanager
    def results(self, kind: str, jobs: Sequence[Job], here: Callable[[Job], Made]) -> Iterator[Iterator[Made]]:
        """Yield the results of *here* for all *jobs*, in order; the workers end with the context."""
        worker_count = self._limit() if len(jobs) >= MIN_JOBS else 0
        if worker_count < 1:
            yield map(here, jobs)
            return
        from autology.workers.sharing import Sharing  # not imported for small batches

        sharing = Sharing(kind, jobs, here, self._patience)
        try:
            sharing.start(worker_count, self._command(), self._greeting())
            yield sharing.results()
        finally:
            sharing.end()


def processors() -> int:
    """Return the number of processors available to this process."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
