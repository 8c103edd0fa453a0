"""Whose time is up: one thread sees to all calls that wait, for starting one for each took longer than some answers."""

from __future__ import annotations

import heapq
import itertools
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(slots=True)
class Call:
    """A call that waits for an answer, and what ends that when it has waited too long."""

    end: Callable[[], None]
    over: bool = False
    late: bool = False


class Watch:
    """Ends calls that are not over in time."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._calls: list[tuple[float, int, Call]] = []
        self._numbers = itertools.count()
        self._thread: threading.Thread | None = None

    @contextmanager
    def over(self, end: Callable[[], None], until: float) -> Iterator[Call]:
        """Call *end* if what is done meanwhile is not over by *until*, of time.monotonic; the call says whether so."""
        call = Call(end)
        with self._changed:
            heapq.heappush(self._calls, (until, next(self._numbers), call))
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._see, name="hub deadlines", daemon=True)
                self._thread.start()
            elif self._calls[0][2] is call:
                self._changed.notify()
        try:
            yield call
        finally:
            with self._changed:  # once it is over nothing is ended any more: somebody else may use it then
                call.over = True

    def _see(self) -> None:
        with self._changed:
            while True:
                while self._calls and (self._calls[0][2].over or self._calls[0][0] <= time.monotonic()):
                    call = heapq.heappop(self._calls)[2]
                    if not call.over:
                        call.late = True
                        call.end()
                self._changed.wait(self._calls[0][0] - time.monotonic() if self._calls else None)


WATCH = Watch()
