"""What an annotation says of an object, and what a function gives."""

from __future__ import annotations

from autology.core.code.holding import MAPPINGS
from autology.core.code.meaning import DEEPEST, Meaning
from autology.core.code.once import Once
from autology.core.code.parts import Parts
from autology.core.code.sources import Sources
from autology.core.code.values import Def, Foreign, Gives, Many, Obj, Value, first
from autology.model.code import Expr, Symbol

_EITHER = frozenset(("Union",))
_CALLABLE = "Callable"
_ANYTHING = frozenset(("Any", "object"))


class Annotations:
    """The types that are told in the files of a project."""

    def __init__(self, sources: Sources, parts: Parts, once: Once, meaning: Meaning) -> None:
        self._sources = sources
        self._parts = parts
        self._once = once
        self._meaning = meaning

    def returned(self, symbol: Symbol) -> Value:
        """Return what a function gives, by its annotation, else by what it returns."""
        return self._once(("returned", symbol.path, symbol.name), lambda: self._returned(symbol))

    def _returned(self, symbol: Symbol) -> Value:
        definition = self._sources.definition(symbol)
        if definition is None:
            return None
        if definition.returns is not None:
            outer = symbol.name.rpartition(".")[0]
            return self.typed(definition.returns, symbol.path, outer, 0)
        given = self._sources.files[symbol.path].given.get(symbol.name, ())
        return first(self._meaning.value(told, symbol.path, symbol.name, 0) for told in given)

    def typed(self, told: Expr, path: str, scope: str, depth: int) -> Value:
        """Return an object of the type that is told."""
        if depth > DEEPEST:
            return None
        if told[0] == "u":
            return first(self.typed(each, path, scope, depth + 1) for each in told[1])
        if told[0] == "g":
            return self._generic(told, path, scope, depth + 1)
        if told[0] == "l":
            return Many(self.typed(told[1], path, scope, depth + 1))
        if told == ["n", "Self"]:
            owner = self._parts.owner(Symbol(path, scope)) or self._parts.owner(Symbol(path, scope.rpartition(".")[0]))
            return Obj(owner) if owner else None
        if told[0] == "n" and told[1] in _ANYTHING:
            return None
        value = self._meaning.value(told, path, scope, depth + 1)
        if isinstance(value, Def):
            return Obj(value.symbol) if self._sources.is_class(value.symbol) else None
        return value if isinstance(value, (Foreign, Obj, Many, Gives)) else None

    def _generic(self, told: Expr, path: str, scope: str, depth: int) -> Value:
        name = told[1][-1] if told[1][0] in ("n", "a") else ""
        inner = told[2]
        if name in _EITHER or name in self._sources.dialect(path).wrapping:
            return first(self.typed(each, path, scope, depth) for each in inner)
        if name == _CALLABLE:
            return Gives(self.typed(inner[-1], path, scope, depth))
        if name in ("type", "Type"):
            value = self._meaning.value(inner[0], path, scope, depth)
            return value if isinstance(value, Def) else None
        own = self._meaning.value(told[1], path, scope, depth)
        if isinstance(own, Def) and self._sources.is_class(own.symbol):
            return Obj(own.symbol)
        return Many(self.typed(inner[-1] if name in MAPPINGS else inner[0], path, scope, depth))
