"""Deadlines of queries: one watchdog thread enforces all; a thread per call cost more than some queries."""

from __future__ import annotations

import heapq
import itertools
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(slots=True)
class TimedCall:
    """A call in progress; *late* once the watchdog has called *abort*."""

    abort: Callable[[], None]
    finished: bool = False
    late: bool = False


class Watchdog:
    """Aborts calls that exceed their deadline."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._calls: list[tuple[float, int, TimedCall]] = []
        self._numbers = itertools.count()
        self._thread: threading.Thread | None = None

    @contextmanager
    def deadline(self, abort: Callable[[], None], until: float) -> Iterator[TimedCall]:
        """Call *abort* unless the block ends by *until*, a time.monotonic(); yield the call, which is then *late*."""
        call = TimedCall(abort)
        with self._changed:
            heapq.heappush(self._calls, (until, next(self._numbers), call))
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name="hub deadlines", daemon=True)
                self._thread.start()
            elif self._calls[0][2] is call:
                self._changed.notify()
        try:
            yield call
        finally:
            with self._changed:  # a finished call is never aborted: another one may use the connection by then
                call.finished = True

    def _run(self) -> None:
        with self._changed:
            while True:
                while self._calls and (self._calls[0][2].finished or self._calls[0][0] <= time.monotonic()):
                    call = heapq.heappop(self._calls)[2]
                    if not call.finished:
                        call.late = True
                        call.abort()
                self._changed.wait(self._calls[0][0] - time.monotonic() if self._calls else None)


WATCHDOG = Watchdog()
