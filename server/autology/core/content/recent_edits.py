"""Edits in place of recently changed files, noticed at once: those files are checked for each query."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from heapq import nlargest

from autology.core.content.files import ABSENT, Stamp

FILES = 50
"""Recently edited files checked for each query, in 0.15 ms: they are the likeliest to be edited again."""
HOT = 1.0
"""Seconds in which another edit may leave a file's length and time as they were: clocks of files tick every 4 ms."""


class RecentEdits:
    """The files to check for every query: those modified last, reported as edited, or written by us.

    *stamp* returns a file's current stamp, *reported* the files changed since its last call. Thread-safe.
    """

    def __init__(self, stamp: Callable[[str], Stamp], reported: Callable[[], Sequence[str]]) -> None:
        self._stamp = stamp
        self._reported = reported
        self._known: dict[str, Stamp] = {}
        self._recent: dict[str, Stamp] = {}
        self._pending: set[str] = set()
        self._expected: set[str] = set()
        self._lock = threading.Lock()

    def watch(self, files: Mapping[str, Stamp]) -> None:
        """Watch *files*, the result of a walk, and the most recently modified of them most closely."""
        with self._lock:
            self._known = dict(files)
            self._recent = dict(nlargest(FILES, files.items(), key=lambda item: item[1].mtime_ns))
            self._expected.clear()

    def expect(self, paths: Iterable[str]) -> None:
        """Treat *paths*, written but not indexed by us, as edited."""
        with self._lock:
            self._expected.update(paths)

    def edited(self, is_watched: bool = False) -> Mapping[str, Stamp]:
        """Return the current stamps of the files that differ from their indexed state; ABSENT if there is none now.

        Where the system reports every change, only what it reports is checked (*is_watched*).
        """
        with self._lock:
            reported = {path: self._stamp(path) for path in {*self._pending, *self._reported()}}
            now = time.time() * 1e9
            differ = {path: at for path, at in reported.items() if self._differs(path, at, now)}
            self._pending = set(differ)
            differ |= {path: self._stamp(path) for path in self._expected}
            if is_watched:
                return differ
            recent = {path: self._stamp(path) for path in self._recent}
            return {path: at for path, at in recent.items() if at != self._recent[path]} | differ

    def indexed(self, stamps: Mapping[str, Stamp | None]) -> None:
        """Record the *stamps* of indexed files; None for a removed file."""
        with self._lock:
            for path, stamp in stamps.items():
                self._pending.discard(path)
                self._expected.discard(path)
                self._recent.pop(path, None)
                self._known.pop(path, None)
                if stamp is not None and stamp != ABSENT:
                    self._recent[path] = self._known[path] = stamp
            while len(self._recent) > 2 * FILES:
                self._recent.pop(next(iter(self._recent)))

    def _differs(self, path: str, at: Stamp, now: float) -> bool:
        return at != self._known.get(path, ABSENT) or (at != ABSENT and abs(now - at.mtime_ns) < HOT * 1e9)
