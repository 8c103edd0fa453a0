"""The files to be looked at whenever anything is asked: those changed last, and those the system says were edited."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from heapq import nlargest

from autology.core.ports import Stamp

FILES = 50
"""Files looked at, in 0.15 ms: who edits edits them again."""

HOT = 1.0
"""Seconds in which another edit may leave a file's length and time as they were: clocks of files tick every 4 ms."""


class Lately:
    """The stamps of the files changed last, and those *told* of by the system; *stamp* returns a file's present one.

    Safe to be used by several threads.
    """

    def __init__(self, stamp: Callable[[str], Stamp], told: Callable[[], Sequence[str]]) -> None:
        self._stamp = stamp
        self._told = told
        self._found: Mapping[str, Stamp] = {}
        self._seen: dict[str, Stamp] = {}
        self._unseen: set[str] = set()
        self._lock = threading.Lock()

    def among(self, files: Mapping[str, Stamp]) -> None:
        """Watch those of *files*, as they were just found, that were changed last."""
        with self._lock:
            self._found = files
            self._seen = dict(nlargest(FILES, files.items(), key=lambda item: item[1].mtime_ns))

    def edited(self) -> Mapping[str, Stamp]:
        """Return the present stamps of those that are not as they were last seen."""
        with self._lock:
            told = {path: self._stamp(path) for path in {*self._unseen, *self._told()}}
            hot = (time.time() - HOT) * 1e9
            differ = {path: at for path, at in told.items() if at != self._found.get(path) or at.mtime_ns > hot}
            self._unseen = set(differ)
            now = {path: self._stamp(path) for path in self._seen}
            return {path: at for path, at in now.items() if at != self._seen[path]} | differ

    def seen(self, stamps: Mapping[str, Stamp | None]) -> None:
        """Note that files were taken in as they are now; None stands for one that is no more."""
        with self._lock:
            for path, stamp in stamps.items():
                self._unseen.discard(path)
                self._seen.pop(path, None)
                if stamp is not None:
                    self._seen[path] = stamp
            while len(self._seen) > 2 * FILES:
                self._seen.pop(next(iter(self._seen)))
