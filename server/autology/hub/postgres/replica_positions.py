"""The position in each server's write-ahead log that a replica must have reached to contain our own writes."""

from __future__ import annotations

import math
import os
import threading
from hashlib import sha256

from autology import private_files
from autology.files import atomic, lock
from autology.model.errors import StorageError

PATIENCE = 1.0
"""Seconds to wait for another process that writes the same file, which takes a thousandth."""


class ReplicaPositions:
    """The positions after the writes of this process."""

    def __init__(self) -> None:
        self._positions: dict[str, float] = {}
        self._lock = threading.Lock()

    def last(self, place: str) -> float:
        """Return the position for the server at *place*: 0 if nothing was written, infinity if unknown."""
        return self._positions.get(place, 0.0)

    def note(self, place: str, before: float, now: float) -> None:
        """Record position *now*; *before* is the position that was recorded when the write began.

        A server whose log is shorter than before is a different one, for example restored from a backup.
        """
        with self._lock:
            self._positions[place] = self._later(place, before, now)

    def _later(self, place: str, before: float, now: float) -> float:
        # What another one recorded since may be later; on the same server, an older record cannot be.
        known = self.last(place)
        return now if known == before else max(known, now)


class FileReplicaPositions(ReplicaPositions):
    """The positions after the writes of all processes with the same *folder*, in one file per server."""

    def __init__(self, folder: str) -> None:
        super().__init__()
        self._folder = os.path.join(folder, "written")

    def last(self, place: str) -> float:
        """Return the position for the server at *place*."""
        try:
            with open(self._path(place), encoding="ascii") as file:
                return float(file.read(40))
        except FileNotFoundError:
            return 0.0
        except (OSError, ValueError):
            return math.inf

    def note(self, place: str, before: float, now: float) -> None:
        """Record position *now*. Raises StorageError."""
        path = self._path(place)
        try:
            private_files.folder(self._folder)
            with lock.held(f"{path}.lock", "the replica positions", PATIENCE):
                atomic.write(path, repr(self._later(place, before, now)).encode("ascii"))
        except OSError as error:
            raise StorageError(path, error.strerror or str(error)) from None

    def _path(self, place: str) -> str:
        return os.path.join(self._folder, sha256(place.encode("utf-8")).hexdigest()[:24])
