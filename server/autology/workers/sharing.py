"""Sharing jobs between this process and its workers: each is done once, here if no worker does it."""

from __future__ import annotations

import heapq
import json
import pickle
from collections.abc import Callable, Iterator, Sequence
from threading import Condition, Thread
from typing import Generic, cast

from autology.core.long_work import Job, Made
from autology.workers.process import Process

AHEAD = 24
"""Jobs done ahead of the consumer: two transactions of 500 notes, some 8 MB, wait for the writer."""
LEAVING = 5.0
"""Seconds to wait for a killed worker's thread; a grandchild may still hold its pipe."""
_FOREIGN = (pickle.PickleError, AttributeError, EOFError, ImportError, IndexError, KeyError, TypeError, ValueError)
"""Errors of unpickling invalid data."""


class Sharing(Generic[Job, Made]):
    """The *jobs* of one batch; *here* does a job in this process."""

    def __init__(self, kind: str, jobs: Sequence[Job], here: Callable[[Job], Made], patience: float) -> None:
        self._kind = kind
        self._jobs = jobs
        self._here = here
        self._patience = patience
        self._board = Board(len(jobs))
        self._made: dict[int, Made] = {}
        self._workers: list[tuple[Process, Thread]] = []

    def start(self, many: int, command: Sequence[str], greeting: bytes) -> None:
        """Start *many* workers without waiting; those that fail to start are ignored."""
        for _ in range(many):
            process = Process(command, greeting)
            thread = Thread(target=self._serve, args=(process,), name="autology worker", daemon=True)
            try:
                thread.start()
            except RuntimeError:  # the system's thread limit is reached
                return
            self._workers.append((process, thread))

    def results(self) -> Iterator[Made]:
        """Yield the result of each job, in order, while the next ones are processed."""
        return map(self._result, range(len(self._jobs)))

    def end(self) -> None:
        """Kill the workers."""
        self._board.end()
        for process, _ in self._workers:
            process.end()
        for _, thread in self._workers:
            thread.join(LEAVING)

    def _result(self, wanted: int) -> Made:
        while wanted not in self._made:
            job_or_result = self._board.next(wanted, self._patience)
            if isinstance(job_or_result, int):
                self._made[job_or_result] = self._here(self._jobs[job_or_result])
                continue
            try:
                return cast("Made", pickle.loads(job_or_result))  # noqa: S301 - from a process that we started
            except _FOREIGN:
                self._made[wanted] = self._here(self._jobs[wanted])
        return self._made.pop(wanted)

    def _serve(self, process: Process) -> None:
        """Feed jobs to a worker until there are none left or it fails."""
        job = None
        try:
            process.start()
            while (job := self._board.take()) is not None:
                self._board.put(job, process.ask(json.dumps([self._kind, self._jobs[job]]).encode()))
        except (OSError, ValueError):  # it did not start, died, or sent an invalid message
            if job is not None:
                self._board.give_back(job)
        finally:
            process.leave()


class Board:
    """Open jobs, and the workers' results."""

    def __init__(self, many: int) -> None:
        self._changed = Condition()
        self._left = list(range(many))  # a heap
        self._made: dict[int, bytes] = {}
        self._wanted = 0
        self._over = False

    def next(self, wanted: int, patience: float) -> bytes | int:
        """Return a worker's result of the job *wanted*, or a job to do here.

        The job is *wanted* itself if no worker has taken it, or if the worker that has did not finish within *patience*
        seconds and no other job is left.
        """
        with self._changed:
            self._wanted = wanted
            self._changed.notify_all()
            self._changed.wait_for(lambda: wanted in self._made or self._near(), patience)
            if wanted in self._made:
                return self._made.pop(wanted)
            return heapq.heappop(self._left) if self._near() else wanted

    def take(self) -> int | None:
        """Return a job for a worker, waiting until one is in range; None if there are no more."""
        with self._changed:
            self._changed.wait_for(lambda: self._over or not self._left or self._near())
            return None if self._over or not self._left else heapq.heappop(self._left)

    def put(self, job: int, result: bytes) -> None:
        """Store a worker's result, unless the job was done here meanwhile."""
        with self._changed:
            if job >= self._wanted:
                self._made[job] = result
                self._changed.notify_all()

    def give_back(self, job: int) -> None:
        """Return a job for others to do."""
        with self._changed:
            if job >= self._wanted:
                heapq.heappush(self._left, job)
                self._changed.notify_all()

    def end(self) -> None:
        """Stop handing out jobs."""
        with self._changed:
            self._over = True
            self._changed.notify_all()

    def _near(self) -> bool:
        while self._left and self._left[0] < self._wanted:  # returned after it was done here
            heapq.heappop(self._left)
        return bool(self._left) and self._left[0] < self._wanted + AHEAD
