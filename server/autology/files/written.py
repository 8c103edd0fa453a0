"""How far the logs of servers were when something was written there from this machine last, a file for each."""

from __future__ import annotations

import math
import os
from hashlib import sha256

from autology import private
from autology.files import atomic, lock
from autology.model.errors import StorageError

PATIENCE = 1.0
"""Seconds for another process that notes the same, which takes it a thousandth."""


class FileWritten:
    """The :class:`~autology.core.hub.port.Written` of all processes that have the same *folder*."""

    def __init__(self, folder: str) -> None:
        self._folder = os.path.join(folder, "written")

    def last(self, place: str) -> float:
        """Return how far the log was; 0 where nothing was written, infinity where that cannot be told."""
        try:
            with open(self._path(place), encoding="ascii") as file:
                return float(file.read(40))
        except FileNotFoundError:
            return 0.0
        except (OSError, ValueError):
            return math.inf

    def note(self, place: str, before: float, now: float) -> None:
        """Note that it is at *now*, asked after *before* was what is noted. Raises StorageError."""
        path = self._path(place)
        try:
            private.folder(self._folder)
            with lock.held(f"{path}.lock", "what was written last", PATIENCE):
                known = self.last(place)
                # What somebody else noted meanwhile may be later; what was noted before cannot be, on the same server.
                atomic.write(path, repr(now if known == before else max(known, now)).encode("ascii"))
        except OSError as error:
            raise StorageError(path, error.strerror or str(error)) from None

    def _path(self, place: str) -> str:
        return os.path.join(self._folder, sha256(place.encode("utf-8")).hexdigest()[:24])
