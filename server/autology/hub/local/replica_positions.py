"""The log position of the last write to each server, one file per server, for all processes of the user."""

from __future__ import annotations

import math
import os
from hashlib import sha256

from autology import private
from autology.files import atomic, lock
from autology.model.errors import StorageError

PATIENCE = 1.0
"""Seconds to wait for another process that writes the same file, which takes a thousandth."""


class FileReplicaPositions:
    """The :class:`~autology.hub.ports.ReplicaPositions` of all processes with the same *folder*."""

    def __init__(self, folder: str) -> None:
        self._folder = os.path.join(folder, "written")

    def last(self, place: str) -> float:
        """Return the position for the server at *place*: 0 if nothing was written, infinity if unknown."""
        try:
            with open(self._path(place), encoding="ascii") as file:
                return float(file.read(40))
        except FileNotFoundError:
            return 0.0
        except (OSError, ValueError):
            return math.inf

    def note(self, place: str, before: float, now: float) -> None:
        """Record position *now*, read after *before* was the recorded one. Raises StorageError."""
        path = self._path(place)
        try:
            private.folder(self._folder)
            with lock.held(f"{path}.lock", "what was written last", PATIENCE):
                known = self.last(place)
                # What another process recorded since may be later; on the same server, an older record cannot be.
                atomic.write(path, repr(now if known == before else max(known, now)).encode("ascii"))
        except OSError as error:
            raise StorageError(path, error.strerror or str(error)) from None

    def _path(self, place: str) -> str:
        return os.path.join(self._folder, sha256(place.encode("utf-8")).hexdigest()[:24])
