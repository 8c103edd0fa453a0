"""Sharing jobs between this process and its workers: a job that no worker takes is run here."""

from __future__ import annotations

import heapq
import json
import pickle
from collections.abc import Callable, Iterator, Sequence
from threading import Condition, Thread
from typing import Generic, cast

from autology.core.long_work import Job, Made
from autology.workers.process import Process

MAX_AHEAD = 24
"""Maximum jobs finished ahead of the consumer: 1,200 notes, some 8 MB, wait for the writer."""
JOIN_TIMEOUT = 5.0
"""Seconds to wait for a killed worker's thread; a grandchild may still hold its pipe."""
_UNPICKLING_ERRORS = (
    pickle.PickleError,
    AttributeError,
    EOFError,
    ImportError,
    IndexError,
    KeyError,
    TypeError,
    ValueError,
)
"""Errors of unpickling invalid data."""


class Sharing(Generic[Job, Made]):
    """The *jobs* of one batch; *here* runs a job in this process."""

    def __init__(self, kind: str, jobs: Sequence[Job], here: Callable[[Job], Made], patience: float) -> None:
        self._kind = kind
        self._jobs = jobs
        self._here = here
        self._patience = patience
        self._board = Board(len(jobs))
        self._results: dict[int, Made] = {}
        self._workers: list[tuple[Process, Thread]] = []

    def start(self, count: int, command: Sequence[str], greeting: bytes) -> None:
        """Start *count* workers without waiting; those that fail to start are ignored."""
        for _ in range(count):
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
            thread.join(JOIN_TIMEOUT)

    def _result(self, number: int) -> Made:
        while number not in self._results:
            job_or_result = self._board.next(number, self._patience)
            if isinstance(job_or_result, int):
                self._results[job_or_result] = self._here(self._jobs[job_or_result])
                continue
            try:
                return cast("Made", pickle.loads(job_or_result))  # noqa: S301 - from a process that we started
            except _UNPICKLING_ERRORS:
                self._results[number] = self._here(self._jobs[number])
        return self._results.pop(number)

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

    def __init__(self, count: int) -> None:
        self._changed = Condition()
        self._open = list(range(count))  # a heap
        self._results: dict[int, bytes] = {}
        self._next = 0
        self._ended = False

    def next(self, number: int, patience: float) -> bytes | int:
        """Return a worker's result of the job *number*, or a job to run here.

        The job is *number* itself if no worker has taken it, or if the worker that has did not finish within *patience*
        seconds and no other job is left.
        """
        with self._changed:
            self._next = number
            self._changed.notify_all()
            self._changed.wait_for(lambda: number in self._results or self._near(), patience)
            if number in self._results:
                return self._results.pop(number)
            return heapq.heappop(self._open) if self._near() else number

    def take(self) -> int | None:
        """Return a job for a worker, waiting until one is in range; None if there are no more."""
        with self._changed:
            self._changed.wait_for(lambda: self._ended or not self._open or self._near())
            return None if self._ended or not self._open else heapq.heappop(self._open)

    def put(self, job: int, result: bytes) -> None:
        """Store a worker's result, unless the job was run here meanwhile."""
        with self._changed:
            if job >= self._next:
                self._results[job] = result
                self._changed.notify_all()

    def give_back(self, job: int) -> None:
        """Give a job back, so that it is run elsewhere."""
        with self._changed:
            if job >= self._next:
                heapq.heappush(self._open, job)
                self._changed.notify_all()

    def end(self) -> None:
        """Stop handing out jobs."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def _near(self) -> bool:
        while self._open and self._open[0] < self._next:  # returned after it was done here
            heapq.heappop(self._open)
        return bool(self._open) and self._open[0] < self._next + MAX_AHEAD
