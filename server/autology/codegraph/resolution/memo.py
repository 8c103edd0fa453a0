"""The limits of evaluation: every name is evaluated once, cycles end, and so does what goes too deep."""

from __future__ import annotations

from collections.abc import Callable

from autology.codegraph.resolution.values import Value

MAX_DEPTH = 25
"""Steps from an expression to its value; *depth* is how many were taken."""
MAX_NESTED = 40
"""Names and functions that are evaluated to know another one."""


class Memo:
    """Values by their keys."""

    def __init__(self) -> None:
        self._values: dict[tuple[str, ...], Value] = {}
        self._nested = 0

    def __call__(self, key: tuple[str, ...], compute: Callable[[], Value]) -> Value:
        """Return what *compute* returned the first time; None while it runs (a cycle) or where it nests too deep."""
        if key not in self._values:
            self._values[key] = None
            if self._nested < MAX_NESTED:
                self._nested += 1
                try:
                    self._values[key] = compute()
                finally:
                    self._nested -= 1
        return self._values[key]

    def clear(self) -> None:
        """Forget every value."""
        self._values.clear()
