"""What an expression in a source file leads to: a definition, an object of a class, a file, or nobody knows.

Names are looked up in the function, those around it, the file, then in what is imported and what the file sees
without that. What objects are is told by annotations, by what made them, and by what functions return.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from autology.core.code.dialects import DIALECTS, Dialect, dialect_of
from autology.core.code.spaces import Mod, Space, space_of
from autology.model.code import TYPES, Binding, Definition, Expr, Facts, Import, Symbol

DEEPEST = 25
"""Steps from a name to what it is; a circle of names ends here."""
ANCESTORS = 100
"""Classes that one comes from; real ones have ten at most."""
NESTED = 40
"""Names, attributes and functions that are looked into to know one."""
_HANDED = frozenset(
    "get pop popleft setdefault popitem __getitem__ send result first last next find at shift get_mut peek remove"
    " findFirst findAny getOrDefault computeIfAbsent First FirstOrDefault Single SingleOrDefault Last LastOrDefault"
    " Find ElementAt TryGetValue front back top poll element max min detect sample fetch"
    " or_insert_with or_default".split()
)
"""Methods of a collection that give one of its elements."""
_SAME = frozenset(
    "list tuple set frozenset sorted reversed iter deque copy values keys iter_mut into_iter values_mut filter rev skip"
    " take stream toList sort slice concat reverse Where ToList ToArray OrderBy OrderByDescending Skip Take Reverse"
    " select reject sort_by compact uniq collect chain drain entrySet lock unwrap begin end rbegin".split()
)
"""What makes one collection of another."""
_EITHER = frozenset(("Union",))
_CALLABLE = "Callable"
_MAPPINGS = frozenset(
    "dict Mapping MutableMapping defaultdict OrderedDict Map HashMap BTreeMap IndexMap TreeMap LinkedHashMap"
    " ConcurrentHashMap ConcurrentMap WeakMap Record Dictionary IDictionary ConcurrentDictionary IReadOnlyDictionary"
    " SortedDictionary map unordered_map".split()
)
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
    more: dict[str, list[Definition]] = field(default_factory=lambda: defaultdict(list))
    members: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    @classmethod
    def of(cls, path: str, facts: Facts) -> File:
        """Return *facts* put in order."""
        made = cls(path, facts)
        for definition in facts.definitions:
            made._define(definition)
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

    def _define(self, definition: Definition) -> None:
        """Take in a definition: the first of a name, but what has a body before what is only declared."""
        if definition.declared and definition.kind in TYPES:  # it is told more of a class that is defined elsewhere
            self.more[definition.name].append(definition)
            return
        known = self.definitions.setdefault(definition.name, definition)
        if known.declared and not definition.declared:
            self.definitions[definition.name] = definition
        elif known is not definition and known.kind in TYPES:
            self.more[definition.name].append(definition)


class Lookup:
    """What names mean in the files of a project."""

    def __init__(self, files: Mapping[str, Facts]) -> None:
        self.files = {path: File.of(path, facts) for path, facts in sorted(files.items()) if dialect_of(path)}
        self._dialects = {path: found for path in self.files if (found := dialect_of(path))}
        manifests = [(path, facts) for path, facts in sorted(files.items()) if not dialect_of(path)]
        self._spaces: dict[str, Space] = {}
        for dialect in DIALECTS:
            own = {path: file.facts for path, file in self.files.items() if self._dialects[path] is dialect}
            if own:
                self._spaces[dialect.name] = space_of(dialect, own, manifests)
        said = {name for file in self.files.values() for name in file.facts.packages}
        self.namespaces = {part for name in said for part in name.split(".")}
        self._lines: dict[Symbol, list[Symbol]] = {}
        self._bases: dict[Symbol, list[Value]] = {}
        self._finding: set[Symbol] = set()
        self._known: dict[tuple[str, ...], Value] = {}
        self._tops: dict[str, dict[str, list[str]]] = {}
        self._nested = 0
        self._owners: dict[Symbol, Symbol] = {}
        self._places: dict[Symbol, list[Symbol]] = {}
        self._bodies: dict[tuple[Dialect, str], list[Symbol]] = defaultdict(list)
        self._types: dict[tuple[Dialect, str], list[Symbol]] = defaultdict(list)
        self._put_together()

    def dialect(self, path: str) -> Dialect:
        """Return what is spoken in the file at *path*."""
        return self._dialects[path]

    def space(self, path: str) -> Space:
        """Return what the file at *path* sees."""
        return self._spaces[self.dialect(path).name]

    # ---- definitions ------------------------------------------------------------------------------

    def definition(self, symbol: Symbol) -> Definition | None:
        """Return what is defined there."""
        file = self.files.get(symbol.path)
        return file.definitions.get(symbol.name) if file else None

    def is_class(self, symbol: Symbol) -> bool:
        """Whether *symbol* has members: a class, an interface, a module within a file."""
        found = self.definition(symbol)
        return found is not None and found.kind in TYPES

    def _put_together(self) -> None:
        """Find the class of every method that stands outside of it, and the classes that stand in several files."""
        again: dict[tuple[str, ...], list[Symbol]] = defaultdict(list)
        for path, file in self.files.items():
            dialect = self.dialect(path)
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
        for path, file in self.files.items():
            self._join(path, file)
        self._known.clear()
        self._bases.clear()
        self._lines.clear()

    def _join(self, path: str, file: File) -> None:
        """Find the classes whose members stand in a file without them."""
        every = {name.rpartition(".")[0] for name in (*file.definitions, *(owner for owner, _ in file.bindings))}
        for name in sorted({*every, *file.more} - {"", *file.definitions}):
            first, *rest = name.split(".")
            told: Expr = ["n", first]
            for each in rest:
                told = ["a", told, each]
            found = self.value(told, path, "")
            if isinstance(found, Def) and self.is_class(found.symbol):
                self._belongs(Symbol(path, name), found.symbol)

    def _weight(self, symbol: Symbol) -> tuple[int, int]:
        found = self.files[symbol.path].definitions[symbol.name]
        return len(found.bases), found.end - found.line

    def _belongs(self, place: Symbol, owner: Symbol) -> None:
        if place != owner:
            self._owners[place] = owner
            self._places.setdefault(owner, [owner]).append(place)

    def owner(self, place: Symbol) -> Symbol | None:
        """Return the class whose members stand at *place*."""
        return self._owners.get(place) or (place if self.is_class(place) else None)

    def places(self, symbol: Symbol) -> Sequence[Symbol]:
        """Return where members of the class *symbol* stand."""
        return self._places.get(symbol, (symbol,))

    def real(self, symbol: Symbol) -> Symbol:
        """Return where *symbol* has its body, as far as that is known; of a class its first part."""
        if symbol in self._owners:
            return self._owners[symbol]
        found = self.definition(symbol)
        if found is None or not found.declared:
            return symbol
        around, _, name = symbol.name.rpartition(".")
        if around:
            owner = self.owner(Symbol(symbol.path, around))
            return (self._own_member(owner, name) if owner else None) or symbol
        bodies = self._bodies.get((self.dialect(symbol.path), name), ())
        return bodies[0] if len(bodies) == 1 else symbol

    def bases(self, symbol: Symbol) -> list[Value]:
        """Return what the class *symbol* names as its bases."""
        if symbol in self._finding:
            return []  # a class that is its own base, by way of a name in it
        if symbol not in self._bases:
            self._finding.add(symbol)
            found = []
            for place in self.places(symbol):
                own, more = self.definition(place), self.files[place.path].more.get(place.name, ())
                scope = place.name.rpartition(".")[0]
                told = [each for part in ((own, *more) if own else more) for each in part.bases]
                found += [self._base(each, place.path, scope) for each in told]
            self._finding.discard(symbol)
            self._bases[symbol] = list(dict.fromkeys(found))
        return self._bases[symbol]

    def _base(self, told: Expr, path: str, scope: str) -> Value:
        found = self.value(told[1] if told[0] == "g" else told, path, scope)
        return Def(found.symbol) if isinstance(found, Obj) else found  # by another name of it

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
            if found := self._own_member(each, name):
                return found
        return None

    def _own_member(self, symbol: Symbol, name: str) -> Symbol | None:
        """Return what the class itself has under *name*, with its body if it has one."""
        declared = None
        for place in self.places(symbol):
            found = Symbol(place.path, f"{place.name}.{name}")
            if definition := self.definition(found):
                if not definition.declared:
                    return self._owners.get(found, found)
                declared = declared or found
        return declared

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
        file, dialect = self.files[path], self.dialect(path)
        outside = False
        for around in self.scopes(file, scope):
            if dialect.bare and around.rpartition(".")[2] == name:
                continue  # a constructor has its class's name, which means the class
            found = self._bound(file, around, name, 0)
            if found is not _UNBOUND:
                return found  # type: ignore[return-value]
            if dialect.bare and around and (owner := self.owner(Symbol(path, around))):
                value = self._of_class(Obj(owner), name, 0)
                if value is not None and value != FOREIGN:
                    return value
                outside = outside or value == FOREIGN
        for value in self._seen(file, name):
            if value is not None and value != FOREIGN:
                return value
        only = self._types.get((dialect, name), []) if dialect.announced else []
        if len(only) == 1:
            return Def(only[0])
        told = outside or dialect.closed or name in dialect.offered
        return FOREIGN if told else None

    def _seen(self, file: File, name: str) -> Iterator[Value]:
        """Yield what the files that are seen as a whole offer under *name*."""
        for star in file.stars:
            yield self._imported(star, file.path, name, 0)
        for module in self.space(file.path).siblings(file.path):
            yield self._offered(module, name, 0)

    def scopes(self, file: File, scope: str) -> Iterator[str]:
        """Yield the scopes in which a name is looked for; classes around only where members are bare."""
        first, bare = True, self.dialect(file.path).bare
        while scope:
            if first or bare or self.owner(Symbol(file.path, scope)) is None:
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
            return Def(self.real(Symbol(file.path, whole)))
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
            scope = binding.scope
            if binding.value == ["n", name] and owner == scope:
                if not binding.typed or not scope:
                    continue  # x = x
                scope = scope.rpartition(".")[0]  # a field that is called as its type
            read = self._typed if binding.typed else self.value
            value = read(binding.value, file.path, scope, 0)
            if isinstance(value, Foreign):
                foreign = value
            elif value is not None:
                return value
        return foreign

    def _import(self, told: Import, path: str, depth: int) -> Value:
        if told.name:
            return self._imported(told, path, told.name, depth)
        space = self.space(path)
        if found := space.led(told, path):
            return _mod(found)
        return None if space.ours(told) else self._within(told, path, depth)

    def _imported(self, told: Import, path: str, name: str, depth: int) -> Value:
        space = self.space(path)
        files = space.led(told, path)
        if files and (value := self._offered(_mod(files), name, depth)) is not None:
            return value
        if told.name == name and (below := space.below(told, path)):
            return _mod(below)
        if files or depth > DEEPEST:
            return None
        owner = self._within(told, path, depth)
        return FOREIGN if owner in (None, FOREIGN) else self.attribute(owner, name, depth + 1)

    def _within(self, told: Import, path: str, depth: int) -> Value:
        """Return what an import means whose module is itself a name in another: a class, a module within a file."""
        around, _, name = told.module.rpartition(".")
        if not self.space(path).nested or not around or depth > DEEPEST:
            return FOREIGN
        return self._imported(replace(told, module=around, name=name), path, name, depth + 1)

    def _offered(self, module: Mod, name: str, depth: int) -> Value:
        """Return what the files of *module* offer under *name*."""
        if len(module.paths) == 1:
            return self.of_module(module.paths[0], name, depth)
        if module.key not in self._tops:
            tops: dict[str, list[str]] = defaultdict(list)
            for path in module.paths:
                file = self.files[path]
                names = dict.fromkeys(
                    (*file.members.get("", ()), *(local for scope, local in file.imports if not scope))
                )
                for each in names:
                    tops[each].append(path)
            self._tops[module.key] = tops
        found = (self.of_module(path, name, depth) for path in self._tops[module.key].get(name, ()))
        return next((value for value in found if value is not None), None)

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
            found = self._offered(owner, name, depth)
            if found is None:
                below = next((b for path in owner.paths if (b := self.space(path).inside(path, name))), ())
                found = _mod(below) if below else None
            return found
        if isinstance(owner, (Obj, Bases)) or (isinstance(owner, Def) and self.is_class(owner.symbol)):
            found = self._of_class(owner, name, depth)
            passed = found is None or found == FOREIGN
            return Gives(owner) if passed and name in self.dialect(owner.symbol.path).passing else found
        if isinstance(owner, Many):
            return owner if name in _SAME else Gives(owner.element) if name in _HANDED else FOREIGN
        if isinstance(owner, Def) and not self.dialect(owner.symbol.path).brackets and depth < DEEPEST:
            return self.attribute(self.returned(owner.symbol), name, depth + 1)
        return FOREIGN if isinstance(owner, (Foreign, Def)) else None

    def _of_class(self, owner: Obj | Def | Bases, name: str, depth: int) -> Value:  # noqa: ARG002 - as the others
        skip = isinstance(owner, Bases)
        for each in self.line(owner.symbol)[int(skip) :]:
            member = self._own_member(each, name)
            if member and (definition := self.definition(member)):
                return self.returned(member) if isinstance(owner, Obj) and is_property(definition) else Def(member)
            for place in self.places(each):
                if (place.name, name) in self.files[place.path].bindings:
                    return self._of_bindings(self.files[place.path], place.name, name)
        return FOREIGN if self.open_ended(owner.symbol) else None

    def _qualified(self, told: Expr, path: str, scope: str, depth: int) -> Value:
        """Return what names after one another lead to, of which the first may be files or namespaces."""
        names: list[str] = told[1]
        space = self.space(path)
        value = self.value(["n", names[0]], path, scope, depth) if names[0] else None
        if value is None or value == FOREIGN:
            for at in range(len(names) - 1, 0, -1):
                if files := space.files(".".join(names[:at]).strip("."), path):
                    value, names = _mod(files), names[at - 1 :]
                    break
            else:
                inner = next((at for at, name in enumerate(names) if name not in self.namespaces), 0)
                return self._qualified(["q", names[inner:]], path, scope, depth) if inner else FOREIGN
        for name in names[1:]:
            value = self.attribute(value, name, depth)
        return value

    def _call(self, told: Expr, path: str, scope: str, depth: int) -> Value:
        called = told[1]
        if called[0] == "n" and called[1] in _SAME and not self.binds(path, scope, called[1]):
            return None  # a collection of what it is given, which is not told
        return self.called(self.value(called, path, scope, depth), depth)

    def called(self, value: Value, depth: int = 0) -> Value:
        """Return what calling *value* gives."""
        if isinstance(value, Def):
            return Obj(value.symbol) if self.is_class(value.symbol) else self.returned(value.symbol)
        if isinstance(value, Gives):
            return value.value
        if isinstance(value, Mod):  # CommonJS: what the module itself is
            own = self._offered(value, "default", depth)
            return self.called(own, depth + 1) if own is not None and depth < DEEPEST else None
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
            owner = self.owner(Symbol(path, scope)) or self.owner(Symbol(path, scope.rpartition(".")[0]))
            return Obj(owner) if owner else None
        if told[0] == "n" and told[1] in _ANYTHING:
            return None
        value = self.value(told, path, scope, depth + 1)
        if isinstance(value, Def):
            return Obj(value.symbol) if self.is_class(value.symbol) else None
        return value if isinstance(value, (Foreign, Obj, Many, Gives)) else None

    def _generic(self, told: Expr, path: str, scope: str, depth: int) -> Value:
        name = told[1][-1] if told[1][0] in ("n", "a") else ""
        inner = told[2]
        if name in _EITHER or name in self.dialect(path).wrapping:
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
        if isinstance(value, Def) and not self.dialect(path).brackets and not self.is_class(value.symbol):
            value = self.returned(value.symbol)
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

    def _of(self, kind: type[Obj] | type[Def] | type[Bases], path: str, name: str) -> Value:
        owner = self.owner(Symbol(path, name))
        return kind(owner) if owner else None

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
    "q": Lookup._qualified,
    "o": lambda self, told, path, scope, depth: self._of(Obj, path, told[1]),  # noqa: ARG005
    "k": lambda self, told, path, scope, depth: self._of(Def, path, told[1]),  # noqa: ARG005
    "s": lambda self, told, path, scope, depth: self._of(Bases, path, told[1]),  # noqa: ARG005
    "x": lambda self, told, path, scope, depth: FOREIGN,  # noqa: ARG005
    "g": lambda self, told, path, scope, depth: self.value(told[1], path, scope, depth),
}


def _mod(paths: tuple[str, ...]) -> Mod:
    return Mod(paths[0] if len(paths) == 1 else "\n".join(paths), paths)


def is_property(definition: Definition) -> bool:
    """Whether a method is read as an attribute."""
    return any(each[-1] in _PROPERTIES for each in definition.decorators if each[0] in ("n", "a"))
