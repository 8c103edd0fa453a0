"""A bounded queue of lines between the thread that reads them and the one that handles them."""

from __future__ import annotations

import threading
from collections import deque


class LineQueue:
    """Lines in order of arrival, at most *lines* of them and about *size* bytes; beyond that :meth:`put` waits."""

    def __init__(self, lines: int, size: int) -> None:
        self._lines: deque[bytes] = deque()
        self._changed = threading.Condition()
        self._max_lines = lines
        self._max_size = size
        self._size = 0

    def limit(self, lines: int) -> None:
        """Keep at most *lines* from now on."""
        with self._changed:
            self._max_lines = lines
            self._changed.notify_all()

    def put(self, line: bytes) -> None:
        """Append *line*, as soon as there is room."""
        with self._changed:
            while len(self._lines) >= self._max_lines or self._size >= self._max_size:
                self._changed.wait()
            self._lines.append(line)
            self._size += len(line)
            self._changed.notify_all()

    def take(self) -> bytes:
        """Remove and return the first line, as soon as there is one."""
        with self._changed:
            while not self._lines:
                self._changed.wait()
            line = self._lines.popleft()
            self._size -= len(line)
            self._changed.notify_all()
            return line

    def remove(self, line: bytes) -> bool:
        """Remove *line* if it is still in the queue; return whether it was."""
        with self._changed:
            try:
                self._lines.remove(line)
            except ValueError:
                return False
            self._size -= len(line)
            self._changed.notify_all()
            return True
