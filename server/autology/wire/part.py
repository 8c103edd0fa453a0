"""The parts of a project, which are made on first use."""

from __future__ import annotations

from collections.abc import Callable
from threading import RLock
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class part(Generic[T]):  # noqa: N801 - used as a decorator, like the standard library's cached_property
    """An attribute computed on first use, and once even if several threads need it: the others wait."""

    def __init__(self, make: Callable[[Any], T]) -> None:
        self._make = make
        self._name = make.__name__
        self.__doc__ = make.__doc__

    def __get__(self, owner: Any, _: object = None) -> T:
        attributes = vars(owner)
        # A lock for each part, because some need none of the others and one takes seconds; `setdefault` is atomic.
        with attributes.setdefault(f"{self._name} lock", RLock()):
            if self._name not in attributes:
                attributes[self._name] = self._make(owner)
            value: T = attributes[self._name]
            return value
