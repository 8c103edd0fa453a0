"""The classes of a project: where their members are defined, their bases and ancestors, the members they inherit.

A class may be defined in several parts: open and partial classes, Rust's ``impl``, C++ methods out of line.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence

from autology.codegraph.dialects import Dialect
from autology.codegraph.expressions import ATTRIBUTE, NAME, Expr, without_arguments
from autology.codegraph.facts import TYPES
from autology.codegraph.graph import Symbol
from autology.codegraph.resolution.source_index import SourceFile, SourceIndex
from autology.codegraph.resolution.values import Instance, SymbolReference, Value

Evaluate = Callable[[Expr, str, str], Value]
"""Returns the value of an expression in the file at a path, in a scope."""
MAX_ANCESTORS = 100
"""Ancestors of a class; real ones have ten at most."""


class Classes:
    """The classes in *index*; *evaluate* tells which class an expression names."""

    def __init__(self, index: SourceIndex, evaluate: Evaluate) -> None:
        self._index = index
        self._evaluate = evaluate
        self._ancestors: dict[Symbol, list[Symbol]] = {}
        self._bases: dict[Symbol, list[Value]] = {}
        self._evaluating: set[Symbol] = set()
        self._owners: dict[Symbol, Symbol] = {}
        self._parts: dict[Symbol, list[Symbol]] = {}
        self._bodies: dict[tuple[Dialect, str], list[Symbol]] = defaultdict(list)
        self._types: dict[tuple[Dialect, str], list[Symbol]] = defaultdict(list)

    # ---- where they are defined ------------------------------------------------------------------

    def join(self) -> None:
        """Find the parts of each class."""
        open_classes: dict[tuple[str, ...], list[Symbol]] = defaultdict(list)
        for symbol, definition in self._index.definitions():
            dialect = self._index.dialect(symbol.path)
            if definition.kind in TYPES:
                self._types[dialect, symbol.name].append(symbol)
                if dialect.open_classes:
                    packages = self._index.files[symbol.path].facts.packages
                    open_classes[dialect.name, *packages, symbol.name].append(symbol)
            elif not definition.declared and "." not in symbol.name:
                self._bodies[dialect, symbol.name].append(symbol)
        for parts in open_classes.values():
            first = max(parts, key=self._weight)
            for part in parts:
                self._attach(part, first)
        for file in self._index.files.values():
            self._join_file(file)
        self._bases.clear()  # from before the classes were put together
        self._ancestors.clear()

    def _join_file(self, file: SourceFile) -> None:
        """Find the classes whose members are defined in a *file* that does not define the class."""
        owners = {name.rpartition(".")[0] for name in (*file.definitions, *(owner for owner, _ in file.bindings))}
        for name in sorted({*owners, *file.reopened} - {"", *file.definitions}):
            first, *rest = name.split(".")
            expression: Expr = [NAME, first]
            for part in rest:
                expression = [ATTRIBUTE, expression, part]
            value = self._evaluate(expression, file.path, "")
            if isinstance(value, SymbolReference) and self._index.is_class(value.symbol):
                self._attach(Symbol(file.path, name), value.symbol)

    def _weight(self, symbol: Symbol) -> tuple[int, int]:
        """What the main part of a class has most of: bases, then lines."""
        definition = self._index.files[symbol.path].definitions[symbol.name]
        return len(definition.bases), definition.end - definition.line

    def _attach(self, part: Symbol, owner: Symbol) -> None:
        if part != owner:
            self._owners[part] = owner
            self._parts.setdefault(owner, [owner]).append(part)

    def owner(self, part: Symbol) -> Symbol | None:
        """Return the class whose members are defined at *part*."""
        return self._owners.get(part) or (part if self._index.is_class(part) else None)

    def parts(self, symbol: Symbol) -> Sequence[Symbol]:
        """Return where members of the class *symbol* are defined."""
        return self._parts.get(symbol, (symbol,))

    def canonical(self, symbol: Symbol) -> Symbol:
        """Return where *symbol* has its body, as far as that is known; for a class its main part."""
        if symbol in self._owners:
            return self._owners[symbol]
        definition = self._index.definition(symbol)
        if definition is None or not definition.declared:
            return symbol
        if symbol.outer.name:
            owner = self.owner(symbol.outer)
            return (self.own_member(owner, symbol.last) if owner else None) or symbol
        bodies = self._bodies.get((self._index.dialect(symbol.path), symbol.name), ())
        return bodies[0] if len(bodies) == 1 else symbol

    def own_member(self, symbol: Symbol, name: str) -> Symbol | None:
        """Return what the class itself defines as *name*, with its body if it has one."""
        declaration = None
        for part in self.parts(symbol):
            member = Symbol(part.path, f"{part.name}.{name}")
            if definition := self._index.definition(member):
                if not definition.declared:
                    return self._owners.get(member, member)
                declaration = declaration or member
        return declaration

    def only_type(self, dialect: Dialect, name: str) -> Symbol | None:
        """Return the class called *name*, where there is just one in all files of *dialect*."""
        types = self._types.get((dialect, name), ())
        return types[0] if len(types) == 1 else None

    # ---- inheritance -----------------------------------------------------------------------------

    def bases(self, symbol: Symbol) -> list[Value]:
        """Return the values that the class *symbol* names as its bases."""
        if symbol in self._evaluating:
            return []  # a class that is its own base, by way of a name in it
        if symbol not in self._bases:
            self._evaluating.add(symbol)
            bases = []
            for part in self.parts(symbol):
                own = self._index.definition(part)
                reopened = self._index.files[part.path].reopened.get(part.name, ())
                for definition in (own, *reopened) if own else reopened:
                    bases += [self._base(base, part) for base in definition.bases]
            self._evaluating.discard(symbol)
            self._bases[symbol] = list(dict.fromkeys(bases))
        return self._bases[symbol]

    def _base(self, base: Expr, part: Symbol) -> Value:
        value = self._evaluate(without_arguments(base), part.path, part.outer.name)
        return SymbolReference(value.symbol) if isinstance(value, Instance) else value  # a type alias

    def ancestors(self, symbol: Symbol) -> list[Symbol]:
        """Return a class and those of the project's classes that it inherits from, itself first."""
        if symbol not in self._ancestors:
            ancestors, visited = {symbol: None}, {symbol}
            waiting = [symbol]
            while waiting and len(ancestors) < MAX_ANCESTORS:
                bases = [base.symbol for base in self.bases(waiting.pop()) if isinstance(base, SymbolReference)]
                classes = [base for base in bases if self._index.is_class(base)]
                ancestors |= dict.fromkeys(classes)
                waiting += [base for base in reversed(classes) if base not in visited]
                visited.update(classes)
            if self._evaluating:  # once that is done there may be more
                return list(ancestors)
            self._ancestors[symbol] = list(ancestors)
        return self._ancestors[symbol]

    def has_external_base(self, symbol: Symbol) -> bool:
        """Whether a class inherits from one that is not the project's, so that not all of its members are known."""
        bases = (base for ancestor in self.ancestors(symbol) for base in self.bases(ancestor))
        return any(not isinstance(base, SymbolReference) for base in bases)

    def member(self, symbol: Symbol, name: str) -> Symbol | None:
        """Return what a class, or the nearest of its ancestors, defines as *name*."""
        for ancestor in self.ancestors(symbol):
            if member := self.own_member(ancestor, name):
                return member
        return None
