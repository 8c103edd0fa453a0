"""A bounded queue of lines between the thread that reads them and the one that handles them."""

from __future__ import annotations

import threading
from collections import deque

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


class LineQueue:
    """Lines in order of arrival, at most *lines* of them and about *size* bytes; beyond that :meth:`put` waits."""

    def __init__(self, lines: int, size: int) -> None:
        self._lines: deque[bytes] = deque()
        self._changed = threading.Condition()
        self._max_lines = lines
        self._max_size = size
        self._size = 0
        self._on_put: Callable[[], object] | None = None

    def limit(self, lines: int) -> None:
        """Keep at most *lines* from now on."""
        with self._changed:
            self._max_lines = lines
            self._changed.notify_all()

    def notify(self, on_put: Callable[[], object]) -> None:
        """Call *on_put* now, and whenever a line was appended, in the thread that appended it."""
        with self._changed:
            self._on_put = on_put
        on_put()

    def put(self, line: bytes) -> None:
        """Append *line*, as soon as there is room."""
        with self._changed:
            while len(self._lines) >= self._max_lines or self._size >= self._max_size:
                self._changed.wait()
            self._lines.append(line)
            self._size += len(line)
            self._changed.notify_all()
            on_put = self._on_put
        if on_put is not None:
            on_put()

    def take(self) -> bytes:
        """Remove and return the first line, as soon as there is one."""
        with self._changed:
            while not self._lines:
                self._changed.wait()
            return self._first()

    def take_at_once(self) -> bytes | None:
        """Remove and return the first line; None if there is none."""
        with self._changed:
            return self._first() if self._lines else None

    def _first(self) -> bytes:
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
