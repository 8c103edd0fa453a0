"""Count the calls of one actor within the last minute across a user's processes."""

from __future__ import annotations

import os
import struct
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256

from autology import private_files
from autology.files import atomic, lock
from autology.model.errors import StorageError

MINUTE = 60.0
FORGOTTEN = 86_400.0
"""Seconds after which the file of an inactive actor is removed."""
PATIENCE = 1.0
"""Seconds to wait for another counting process, which takes a tenth of a millisecond."""


class FileTally:
    """The :class:`~autology.core.memory.ports.Tally` of *actor*, in a small file in *folder*.

    Times are those of the machine's monotonic clock, shared by all processes and never adjusted. It restarts with the
    machine: times in the future are from before a reboot and ignored."""

    def __init__(self, folder: str, actor: Callable[[], str], clock: Callable[[], float] = time.monotonic) -> None:
        self._folder = folder
        self._actor = actor
        self._clock = clock
        self._own_calls: dict[str, list[float]] = {}
        self._one = threading.Lock()

    def take(self, operation: str, limit: int) -> float:
        """Count one call of *operation* and return 0.0; or, after *limit* calls, return the seconds to wait."""
        with self._one:
            path = os.path.join(self._folder, sha256(f"{self._actor()}\n{operation}".encode()).hexdigest()[:24])
            try:
                private_files.folder(self._folder)
                with lock.held(os.path.join(self._folder, "lock"), "tally", PATIENCE):
                    moments, wait = self._count(_read(path), limit)
                    if not wait:
                        self._write(path, moments)
                        self._own_calls[operation] = moments
                    return wait
            except (OSError, StorageError):
                self._own_calls[operation], wait = self._count(self._own_calls.get(operation, []), limit)
                return wait

    def _count(self, moments: list[float], limit: int) -> tuple[list[float], float]:
        now = self._clock()
        within = [moment for moment in moments if now - MINUTE < moment <= now]
        if len(within) < limit:
            return [*within, now], 0.0
        return within, within[len(within) - limit] + MINUTE - now if limit > 0 else MINUTE

    def _write(self, path: str, moments: list[float]) -> None:
        if not os.path.exists(path):
            self._forget()
        with open(path, "wb", opener=private_files.opener) as file:
            file.write(struct.pack(f"<{len(moments)}d", *moments))

    def _forget(self) -> None:
        """Remove the files of inactive actors."""
        with os.scandir(self._folder) as entries:
            for entry in entries:
                with suppress(FileNotFoundError):  # another process removed it first
                    if len(entry.name) == 24 and time.time() - entry.stat(follow_symlinks=False).st_mtime > FORGOTTEN:
                        atomic.discard(entry.path)


def _read(path: str) -> list[float]:
    try:
        with open(path, "rb") as file:
            data = file.read(1_000_000)
    except FileNotFoundError:
        return []
    count = len(data) // 8
    return sorted(struct.unpack(f"<{count}d", data[: count * 8]))
