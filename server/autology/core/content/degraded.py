"""What is degraded while questions are answered: shared by the collections that one index holds."""

from __future__ import annotations

import threading
from collections.abc import Callable

from autology.model.errors import IndexBusyError


class Degraded:
    """Notes for the answers that are affected, and whether the index was behind when this thread looked last."""

    def __init__(self) -> None:
        self._notes: list[str] = []
        self._thread = threading.local()

    @property
    def behind(self) -> str:
        """Why the index is behind the files, for this thread; "" where it is not."""
        return str(getattr(self._thread, "behind", ""))

    @behind.setter
    def behind(self, reason: str) -> None:
        self._thread.behind = reason

    @property
    def notes(self) -> list[str]:
        """What the answers have to say of it."""
        reason = self.behind
        return [*self._notes, f"not everything is known yet: {reason}; ask again later"] if reason else [*self._notes]

    def note(self, text: str) -> None:
        """Add a note, once."""
        if text not in self._notes:
            self._notes.append(text)

    def catch_up(self, refresh: Callable[[], object]) -> bool:
        """Call *refresh*; return whether the index is up to the files, false while somebody else fills it."""
        try:
            refresh()
        except IndexBusyError as error:
            self.behind = error.reason
            return False
        self.behind = ""
        return True
