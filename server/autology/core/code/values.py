"""What an expression in a source file may lead to: a definition, an object of a class, files, or nobody knows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from autology.core.code.spaces import Mod
from autology.model.code import Symbol


@dataclass(frozen=True, slots=True)
class Def:
    """A class, function or method itself."""

    symbol: Symbol


@dataclass(frozen=True, slots=True)
class Obj:
    """An object of a class of the project."""

    symbol: Symbol


@dataclass(frozen=True, slots=True)
class Bases:
    """What ``super()`` gives in a class."""

    symbol: Symbol


@dataclass(frozen=True, slots=True)
class Many:
    """A collection; *element* is what is in it."""

    element: Value


@dataclass(frozen=True, slots=True)
class Gives:
    """Something that gives *value* when it is called."""

    value: Value


@dataclass(frozen=True, slots=True)
class Foreign:
    """Something that is not of this project."""


Value = Def | Obj | Bases | Mod | Many | Gives | Foreign | None
"""None: nobody knows."""
FOREIGN = Foreign()


def first(values: Iterable[Value]) -> Value:
    """Return the first that is of this project; else that it is foreign, if one of them is."""
    foreign: Value = None
    for value in values:
        if isinstance(value, Foreign):
            foreign = value
        elif value is not None:
            return value
    return foreign


def known(value: Value) -> bool:
    """Whether it is known what *value* is, and it is of this project."""
    return value is not None and value != FOREIGN


def of_files(paths: tuple[str, ...]) -> Mod:
    """Return the files at *paths* as one."""
    return Mod(paths[0] if len(paths) == 1 else "\n".join(paths), paths)
