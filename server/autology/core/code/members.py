"""What a value has under a name, and what calling it gives."""

from __future__ import annotations

from autology.core.code.annotations import Annotations
from autology.core.code.holding import HANDED, SAME
from autology.core.code.imports import Imports
from autology.core.code.lineage import Lineage
from autology.core.code.meaning import DEEPEST
from autology.core.code.names import Names
from autology.core.code.parts import Parts
from autology.core.code.sources import Sources
from autology.core.code.spaces import Mod
from autology.core.code.values import FOREIGN, Bases, Def, Foreign, Gives, Many, Obj, Value, known, of_files
from autology.model.code import Definition, Symbol

_PROPERTIES = frozenset(("property", "cached_property", "setter"))


class Members:
    """The members of classes, objects, files and collections."""

    def __init__(
        self,
        sources: Sources,
        parts: Parts,
        lineage: Lineage,
        names: Names,
        imports: Imports,
        annotations: Annotations,
    ) -> None:
        self._sources = sources
        self._parts = parts
        self._lineage = lineage
        self._names = names
        self._imports = imports
        self._annotations = annotations

    def attribute(self, owner: Value, name: str, depth: int) -> Value:
        """Return what *owner* has under *name*."""
        if isinstance(owner, Mod):
            return self._of_files(owner, name, depth)
        if isinstance(owner, (Obj, Bases)) or (isinstance(owner, Def) and self._sources.is_class(owner.symbol)):
            found = self.of_class(owner, name)
            passing = self._sources.dialect(owner.symbol.path).passing
            return Gives(owner) if not known(found) and name in passing else found
        if isinstance(owner, Many):
            return owner if name in SAME else Gives(owner.element) if name in HANDED else FOREIGN
        if isinstance(owner, Def) and not self._sources.dialect(owner.symbol.path).brackets and depth < DEEPEST:
            return self.attribute(self._annotations.returned(owner.symbol), name, depth + 1)
        return FOREIGN if isinstance(owner, (Foreign, Def)) else None

    def _of_files(self, module: Mod, name: str, depth: int) -> Value:
        found = self._imports.offered(module, name, depth)
        if found is None:
            inside = (self._sources.space(path).inside(path, name) for path in module.paths)
            below = next(filter(None, inside), ())
            found = of_files(below) if below else None
        return found

    def of_class(self, owner: Obj | Def | Bases, name: str) -> Value:
        """Return what a class, or an object of it, has under *name*."""
        skip = isinstance(owner, Bases)
        for each in self._lineage.line(owner.symbol)[int(skip) :]:
            member = self._parts.own_member(each, name)
            if member and (definition := self._sources.definition(member)):
                if isinstance(owner, Obj) and is_property(definition):
                    return self._annotations.returned(member)
                return Def(member)
            for place in self._parts.places(each):
                file = self._sources.files[place.path]
                if (place.name, name) in file.bindings:
                    return self._names.assigned(file, place.name, name)
        return FOREIGN if self._lineage.open_ended(owner.symbol) else None

    def called(self, value: Value, depth: int = 0) -> Value:
        """Return what calling *value* gives."""
        if isinstance(value, Def):
            symbol = value.symbol
            return Obj(symbol) if self._sources.is_class(symbol) else self._annotations.returned(symbol)
        if isinstance(value, Gives):
            return value.value
        if isinstance(value, Mod):  # CommonJS: what the module itself is
            own = self._imports.offered(value, "default", depth)
            return self.called(own, depth + 1) if own is not None and depth < DEEPEST else None
        if isinstance(value, Many):
            return value  # of its own methods that make another collection
        if isinstance(value, Obj):
            return self.given(value.symbol, "__call__")
        return FOREIGN if isinstance(value, Foreign) else None

    def given(self, symbol: Symbol, *methods: str) -> Value:
        """Return what the first of *methods* gives that an object of that class has."""
        method = next(filter(None, (self._lineage.member(symbol, name) for name in methods)), None)
        return self._annotations.returned(method) if method else None


def is_property(definition: Definition) -> bool:
    """Whether a method is read as an attribute."""
    return any(each[-1] in _PROPERTIES for each in definition.decorators if each[0] in ("n", "a"))
