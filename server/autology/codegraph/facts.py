"""What a parser reads from one source file: definitions, imports, bindings and uses, before any name is resolved."""

from __future__ import annotations

from dataclasses import dataclass

from autology.codegraph.expressions import Expr

FILE, CLASS, INTERFACE, MODULE, FUNCTION, METHOD = "file", "class", "interface", "module", "function", "method"
TYPES = (CLASS, INTERFACE, MODULE)
"""The kinds of definition that have members."""


@dataclass(frozen=True, slots=True)
class Definition:
    """A class or function; *name* is qualified from the top of the file on: ``Graph.refresh``.

    One that is only *declared* has its body elsewhere, if at all.
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
    """*local* in *scope* stands for *name* of *module*, or for the module; *level* counts the leading dots."""

    scope: str
    local: str
    module: str
    name: str
    level: int
    line: int


@dataclass(frozen=True, slots=True)
class Binding:
    """*name* of *owner* (a function, a class, or "" for the file) is bound to *value*; *typed* if that is its type.

    Names in *value* are looked up from *scope*.
    """

    owner: str
    name: str
    value: Expr
    typed: bool
    scope: str


@dataclass(frozen=True, slots=True)
class Use:
    """A call of *value*, or a reference to it, in *scope*, by *user* or, if that is empty, by the scope itself.

    The decorators and defaults of a function are used by the function, but their names are looked up outside of it.
    """

    scope: str
    value: Expr
    called: bool
    line: int
    user: str = ""


@dataclass(frozen=True, slots=True)
class FileFacts:
    """The facts of one file; *fault* says why it could not be parsed.

    *returned* are the expressions that functions without a return type return, *packages* the namespaces that the file
    declares; for a manifest, the name of its package.
    """

    definitions: tuple[Definition, ...] = ()
    imports: tuple[Import, ...] = ()
    bindings: tuple[Binding, ...] = ()
    uses: tuple[Use, ...] = ()
    returned: tuple[tuple[str, Expr], ...] = ()
    fault: str = ""
    packages: tuple[str, ...] = ()


class FactsCollector:
    """The facts of a file that is being read."""

    def __init__(self) -> None:
        self.definitions: list[Definition] = []
        self.imports: list[Import] = []
        self.bindings: list[Binding] = []
        self.uses: list[Use] = []
        self.returned: list[tuple[str, Expr]] = []
        self.packages: list[str] = []

    def facts(self) -> FileFacts:
        """Return everything that was read."""
        return FileFacts(
            tuple(self.definitions),
            tuple(self.imports),
            tuple(self.bindings),
            tuple(self.uses),
            tuple(self.returned),
            packages=tuple(dict.fromkeys(self.packages)),
        )
