"""What is degraded while queries are answered, shared by the collections of one index."""

from __future__ import annotations

import threading
from collections.abc import Callable

from autology.model.errors import IndexBusyError


class Degraded(threading.local):
    """Notes of all threads, and why the index was out of date (*behind*) at this thread's last check, or ""."""

    behind = ""

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

    def catch_up(self, refresh: Callable[[], object]) -> bool:
        """Call *refresh*; return whether the index is up to the files, false while another process fills it."""
        try:
            refresh()
        except IndexBusyError as error:
            self.behind = error.reason
            return False
        self.behind = ""
        return True
