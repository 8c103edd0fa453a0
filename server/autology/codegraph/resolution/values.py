"""What an expression may evaluate to: a definition, an instance of a class, a module; None where that is not known."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from autology.codegraph.graph import Symbol
from autology.codegraph.resolver_base import SourceModule


@dataclass(frozen=True, slots=True)
class SymbolReference:
    """A class, function or method itself."""

    symbol: Symbol


@dataclass(frozen=True, slots=True)
class Instance:
    """An instance of a class of the project."""

    symbol: Symbol


@dataclass(frozen=True, slots=True)
class Super:
    """What ``super()`` returns in a class."""

    symbol: Symbol


@dataclass(frozen=True, slots=True)
class CollectionOf:
    """A collection of *element*."""

    element: Value


@dataclass(frozen=True, slots=True)
class Callback:
    """Something that returns *result* when it is called."""

    result: Value


@dataclass(frozen=True, slots=True)
class External:
    """Something that the project does not define."""


Value = SymbolReference | Instance | Super | SourceModule | CollectionOf | Callback | External | None
EXTERNAL = External()


def is_own(value: Value) -> bool:
    """Whether *value* is known and of this project."""
    return value is not None and value != EXTERNAL


def first_own(values: Iterable[Value]) -> Value:
    """Return the first value of this project; without one, EXTERNAL if any is external."""
    external: Value = None
    for value in values:
        if isinstance(value, External):
            external = value
        elif value is not None:
            return value
    return external
