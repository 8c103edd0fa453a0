"""The recently modified files, checked on every call: the latest ones, and those that the system reports as edited."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from heapq import nlargest

from autology.core.ports import Stamp

FILES = 50
"""Files checked, in 0.15 ms: an edited file is likely to be edited again."""

HOT = 1.0
"""Seconds in which another edit may keep a file's size and time: file clocks tick every 4 ms."""


class Lately:
    """The stamps of the latest files, and of those that the system reported; *stamp* returns a file's current one.

    Thread-safe.
    """

    def __init__(self, stamp: Callable[[str], Stamp], reported: Callable[[], Sequence[str]]) -> None:
        self._stamp = stamp
        self._reported = reported
        self._found: Mapping[str, Stamp] = {}
        self._seen: dict[str, Stamp] = {}
        self._unseen: set[str] = set()
        self._lock = threading.Lock()

    def among(self, files: Mapping[str, Stamp]) -> None:
        """Watch the latest of *files*, which were just scanned."""
        with self._lock:
            self._found = files
            self._seen = dict(nlargest(FILES, files.items(), key=lambda item: item[1].mtime_ns))

    def edited(self) -> Mapping[str, Stamp]:
        """Return the current stamps of those that changed since they were last indexed."""
        with self._lock:
            stamps = {path: self._stamp(path) for path in {*self._unseen, *self._reported()}}
            hot = (time.time() - HOT) * 1e9
            differ = {path: at for path, at in stamps.items() if at != self._found.get(path) or at.mtime_ns > hot}
            self._unseen = set(differ)
            now = {path: self._stamp(path) for path in self._seen}
            return {path: at for path, at in now.items() if at != self._seen[path]} | differ

    def seen(self, stamps: Mapping[str, Stamp | None]) -> None:
        """Record the stamps of files that were just indexed; None stands for a deleted one."""
        with self._lock:
            for path, stamp in stamps.items():
                self._unseen.discard(path)
                self._seen.pop(path, None)
                if stamp is not None:
                    self._seen[path] = stamp
            while len(self._seen) > 2 * FILES:
                self._seen.pop(next(iter(self._seen)))
