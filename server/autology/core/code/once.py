"""Looking for what something is but once, and not in circles."""

from __future__ import annotations

from collections.abc import Callable

from autology.core.code.values import Value

NESTED = 40
"""Names, attributes and functions that are looked into to know one."""


class Once:
    """What was found so far, by its key."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, ...], Value] = {}
        self._nested = 0

    def __call__(self, key: tuple[str, ...], find: Callable[[], Value]) -> Value:
        """Return what *find* finds, looked for once; what is made of itself, or of very much, is not known."""
        if key not in self._known:
            self._known[key] = None
            if self._nested < NESTED:
                self._nested += 1
                try:
                    self._known[key] = find()
                finally:
                    self._nested -= 1
        return self._known[key]

    def forget(self) -> None:
        """Forget all of it: more is known by now."""
        self._known.clear()
