"""Jobs shared between this process and its workers: each is done once, and here if a worker does not do it."""

from __future__ import annotations

import heapq
import json
import pickle
from collections.abc import Callable, Iterator, Sequence
from threading import Condition, Thread
from typing import Generic, cast

from autology.core.ports import Job, Made
from autology.workers.process import Process

AHEAD = 24
"""Jobs that may be done before they are asked for: two transactions of 500 notes, some 8 MB, wait for the writer."""
LEAVING = 5.0
"""Seconds to wait for a worker that was ended; what still holds its pipe is nobody's to wait for."""
_FOREIGN = (pickle.PickleError, AttributeError, EOFError, ImportError, IndexError, KeyError, TypeError, ValueError)
"""What comes of reading what is no pickle of ours."""


class Sharing(Generic[Job, Made]):
    """The *jobs* of one piece of work, which *here* does in this process."""

    def __init__(self, kind: str, jobs: Sequence[Job], here: Callable[[Job], Made], patience: float) -> None:
        self._kind = kind
        self._jobs = jobs
        self._here = here
        self._patience = patience
        self._board = Board(len(jobs))
        self._made: dict[int, Made] = {}
        self._workers: list[tuple[Process, Thread]] = []

    def start(self, many: int, command: Sequence[str], greeting: bytes) -> None:
        """Start so *many* workers; nothing is waited for, and what cannot be started does not help."""
        for _ in range(many):
            process = Process(command, greeting)
            thread = Thread(target=self._serve, args=(process,), name="autology worker", daemon=True)
            try:
                thread.start()
            except RuntimeError:  # the system gives no more
                return
            self._workers.append((process, thread))

    def results(self) -> Iterator[Made]:
        """Yield what was made of each job, in their order; the next ones are worked at meanwhile."""
        return map(self._result, range(len(self._jobs)))

    def end(self) -> None:
        """End the workers, whatever they are at."""
        self._board.end()
        for process, _ in self._workers:
            process.end()
        for _, thread in self._workers:
            thread.join(LEAVING)

    def _result(self, wanted: int) -> Made:
        while wanted not in self._made:
            found = self._board.next(wanted, self._patience)
            if isinstance(found, int):
                self._made[found] = self._here(self._jobs[found])
                continue
            try:
                return cast("Made", pickle.loads(found))  # noqa: S301 - from a process that we started
            except _FOREIGN:
                self._made[wanted] = self._here(self._jobs[wanted])
        return self._made.pop(wanted)

    def _serve(self, process: Process) -> None:
        """Hand jobs to a worker, one after the other, until there are no more or it fails."""
        job = None
        try:
            process.start()
            while (job := self._board.take()) is not None:
                self._board.put(job, process.ask(json.dumps([self._kind, self._jobs[job]]).encode()))
        except (OSError, ValueError):  # it did not start, died, or said what no worker says
            if job is not None:
                self._board.give_back(job)
        finally:
            process.leave()


class Board:
    """Which jobs are still to be done, and what workers made of the others."""

    def __init__(self, many: int) -> None:
        self._changed = Condition()
        self._left = list(range(many))  # a heap
        self._made: dict[int, bytes] = {}
        self._wanted = 0
        self._over = False

    def next(self, wanted: int, patience: float) -> bytes | int:
        """Return what a worker made of the job *wanted*, or else a job to be done here meanwhile.

        That is *wanted* itself if nobody is at it, or if whoever is has not done it within *patience* seconds and
        there is nothing else to do.
        """
        with self._changed:
            self._wanted = wanted
            self._changed.notify_all()
            self._changed.wait_for(lambda: wanted in self._made or self._near(), patience)
            if wanted in self._made:
                return self._made.pop(wanted)
            return heapq.heappop(self._left) if self._near() else wanted

    def take(self) -> int | None:
        """Return a job for a worker, as soon as there is one to be done; None when there are no more."""
        with self._changed:
            self._changed.wait_for(lambda: self._over or not self._left or self._near())
            return None if self._over or not self._left else heapq.heappop(self._left)

    def put(self, job: int, made: bytes) -> None:
        """Keep what a worker made of a job, unless that was done here meanwhile."""
        with self._changed:
            if job >= self._wanted:
                self._made[job] = made
                self._changed.notify_all()

    def give_back(self, job: int) -> None:
        """Have a job done by somebody else."""
        with self._changed:
            if job >= self._wanted:
                heapq.heappush(self._left, job)
                self._changed.notify_all()

    def end(self) -> None:
        """Give out no more jobs."""
        with self._changed:
            self._over = True
            self._changed.notify_all()

    def _near(self) -> bool:
        while self._left and self._left[0] < self._wanted:  # given back when it was done here
            heapq.heappop(self._left)
        return bool(self._left) and self._left[0] < self._wanted + AHEAD
