"""What an expression in a source file leads to: a definition, an object of a class, a file, or nobody knows.

Names are looked up as Python does: in the function, those around it, the file, then what is imported. What objects
are is told by annotations, by what made them, and by what functions return.
"""

from __future__ import annotations

import builtins
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from autology.core.code.modules import Modules
from autology.model.code import CLASS, Binding, Definition, Expr, Facts, Import, Symbol

DEEPEST = 25
"""Steps from a name to what it is; a circle of names ends here."""
ANCESTORS = 100
"""Classes that one comes from; real ones have ten at most."""
NESTED = 40
"""Names, attributes and functions that are looked into to know one."""
_HANDED = frozenset(("get", "pop", "popleft", "setdefault", "popitem", "__getitem__", "send", "result"))
"""Methods of a collection that give one of its elements."""
_SAME = frozenset(
    ("list", "tuple", "set", "frozenset", "sorted", "reversed", "iter", "deque", "copy", "values", "keys")
)
"""What makes one collection of another."""
_EITHER = frozenset(("Optional", "Union", "Annotated", "Final", "ClassVar", "Awaitable", "Required", "NotRequired"))
_CALLABLE = "Callable"
_MAPPINGS = frozenset(("dict", "Mapping", "MutableMapping", "defaultdict", "OrderedDict"))
_PROPERTIES = frozenset(("property", "cached_property", "setter"))


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
class Mod:
    """A file of the project, imported."""

    path: str


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


@dataclass(slots=True)
class File:
    """One file's facts, to be looked up in."""

    path: str
    facts: Facts
    definitions: dict[str, Definition] = field(default_factory=dict)
    bindings: dict[tuple[str, str], list[Binding]] = field(default_factory=lambda: defaultdict(list))
    imports: dict[tuple[str, str], Import] = field(default_factory=dict)
    stars: list[Import] = field(default_factory=list)
    given: dict[str, list[Expr]] = field(default_factory=lambda: defaultdict(list))
    members: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    @classmethod
    def of(cls, path: str, facts: Facts) -> File:
        """Return *facts* put in order."""
        made = cls(path, facts)
        for definition in facts.definitions:
            made.definitions.setdefault(definition.name, definition)
            around, _, name = definition.name.rpartition(".")
            made.members[around].add(name)
        for binding in facts.bindings:
            made.bindings[binding.owner, binding.name].append(binding)
            made.members[binding.owner].add(binding.name)
        for told in facts.imports:
            if told.name == "*":
                made.stars.append(told)
            elif told.local:
                made.imports.setdefault((told.scope, told.local), told)
        for scope, value in facts.given:
            made.given[scope].append(value)
        return made


class Lookup:
    """What names mean in the files of a project."""

    def __init__(self, files: Mapping[str, Facts]) -> None:
        self.files = {path: File.of(path, facts) for path, facts in sorted(files.items())}
        self.modules = Modules(self.files)
        self._lines: dict[Symbol, list[Symbol]] = {}
        self._bases: dict[Symbol, list[Value]] = {}
        self._known: dict[tuple[str, ...], Value] = {}
        self._nested = 0

    # ---- definitions ------------------------------------------------------------------------------

    def definition(self, symbol: Symbol) -> Definition | None:
        """Return what is defined there."""
        file = self.files.get(symbol.path)
        return file.definitions.get(symbol.name) if file else None

    def is_class(self, symbol: Symbol) -> bool:
        """Whether *symbol* is a class."""
        found = self.definition(symbol)
        return found is not None and found.kind == CLASS

    def bases(self, symbol: Symbol) -> list[Value]:
        """Return what the class *symbol* names as its bases."""
        if symbol not in self._bases:
            found = self.definition(symbol)
            scope = symbol.name.rpartition(".")[0]
            self._bases[symbol] = [self._base(each, symbol.path, scope) for each in found.bases] if found else []
        return self._bases[symbol]

    def _base(self, told: Expr, path: str, scope: str) -> Value:
        return self.value(told[1] if told[0] == "g" else told, path, scope)

    def line(self, symbol: Symbol) -> list[Symbol]:
        """Return a class and the project's classes that it comes from, itself first."""
        if symbol not in self._lines:
            found, seen = {symbol: None}, {symbol}
            waiting = [symbol]
            while waiting and len(found) < ANCESTORS:
                own = [b.symbol for b in self.bases(waiting.pop()) if isinstance(b, Def) and self.is_class(b.symbol)]
                found |= dict.fromkeys(own)
                waiting += [each for each in reversed(own) if each not in seen]
                seen.update(own)
            self._lines[symbol] = list(found)
        return self._lines[symbol]

    def open_ended(self, symbol: Symbol) -> bool:
        """Whether a class comes from one that is not the project's: what it has is not known."""
        return any(not isinstance(base, Def) for each in self.line(symbol) for base in self.bases(each))

    def member(self, symbol: Symbol, name: str) -> Symbol | None:
        """Return what a class, or the first of those that it comes from, defines under *name*."""
        for each in self.line(symbol):
            found = Symbol(each.path, f"{each.name}.{name}")
            if self.definition(found):
                return found
        return None

    # ---- values -------------------------------------------------------------------------------------

    def value(self, told: Expr, path: str, scope: str, depth: int = 0) -> Value:
        """Return what the expression *told* leads to, in *scope* of the file at *path*."""
        if depth > DEEPEST:
            return None
        read = _READ.get(told[0])
        return read(self, told, path, scope, depth + 1) if read else None

    def _name(self, told: Expr, path: str, scope: str, depth: int) -> Value:  # noqa: ARG002 - known once for all
        return self._once(("name", path, scope, told[1]), lambda: self._looked_up(told[1], path, scope))

    def _once(self, key: tuple[str, ...], find: Callable[[], Value]) -> Value:
        """Return what *find* finds, looked for once; what is made of itself, or of very much, is not known."""
        if key not in self._known:
            self._known[key] = None
            if self._nested < NESTED:
                self._nested += 1
                try:
                    self._known[key] = find()
                finally:
                    self._nested -= 1
        return self._known[key]

    def _looked_up(self, name: str, path: str, scope: str) -> Value:
        file = self.files[path]
        for around in self.scopes(file, scope):
            found = self._bound(file, around, name, 0)
            if found is not _UNBOUND:
                return found  # type: ignore[return-value]
        for star in file.stars:
            value = self._imported(star, path, name, 0)
            if value is not None and value != FOREIGN:
                return value
        return FOREIGN if hasattr(builtins, name) else None

    def scopes(self, file: File, scope: str) -> Iterator[str]:
        """Yield the scopes in which a name is looked for: classes around a function are passed over."""
        first = True
        while scope:
            definition = file.definitions.get(scope)
            if first or definition is None or definition.kind != CLASS:
                yield scope
            first = False
            scope = scope.rpartition(".")[0]
        yield ""

    def binds(self, path: str, scope: str, name: str) -> bool:
        """Whether a function around, or the file, gives *name* a meaning of its own."""
        file = self.files[path]
        return any(
            (around, name) in file.bindings or (around, name) in file.imports for around in self.scopes(file, scope)
        )

    def _bound(self, file: File, scope: str, name: str, depth: int) -> object:
        whole = f"{scope}.{name}" if scope else name
        if whole in file.definitions:
            return Def(Symbol(file.path, whole))
        if (scope, name) in file.imports:
            return self._import(file.imports[scope, name], file.path, depth)
        if (scope, name) in file.bindings:
            return self._of_bindings(file, scope, name)
        return _UNBOUND

    def _of_bindings(self, file: File, owner: str, name: str) -> Value:
        """Return what a name is bound to: what it is annotated with, else the first that is known."""
        return self._once(("bound", file.path, owner, name), lambda: self._first_bound(file, owner, name))

    def _first_bound(self, file: File, owner: str, name: str) -> Value:
        told = file.bindings.get((owner, name), [])
        foreign: Value = None
        for binding in sorted(told, key=lambda binding: not binding.typed):
            if binding.value == ["n", name] and owner == binding.scope:
                continue  # x = x
            value = (
                self._typed(binding.value, file.path, binding.scope, 0)
                if binding.typed
                else (self.value(binding.value, file.path, binding.scope, 0))
            )
            if isinstance(value, Foreign):
                foreign = value
            elif value is not None:
                return value
        return foreign

    def _import(self, told: Import, path: str, depth: int) -> Value:
        if told.name:
            return self._imported(told, path, told.name, depth)
        found = self.modules.file(told.module, path)
        if found:
            return Mod(found)
        return None if self.modules.knows(told.module) and told.local == told.module else FOREIGN

    def _imported(self, told: Import, path: str, name: str, depth: int) -> Value:
        module = self.modules.imported(told, path)
        file = self.modules.file(module, path)
        if file and (value := self.of_module(file, name, depth)) is not None:
            return value
        below = self.modules.file(f"{module}.{name}", path)
        if below:
            return Mod(below)
        return None if file else FOREIGN

    def of_module(self, path: str, name: str, depth: int = 0) -> Value:
        """Return what the file at *path* offers under *name*."""
        if depth > DEEPEST:
            return None
        file = self.files[path]
        found = self._bound(file, "", name, depth + 1)
        if found is not _UNBOUND:
            return found  # type: ignore[return-value]
        for star in file.stars:
            value = self._imported(star, path, name, depth + 1)
            if value is not None and value != FOREIGN:
                return value
        return None

    def _attribute(self, told: Expr, path: str, scope: str, depth: int) -> Value:
        return self.attribute(self.value(told[1], path, scope, depth), told[2], depth)

    def attribute(self, owner: Value, name: str, depth: int = 0) -> Value:
        """Return what *owner* has under *name*."""
        if isinstance(owner, Mod):
            found = self.of_module(owner.path, name, depth)
            if found is None and owner.path.endswith("/__init__.py"):
                below = owner.path.removesuffix("__init__.py") + name
                found = next((Mod(p) for p in (f"{below}.py", f"{below}/__init__.py") if p in self.files), None)
            return found
        if isinstance(owner, (Obj, Bases)) or (isinstance(owner, Def) and self.is_class(owner.symbol)):
            return self._of_class(owner, name, depth)
        if isinstance(owner, Many):
            return owner if name in _SAME else Gives(owner.element) if name in _HANDED else FOREIGN
        return FOREIGN if isinstance(owner, (Foreign, Def)) else None

    def _of_class(self, owner: Obj | Def | Bases, name: str, depth: int) -> Value:  # noqa: ARG002 - as the others
        skip = isinstance(owner, Bases)
        for each in self.line(owner.symbol)[int(skip) :]:
            member = Symbol(each.path, f"{each.name}.{name}")
            definition = self.definition(member)
            if definition:
                return self.returned(member) if isinstance(owner, Obj) and is_property(definition) else Def(member)
            file = self.files[each.path]
            if (each.name, name) in file.bindings:
                return self._of_bindings(file, each.name, name)
        return FOREIGN if self.open_ended(owner.symbol) else None

    def _call(self, told: Expr, path: str, scope: str, depth: int) -> Value:
        called = told[1]
        if called[0] == "n" and called[1] in _SAME and not self.binds(path, scope, called[1]):
            return None  # a collection of what it is given, which is not told
        return self.called(self.value(called, path, scope, depth), depth)

    def called(self, value: Value, depth: int = 0) -> Value:  # noqa: ARG002 - as the others
        """Return what calling *value* gives."""
        if isinstance(value, Def):
            return Obj(value.symbol) if self.is_class(value.symbol) else self.returned(value.symbol)
        if isinstance(value, Gives):
            return value.value
        if isinstance(value, Many):
            return value  # of its own methods that make another collection
        if isinstance(value, Obj):
            method = self.member(value.symbol, "__call__")
            return self.returned(method) if method else None
        return FOREIGN if isinstance(value, Foreign) else None

    def returned(self, symbol: Symbol) -> Value:
        """Return what a function gives, by its annotation, else by what it returns."""
        return self._once(("returned", symbol.path, symbol.name), lambda: self._returned(symbol))

    def _returned(self, symbol: Symbol) -> Value:
        definition = self.definition(symbol)
        if definition is None:
            return None
        if definition.returns is not None:
            outer = symbol.name.rpartition(".")[0]
            return self._typed(definition.returns, symbol.path, outer, 0)
        foreign: Value = None
        for told in self.files[symbol.path].given.get(symbol.name, ()):
            value = self.value(told, symbol.path, symbol.name, 0)
            if isinstance(value, Foreign):
                foreign = value
            elif value is not None:
                return value
        return foreign

    def _typed(self, told: Expr, path: str, scope: str, depth: int) -> Value:
        """Return an object of the type that is told."""
        if depth > DEEPEST:
            return None
        if told[0] == "u":
            return self._first(self._typed(each, path, scope, depth + 1) for each in told[1])
        if told[0] == "g":
            return self._generic(told, path, scope, depth + 1)
        if told[0] == "l":
            return Many(self._typed(told[1], path, scope, depth + 1))
        if told == ["n", "Self"]:
            owner = scope if self.is_class(Symbol(path, scope)) else scope.rpartition(".")[0]
            return Obj(Symbol(path, owner)) if self.is_class(Symbol(path, owner)) else None
        if told[0] == "n" and told[1] in _ANYTHING:
            return None
        value = self.value(told, path, scope, depth + 1)
        if isinstance(value, Def):
            return Obj(value.symbol) if self.is_class(value.symbol) else None
        return value if isinstance(value, (Foreign, Obj, Many, Gives)) else None

    def _generic(self, told: Expr, path: str, scope: str, depth: int) -> Value:
        name = told[1][-1] if told[1][0] in ("n", "a") else ""
        inner = told[2]
        if name in _EITHER:
            return self._first(self._typed(each, path, scope, depth) for each in inner)
        if name == _CALLABLE:
            return Gives(self._typed(inner[-1], path, scope, depth))
        if name in ("type", "Type"):
            value = self.value(inner[0], path, scope, depth)
            return value if isinstance(value, Def) else None
        own = self.value(told[1], path, scope, depth)
        if isinstance(own, Def) and self.is_class(own.symbol):
            return Obj(own.symbol)
        return Many(self._typed(inner[-1] if name in _MAPPINGS else inner[0], path, scope, depth))

    def _first(self, values: Iterator[Value]) -> Value:
        foreign: Value = None
        for value in values:
            if isinstance(value, Foreign):
                foreign = value
            elif value is not None:
                return value
        return foreign

    def _either(self, told: Expr, path: str, scope: str, depth: int) -> Value:
        return self._first(self.value(each, path, scope, depth) for each in told[1])

    def _element(self, told: Expr, path: str, scope: str, depth: int) -> Value:
        value = self.value(told[1], path, scope, depth)
        if isinstance(value, Many):
            return value.element
        if isinstance(value, Obj):
            method = self.member(value.symbol, "__getitem__")
            return self.returned(method) if method else None
        return FOREIGN if isinstance(value, Foreign) else None

    def _given(self, told: Expr, path: str, scope: str, depth: int) -> Value:
        value = self.value(told[1], path, scope, depth)
        if isinstance(value, Obj):
            method = self.member(value.symbol, "__enter__") or self.member(value.symbol, "__aenter__")
            return (self.returned(method) if method else None) or value
        return value.element if isinstance(value, Many) else value if isinstance(value, Foreign) else None

    def _collection(self, told: Expr, path: str, scope: str, depth: int) -> Value:
        return Many(self.value(told[1], path, scope, depth))


_UNBOUND = object()
_ANYTHING = frozenset(("Any", "object"))
_READ: dict[str, Callable[[Lookup, Expr, str, str, int], Value]] = {
    "n": Lookup._name,
    "a": Lookup._attribute,
    "c": Lookup._call,
    "i": Lookup._element,
    "w": Lookup._given,
    "l": Lookup._collection,
    "u": Lookup._either,
    "o": lambda self, told, path, scope, depth: Obj(Symbol(path, told[1])),  # noqa: ARG005
    "k": lambda self, told, path, scope, depth: Def(Symbol(path, told[1])),  # noqa: ARG005
    "s": lambda self, told, path, scope, depth: Bases(Symbol(path, told[1])),  # noqa: ARG005
    "x": lambda self, told, path, scope, depth: FOREIGN,  # noqa: ARG005
    "g": lambda self, told, path, scope, depth: self.value(told[1], path, scope, depth),
}


def is_property(definition: Definition) -> bool:
    """Whether a method is read as an attribute."""
    return any(each[-1] in _PROPERTIES for each in definition.decorators if each[0] in ("n", "a"))
