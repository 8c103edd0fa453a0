"""Inheritance: the bases and ancestors of a class, the members that it inherits, and which methods override which."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from autology.codegraph.expressions import Expr, without_arguments
from autology.codegraph.facts import METHOD
from autology.codegraph.graph import CodeLink, LinkType, Symbol
from autology.codegraph.resolution.class_parts import ClassParts, Evaluate
from autology.codegraph.resolution.source_index import SourceIndex
from autology.codegraph.resolution.values import Instance, Reference, Value

MAX_ANCESTORS = 100
"""Ancestors of a class; real ones have ten at most."""


class ClassHierarchy:
    """The classes of a project with their ancestors."""

    def __init__(self, index: SourceIndex, parts: ClassParts, evaluate: Evaluate) -> None:
        self._index = index
        self._parts = parts
        self._evaluate = evaluate
        self._ancestors: dict[Symbol, list[Symbol]] = {}
        self._bases: dict[Symbol, list[Value]] = {}
        self._evaluating: set[Symbol] = set()

    def clear(self) -> None:
        """Forget every base."""
        self._bases.clear()
        self._ancestors.clear()

    def bases(self, symbol: Symbol) -> list[Value]:
        """Return the values that the class *symbol* names as its bases."""
        if symbol in self._evaluating:
            return []  # a class that is its own base, by way of a name in it
        if symbol not in self._bases:
            self._evaluating.add(symbol)
            bases = []
            for place in self._parts.places(symbol):
                own = self._index.definition(place)
                reopened = self._index.files[place.path].reopened.get(place.name, ())
                for definition in (own, *reopened) if own else reopened:
                    bases += [self._base(base, place) for base in definition.bases]
            self._evaluating.discard(symbol)
            self._bases[symbol] = list(dict.fromkeys(bases))
        return self._bases[symbol]

    def _base(self, base: Expr, place: Symbol) -> Value:
        value = self._evaluate(without_arguments(base), place.path, place.outer.name)
        return Reference(value.symbol) if isinstance(value, Instance) else value  # a type alias

    def ancestors(self, symbol: Symbol) -> list[Symbol]:
        """Return a class and those of the project's classes that it inherits from, itself first."""
        if symbol not in self._ancestors:
            ancestors, seen = {symbol: None}, {symbol}
            waiting = [symbol]
            while waiting and len(ancestors) < MAX_ANCESTORS:
                bases = [base.symbol for base in self.bases(waiting.pop()) if isinstance(base, Reference)]
                classes = [base for base in bases if self._index.is_class(base)]
                ancestors |= dict.fromkeys(classes)
                waiting += [base for base in reversed(classes) if base not in seen]
                seen.update(classes)
            if self._evaluating:  # once that is done there may be more
                return list(ancestors)
            self._ancestors[symbol] = list(ancestors)
        return self._ancestors[symbol]

    def has_external_base(self, symbol: Symbol) -> bool:
        """Whether a class inherits from one that is not the project's, so that not all of its members are known."""
        bases = (base for ancestor in self.ancestors(symbol) for base in self.bases(ancestor))
        return any(not isinstance(base, Reference) for base in bases)

    def member(self, symbol: Symbol, name: str) -> Symbol | None:
        """Return what a class, or the nearest of its ancestors, defines as *name*."""
        for ancestor in self.ancestors(symbol):
            if member := self._parts.own_member(ancestor, name):
                return member
        return None

    def overrides(self, inheritance: Iterable[CodeLink], methods: Iterable[Symbol]) -> Iterator[CodeLink]:
        """Yield which of *methods* override which: the nearest method of the name in every base of the class.

        *inheritance* are the links from classes to their bases; a method's link has the evidence of that of its class.
        """
        bases: dict[Symbol, list[CodeLink]] = defaultdict(list)
        for link in inheritance:
            bases[link.source].append(link)
        for method in methods:
            owner, name = self._parts.owner(method.outer), method.last
            mangled = name.startswith("__") and not name.endswith("__")
            definition = self._index.definition(method)
            if owner is None or owner not in bases or mangled or definition is None:
                continue
            for link in bases[owner]:
                target = self.member(link.target, name)
                overridden = self._index.definition(target) if target else None
                if target and target != method and overridden and overridden.kind == METHOD:
                    yield CodeLink(method, LinkType.OVERRIDES, target, definition.line, link.evidence)
