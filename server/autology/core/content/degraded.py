"""What is degraded while questions are answered: shared by the collections that one index holds."""

from __future__ import annotations

import threading
from collections.abc import Callable

from autology.model.errors import IndexBusyError


class Degraded(threading.local):
    """What was *noted*, for all threads, and why the index was *behind* the files when this one looked last, or ""."""

    behind = ""

    def __init__(self, noted: list[str]) -> None:
        self._noted = noted

    @property
    def notes(self) -> list[str]:
        """What the answers have to say of it."""
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
