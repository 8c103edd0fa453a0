"""The log position of each hub server after this machine's last write, one file per server."""

from __future__ import annotations

import math
import os
from hashlib import sha256

from autology import private
from autology.files import atomic, lock
from autology.model.errors import StorageError

PATIENCE = 1.0
"""Seconds to wait for another process updating the same file, which takes a millisecond."""


class FileWritten:
    """The :class:`~autology.core.hub.port.Written` of all processes that share *folder*."""

    def __init__(self, folder: str) -> None:
        self._folder = os.path.join(folder, "written")

    def last(self, place: str) -> float:
        """Return the last position; 0 if nothing was written, infinity if unknown."""
        try:
            with open(self._path(place), encoding="ascii") as file:
                return float(file.read(40))
        except FileNotFoundError:
            return 0.0
        except (OSError, ValueError):
            return math.inf

    def note(self, place: str, before: float, now: float) -> None:
        """Store the position *now*, queried when *before* was stored. Raises StorageError."""
        path = self._path(place)
        try:
            private.folder(self._folder)
            with lock.held(f"{path}.lock", "what was written last", PATIENCE):
                stored = self.last(place)
                # Another process may have stored a later position; on the same server an earlier one cannot be later.
                atomic.write(path, repr(now if stored == before else max(stored, now)).encode("ascii"))
        except OSError as error:
            raise StorageError(path, error.strerror or str(error)) from None

    def _path(self, place: str) -> str:
        return os.path.join(self._folder, sha256(place.encode("utf-8")).hexdigest()[:24])
