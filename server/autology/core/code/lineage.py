"""What a class comes from, and what it has of that."""

from __future__ import annotations

from autology.core.code.meaning import Meaning
from autology.core.code.parts import Parts
from autology.core.code.sources import Sources
from autology.core.code.values import Def, Obj, Value
from autology.model.code import Expr, Symbol

ANCESTORS = 100
"""Classes that one comes from; real ones have ten at most."""


class Lineage:
    """The classes of a project by what they come from."""

    def __init__(self, sources: Sources, parts: Parts, meaning: Meaning) -> None:
        self._sources = sources
        self._parts = parts
        self._meaning = meaning
        self._lines: dict[Symbol, list[Symbol]] = {}
        self._bases: dict[Symbol, list[Value]] = {}
        self._finding: set[Symbol] = set()

    def forget(self) -> None:
        """Forget what was found: more is known by now."""
        self._bases.clear()
        self._lines.clear()

    def bases(self, symbol: Symbol) -> list[Value]:
        """Return what the class *symbol* names as its bases."""
        if symbol in self._finding:
            return []  # a class that is its own base, by way of a name in it
        if symbol not in self._bases:
            self._finding.add(symbol)
            found = []
            for place in self._parts.places(symbol):
                own = self._sources.definition(place)
                more = self._sources.files[place.path].more.get(place.name, ())
                scope = place.name.rpartition(".")[0]
                told = [each for part in ((own, *more) if own else more) for each in part.bases]
                found += [self._base(each, place.path, scope) for each in told]
            self._finding.discard(symbol)
            self._bases[symbol] = list(dict.fromkeys(found))
        return self._bases[symbol]

    def _base(self, told: Expr, path: str, scope: str) -> Value:
        found = self._meaning.value(told[1] if told[0] == "g" else told, path, scope)
        return Def(found.symbol) if isinstance(found, Obj) else found  # by another name of it

    def line(self, symbol: Symbol) -> list[Symbol]:
        """Return a class and the project's classes that it comes from, itself first."""
        if symbol not in self._lines:
            found, seen = {symbol: None}, {symbol}
            waiting = [symbol]
            while waiting and len(found) < ANCESTORS:
                bases = [base.symbol for base in self.bases(waiting.pop()) if isinstance(base, Def)]
                own = [base for base in bases if self._sources.is_class(base)]
                found |= dict.fromkeys(own)
                waiting += [each for each in reversed(own) if each not in seen]
                seen.update(own)
            if self._finding:  # by then more may be known
                return list(found)
            self._lines[symbol] = list(found)
        return self._lines[symbol]

    def open_ended(self, symbol: Symbol) -> bool:
        """Whether a class comes from one that is not the project's: what it has is not known."""
        return any(not isinstance(base, Def) for each in self.line(symbol) for base in self.bases(each))

    def member(self, symbol: Symbol, name: str) -> Symbol | None:
        """Return what a class, or the first of those that it comes from, defines under *name*."""
        for each in self.line(symbol):
            if found := self._parts.own_member(each, name):
                return found
        return None
