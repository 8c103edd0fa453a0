"""What is degraded while queries are answered, shared by the collections of one index."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from autology.core.content import indexing_wait
from autology.model.errors import IndexBusyError


class Degraded(threading.local):
    """Notes of all threads, and why the index was out of date (*behind*) at this thread's last check, or ""."""

    behind = ""
    _until = 0.0

    def __init__(self, noted: list[str]) -> None:
        self._noted = noted

    @property
    def notes(self) -> list[str]:
        """The notes for an answer."""
        behind = [f"not everything is known yet: {self.behind}; try again later"] if self.behind else []
        return [*self._noted, *behind]

    def note(self, text: str) -> None:
        """Add a note, once."""
        if text not in self._noted:
            self._noted.append(text)

    def until(self) -> float:
        """Return the time, of :func:`time.monotonic`, until which this thread's call may wait for indexing."""
        now = time.monotonic()
        if now >= self._until - indexing_wait.SECONDS + indexing_wait.CALL:
            self._until = now + indexing_wait.SECONDS
        return max(self._until, now + indexing_wait.LEAST)

    def catch_up(self, refresh: Callable[[], object]) -> bool:
        """Call *refresh*; return whether the index is up to the files, false while another process fills it."""
        try:
            refresh()
        except IndexBusyError as error:
            self.behind = error.reason
            return False
        self.behind = ""
        return True
