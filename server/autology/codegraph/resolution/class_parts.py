"""Classes that are defined in several places: open and partial classes, Rust's ``impl``, C++ methods out of line."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence

from autology.codegraph.dialects import Dialect
from autology.codegraph.expressions import ATTRIBUTE, NAME, Expr
from autology.codegraph.facts import TYPES
from autology.codegraph.graph import Symbol
from autology.codegraph.resolution.source_index import SourceFile, SourceIndex
from autology.codegraph.resolution.values import Reference, Value

Evaluate = Callable[[Expr, str, str], Value]
"""Returns the value of an expression in the file at a path, in a scope."""


class ClassParts:
    """The places where the members of each class are defined, and the class of every such place."""

    def __init__(self, index: SourceIndex) -> None:
        self._index = index
        self._owners: dict[Symbol, Symbol] = {}
        self._places: dict[Symbol, list[Symbol]] = {}
        self._bodies: dict[tuple[Dialect, str], list[Symbol]] = defaultdict(list)
        self._types: dict[tuple[Dialect, str], list[Symbol]] = defaultdict(list)

    def join(self, evaluate: Evaluate) -> None:
        """Find the parts of each class; *evaluate* tells which class a part names."""
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
            self._join_file(file, evaluate)

    def _join_file(self, file: SourceFile, evaluate: Evaluate) -> None:
        """Find the classes whose members are defined in a *file* that does not define the class."""
        owners = {name.rpartition(".")[0] for name in (*file.definitions, *(owner for owner, _ in file.bindings))}
        for name in sorted({*owners, *file.reopened} - {"", *file.definitions}):
            first, *rest = name.split(".")
            expression: Expr = [NAME, first]
            for part in rest:
                expression = [ATTRIBUTE, expression, part]
            value = evaluate(expression, file.path, "")
            if isinstance(value, Reference) and self._index.is_class(value.symbol):
                self._attach(Symbol(file.path, name), value.symbol)

    def _weight(self, symbol: Symbol) -> tuple[int, int]:
        """What the main part of a class has most of: bases, then lines."""
        definition = self._index.files[symbol.path].definitions[symbol.name]
        return len(definition.bases), definition.end - definition.line

    def _attach(self, place: Symbol, owner: Symbol) -> None:
        if place != owner:
            self._owners[place] = owner
            self._places.setdefault(owner, [owner]).append(place)

    def owner(self, place: Symbol) -> Symbol | None:
        """Return the class whose members are defined at *place*."""
        return self._owners.get(place) or (place if self._index.is_class(place) else None)

    def places(self, symbol: Symbol) -> Sequence[Symbol]:
        """Return where members of the class *symbol* are defined."""
        return self._places.get(symbol, (symbol,))

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
        for place in self.places(symbol):
            member = Symbol(place.path, f"{place.name}.{name}")
            if definition := self._index.definition(member):
                if not definition.declared:
                    return self._owners.get(member, member)
                declaration = declaration or member
        return declaration

    def only_type(self, dialect: Dialect, name: str) -> Symbol | None:
        """Return the class called *name*, where there is just one in all files of *dialect*."""
        types = self._types.get((dialect, name), ())
        return types[0] if len(types) == 1 else None
