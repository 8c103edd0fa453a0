"""What the user dismissed of one project's findings, in a file of their own data folder."""

from __future__ import annotations

import json
import os
import threading

from autology.files import atomic

LONGEST = 1_000_000
"""Bytes of the file that are read; ten thousand dismissals have 200,000."""


class Dismissals:
    """The names that were dismissed, in the file at *path*; an unreadable file dismisses nothing."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._lock = threading.Lock()

    def names(self) -> set[str]:
        """Return what is dismissed."""
        try:
            with open(self._path, "rb") as file:
                stored = json.loads(file.read(LONGEST).decode("utf-8"))
        except (OSError, ValueError, RecursionError):
            return set()
        return {name for name in stored if isinstance(name, str)} if isinstance(stored, list) else set()

    def set(self, name: str, is_dismissed: bool) -> None:
        """Dismiss *name*, or show it again. Raises OSError."""
        with self._lock:
            names = self.names()
            changed = names | {name} if is_dismissed else names - {name}
            if changed != names:
                os.makedirs(os.path.dirname(self._path), exist_ok=True)
                atomic.write(self._path, json.dumps(sorted(changed), ensure_ascii=False).encode())
