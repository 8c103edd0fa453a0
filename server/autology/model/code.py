"""What a source file says of itself: what it defines, imports, binds and uses; and what became of that together."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

Expr = list[Any]
"""An expression as far as it tells what a name leads to: its kind, then its parts.

``n`` name, ``a`` of an attribute, ``c`` a call, ``g`` a type with arguments, ``u`` one of several, ``i`` an element of,
``w`` what a with-statement gives, ``l`` a collection of, ``o`` an object of a class of this file, ``k`` the class,
``s`` what its bases offer, ``q`` names after one another of which the first
may be a namespace, ``p`` anything, ``x`` something that is not of this project.
"""


class CodeEdge(StrEnum):
    """How one piece of code leads to another."""

    DEFINES = "DEFINES"
    CALLS = "CALLS"
    IMPORTS = "IMPORTS"
    EXTENDS = "EXTENDS"
    IMPLEMENTS = "IMPLEMENTS"
    USES = "USES"
    OVERRIDES = "OVERRIDES"


DERIVING = (CodeEdge.EXTENDS, CodeEdge.IMPLEMENTS)
"""How a class leads to what it comes from."""
FILE, CLASS, INTERFACE, MODULE, FUNCTION, METHOD = "file", "class", "interface", "module", "function", "method"
TYPES = (CLASS, INTERFACE, MODULE)
"""What has members."""


@dataclass(frozen=True, slots=True)
class Definition:
    """A class or function; *name* is told from the file's top on: ``Graph.refresh``.

    One that is only *declared* has its body elsewhere, if anywhere.
    """

    name: str
    kind: str
    line: int
    end: int
    bases: tuple[Expr, ...] = ()
    decorators: tuple[Expr, ...] = ()
    returns: Expr | None = None
    declared: bool = False


@dataclass(frozen=True, slots=True)
class Import:
    """*local* stands in *scope* for *name* of *module*, or for the module; *level* dots stood before it."""

    scope: str
    local: str
    module: str
    name: str
    level: int
    line: int


@dataclass(frozen=True, slots=True)
class Binding:
    """*name* of *owner* (a function, a class, or "" for the file) is what *value* gives, or of that type if *typed*.

    Names in *value* are looked up from *scope*.
    """

    owner: str
    name: str
    value: Expr
    typed: bool
    scope: str


@dataclass(frozen=True, slots=True)
class Use:
    """In *scope* something is called or named: by what is defined there as *user*, if not by the scope itself.

    A function's decorators and defaults are its own, but their names are looked up outside of it.
    """

    scope: str
    value: Expr
    called: bool
    line: int
    user: str = ""


@dataclass(frozen=True, slots=True)
class Facts:
    """What one file says; *fault* why it could not be understood. *given* are what functions return, where untyped.

    *packages* are the namespaces that the file's names belong to, in languages that say them.
    """

    definitions: tuple[Definition, ...] = ()
    imports: tuple[Import, ...] = ()
    bindings: tuple[Binding, ...] = ()
    uses: tuple[Use, ...] = ()
    given: tuple[tuple[str, Expr], ...] = ()
    fault: str = ""
    packages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, order=True)
class Symbol:
    """A file (*name* "" then), class, function or method."""

    path: str
    name: str

    def __str__(self) -> str:
        return f"{self.path}:{self.name}" if self.name else self.path


@dataclass(frozen=True, slots=True, order=True)
class CodeLink:
    """One piece of code leading to another at a *line* of the first; *how* it is known."""

    source: Symbol
    type: CodeEdge
    target: Symbol
    line: int
    how: str


SAME_FILE, IMPORTED, UNIQUE, SHAPED = "same file", "imports", "unique name", "same methods"
"""How a link is known, the surest first; the last: a class has every method of a protocol."""
