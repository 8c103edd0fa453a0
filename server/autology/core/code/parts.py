"""Classes that stand in several places, and methods that stand outside of their class."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from autology.core.code.dialects import Dialect
from autology.core.code.file import File
from autology.core.code.meaning import Meaning
from autology.core.code.sources import Sources
from autology.core.code.values import Def
from autology.model.code import TYPES, Expr, Symbol


class Parts:
    """Where the members of each class stand, and whose member everything is."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._owners: dict[Symbol, Symbol] = {}
        self._places: dict[Symbol, list[Symbol]] = {}
        self._bodies: dict[tuple[Dialect, str], list[Symbol]] = defaultdict(list)
        self._types: dict[tuple[Dialect, str], list[Symbol]] = defaultdict(list)

    def put_together(self, meaning: Meaning) -> None:
        """Find the class of every method that stands outside of it, and the classes that stand in several files."""
        again: dict[tuple[str, ...], list[Symbol]] = defaultdict(list)
        for path, file in self._sources.files.items():
            dialect = self._sources.dialect(path)
            for name, definition in file.definitions.items():
                if definition.kind in TYPES:
                    self._types[dialect, name].append(Symbol(path, name))
                    if dialect.reopened:
                        again[dialect.name, *file.facts.packages, name].append(Symbol(path, name))
                elif not definition.declared and "." not in name:
                    self._bodies[dialect, name].append(Symbol(path, name))
        for parts in again.values():
            first = max(parts, key=self._weight)  # the one that says what it comes from, else the longest
            for each in parts:
                self._belongs(each, first)
        for path, file in self._sources.files.items():
            self._join(path, file, meaning)

    def _join(self, path: str, file: File, meaning: Meaning) -> None:
        """Find the classes whose members stand in a file without them."""
        every = {name.rpartition(".")[0] for name in (*file.definitions, *(owner for owner, _ in file.bindings))}
        for name in sorted({*every, *file.more} - {"", *file.definitions}):
            first, *rest = name.split(".")
            told: Expr = ["n", first]
            for each in rest:
                told = ["a", told, each]
            found = meaning.value(told, path, "")
            if isinstance(found, Def) and self._sources.is_class(found.symbol):
                self._belongs(Symbol(path, name), found.symbol)

    def _weight(self, symbol: Symbol) -> tuple[int, int]:
        found = self._sources.files[symbol.path].definitions[symbol.name]
        return len(found.bases), found.end - found.line

    def _belongs(self, place: Symbol, owner: Symbol) -> None:
        if place != owner:
            self._owners[place] = owner
            self._places.setdefault(owner, [owner]).append(place)

    def owner(self, place: Symbol) -> Symbol | None:
        """Return the class whose members stand at *place*."""
        return self._owners.get(place) or (place if self._sources.is_class(place) else None)

    def places(self, symbol: Symbol) -> Sequence[Symbol]:
        """Return where members of the class *symbol* stand."""
        return self._places.get(symbol, (symbol,))

    def real(self, symbol: Symbol) -> Symbol:
        """Return where *symbol* has its body, as far as that is known; of a class its first part."""
        if symbol in self._owners:
            return self._owners[symbol]
        found = self._sources.definition(symbol)
        if found is None or not found.declared:
            return symbol
        around, _, name = symbol.name.rpartition(".")
        if around:
            owner = self.owner(Symbol(symbol.path, around))
            return (self.own_member(owner, name) if owner else None) or symbol
        bodies = self._bodies.get((self._sources.dialect(symbol.path), name), ())
        return bodies[0] if len(bodies) == 1 else symbol

    def own_member(self, symbol: Symbol, name: str) -> Symbol | None:
        """Return what the class itself has under *name*, with its body if it has one."""
        declared = None
        for place in self.places(symbol):
            found = Symbol(place.path, f"{place.name}.{name}")
            if definition := self._sources.definition(found):
                if not definition.declared:
                    return self._owners.get(found, found)
                declared = declared or found
        return declared

    def only(self, dialect: Dialect, name: str) -> Symbol | None:
        """Return the class called *name*, where a language has one alone of that name."""
        found = self._types.get((dialect, name), ())
        return found[0] if len(found) == 1 else None
