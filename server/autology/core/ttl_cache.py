"""A bounded LRU cache whose entries expire."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

V = TypeVar("V")


class TtlCache(Generic[V]):
    """At most *size* values, each for *seconds*; with *renewed*, since its last use."""

    def __init__(
        self, size: int, seconds: float, renewed: bool = False, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._size, self._seconds, self._renewed, self._now = size, seconds, renewed, now
        self._values: OrderedDict[Hashable, tuple[float, V]] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._values)

    def get(self, key: Hashable) -> V | None:
        """Return the value of *key*, or None."""
        with self._lock:
            entry = self._values.get(key)
            if entry is None:
                return None
            if self._now() >= entry[0]:
                del self._values[key]
                return None
            self._values.move_to_end(key)
            if self._renewed:
                self._values[key] = (self._now() + self._seconds, entry[1])
            return entry[1]

    def put(self, key: Hashable, value: V) -> None:
        """Store *value* under *key*."""
        with self._lock:
            self._values[key] = (self._now() + self._seconds, value)
            self._values.move_to_end(key)
            while len(self._values) > self._size:
                self._values.popitem(last=False)

    def clear(self) -> None:
        """Remove all values."""
        with self._lock:
            self._values.clear()
