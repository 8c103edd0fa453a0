"""From what every file says to a graph: each name is led to what it means, or left open where nobody can know."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from autology.core.code.dialects import GO, SCRIPT, Dialect, dialect_of
from autology.core.code.lookup import Lookup
from autology.core.code.members import is_property
from autology.core.code.overriding import overriding
from autology.core.code.spaces import Mod
from autology.core.code.values import Bases, Def, Foreign, Obj
from autology.core.ports import Progress
from autology.model.code import (
    CLASS,
    IMPORTED,
    INTERFACE,
    METHOD,
    SAME_FILE,
    SHAPED,
    TYPES,
    UNIQUE,
    CodeEdge,
    CodeLink,
    Definition,
    Expr,
    Facts,
    Import,
    Symbol,
    Use,
)

_PROTOCOLS = frozenset(("Protocol", "ABC"))


@dataclass(frozen=True, slots=True)
class Open:
    """A call that could lead to several: *name* is called in *source*, and *many* are defined."""

    source: Symbol
    name: str
    line: int
    many: int


@dataclass(frozen=True, slots=True)
class CodeMap:
    """Everything that is defined, every link between it, what was left open, and what could not be read."""

    symbols: Mapping[Symbol, Definition | None]
    links: tuple[CodeLink, ...]
    open: tuple[Open, ...]
    faults: Mapping[str, str]


def resolve(files: Mapping[str, Facts]) -> CodeMap:
    """Return the graph of *files*; the same files give the same."""
    return Resolution().of(files)


class Resolution:
    """The graph of files as it was last, so that a change which no other file can see is resolved alone."""

    def __init__(self) -> None:
        self._files: dict[str, Facts] = {}
        self._resolver: _Resolver | None = None
        self._used: dict[str, tuple[set[CodeLink], list[Open]]] = {}

    def of(self, files: Mapping[str, Facts], progress: Progress | None = None) -> CodeMap:
        """Return the graph of *files*; the same files give the same, whatever was before."""
        changed = [path for path in files if self._files.get(path) is not files[path]]
        if self._resolver and files.keys() == self._files.keys() and not any(map(self._seen(files), changed)):
            for path in changed:
                self._resolver.renew(path, files[path])
        else:
            self._resolver, self._used, changed = _Resolver(files), {}, list(files)
        resolver = self._resolver
        for done, path in enumerate(changed, 1):
            self._used[path] = resolver.uses(path)
            if progress:
                progress(done, len(changed))
        self._files = dict(files)
        uses = {link for links, _ in self._used.values() for link in links}
        opened = tuple(each for path in sorted(self._used) for each in self._used[path][1])
        faults = {path: facts.fault for path, facts in sorted(files.items()) if facts.fault}
        links = sorted({*resolver.structure(uses), *uses}, key=_place)
        return CodeMap(resolver.symbols(), tuple(links), opened, faults)

    def _seen(self, files: Mapping[str, Facts]) -> Callable[[str], bool]:
        """Return what tells whether other files can see that a file changed."""
        return lambda path: _shown(path, self._files[path]) != _shown(path, files[path])


def _place(link: CodeLink) -> tuple[str | int, ...]:
    """Return what links are in order by: as they compare themselves, in a quarter of the time."""
    source, target = link.source, link.target
    return (source.path, source.name, link.type, target.path, target.name, link.line, link.how)


def _shown(path: str, facts: Facts) -> Facts:
    """Return what others can see of a file: all but what it uses, and the lines that things stand at."""
    dialect = dialect_of(path)
    long = dialect is not None and dialect.reopened  # of a class in several files the longest part is the first
    definitions = (replace(each, line=0, end=each.end - each.line if long else 0) for each in facts.definitions)
    imports = (replace(each, line=0) for each in facts.imports)
    return replace(facts, definitions=tuple(definitions), imports=tuple(imports), uses=(), fault="")


class _Resolver:
    def __init__(self, files: Mapping[str, Facts]) -> None:
        self._lookup = Lookup(files)
        self._sources, self._parts, self._lineage = self._lookup.sources, self._lookup.parts, self._lookup.lineage
        self._files = {path: file.facts for path, file in self._sources.files.items()}
        self._open: list[Open] = []
        self._methods: dict[tuple[Dialect, str], list[Symbol]] = defaultdict(list)
        self._functions: dict[tuple[Dialect, str], list[Symbol]] = defaultdict(list)
        for symbol, definition in self._defined():
            if definition.kind not in TYPES and not definition.declared:
                named = self._methods if definition.kind == METHOD else self._functions
                named[self._sources.dialect(symbol.path), symbol.name.rpartition(".")[2]].append(symbol)

    def symbols(self) -> dict[Symbol, Definition | None]:
        """Return every file, and what is defined in each, once: where it has its body."""
        found: dict[Symbol, Definition | None] = {Symbol(path, ""): None for path in self._files}
        return found | dict(self._defined())

    def _defined(self) -> Iterator[tuple[Symbol, Definition]]:
        for path, file in self._sources.files.items():
            for name, definition in file.definitions.items():
                symbol = Symbol(path, name)
                if self._parts.real(symbol) == symbol:
                    yield symbol, definition

    # ---- what is defined, imported and extended -----------------------------------------------------

    def structure(self, uses: Iterable[CodeLink]) -> Iterator[CodeLink]:
        """Yield what files and classes define, import, extend and implement; *uses* is what they use."""
        used: dict[str, set[str]] = defaultdict(set)
        for link in uses:
            used[link.source.path].add(link.target.path)
        derived: list[CodeLink] = []
        methods: list[Symbol] = []
        for symbol, each in self._defined():
            around = self._around(symbol)
            yield CodeLink(around, CodeEdge.DEFINES, symbol, each.line, _how(around, symbol))
            if each.kind in TYPES:
                derived += self._extended(symbol, each)
            elif each.kind == METHOD:
                methods.append(symbol)
        for path, facts in self._files.items():
            yield from self._imports(path, facts, used[path])
        derived += self._shaped()
        yield from derived
        yield from overriding(self._sources, self._parts, self._lineage, derived, methods)

    def _around(self, symbol: Symbol) -> Symbol:
        """Return what *symbol* is defined in: its class, which may stand in another file, or its file."""
        around = Symbol(symbol.path, symbol.name.rpartition(".")[0])
        if not around.name or self._sources.definition(around):
            return self._parts.real(around) if around.name else around
        return self._parts.owner(around) or Symbol(symbol.path, "")

    def _imports(self, path: str, facts: Facts, used: set[str]) -> Iterator[CodeLink]:
        space = self._sources.space(path)
        for told in facts.imports:
            below = space.below(told, path) if told.name not in ("", "*") else ()
            targets: Sequence[str] = below or space.led(told, path)
            if (space.wide and told.name not in ("", "*")) or not targets:
                targets = self._named_by(told, path)
            elif space.wide:
                targets = [target for target in targets if target in used] or targets[:1]
            for target in targets:
                if target != path:
                    yield CodeLink(Symbol(path, ""), CodeEdge.IMPORTS, Symbol(target, ""), told.line, IMPORTED)

    def _named_by(self, told: Import, path: str) -> Sequence[str]:
        """Return the file of what an import names, where that is something in a file."""
        if told.local and isinstance(found := self._lookup.value(["n", told.local], path, told.scope), Def):
            return (found.symbol.path,)
        return ()

    def _extended(self, symbol: Symbol, told: Definition) -> Iterator[CodeLink]:
        for base in self._lineage.bases(symbol):
            if isinstance(base, Def) and self._sources.is_class(base.symbol) and base.symbol != symbol:
                implements = self._is_protocol(base.symbol) and told.kind != INTERFACE
                type = CodeEdge.IMPLEMENTS if implements else CodeEdge.EXTENDS
                yield CodeLink(symbol, type, base.symbol, told.line, _how(symbol, base.symbol))

    def _is_protocol(self, symbol: Symbol) -> bool:
        found = self._sources.definition(symbol)
        if found and found.kind == INTERFACE:
            return True
        told = [base[1] if base[0] == "g" else base for base in found.bases] if found else []
        return any(base[-1] in _PROTOCOLS for base in told if base[0] in ("n", "a"))

    def _shaped(self) -> Iterator[CodeLink]:
        """Yield the classes that have every method of a protocol, two at least, without saying so."""
        offers: dict[Symbol, frozenset[str]] = {}
        for symbol, each in self._defined():
            if each.kind in (CLASS, INTERFACE) and self._sources.dialect(symbol.path).structural:
                offers[symbol] = self._offered(symbol)
        having: dict[str, list[Symbol]] = defaultdict(list)
        for symbol, offered in offers.items():
            for name in offered:
                having[name].append(symbol)
        for protocol, asked in offers.items():
            if not self._is_protocol(protocol) or len(asked) < 2:
                continue
            dialect = self._sources.dialect(protocol.path)
            for symbol in min((having[name] for name in asked), key=len):
                if self._sources.dialect(symbol.path) is not dialect:
                    continue
                if (
                    asked <= offers[symbol]
                    and protocol not in self._lineage.line(symbol)
                    and not self._is_protocol(symbol)
                ):
                    told = self._sources.definition(symbol)
                    assert told is not None
                    yield CodeLink(symbol, CodeEdge.IMPLEMENTS, protocol, told.line, SHAPED)

    def _offered(self, symbol: Symbol) -> frozenset[str]:
        names: set[str] = set()
        for each in self._lineage.line(symbol):
            for place in self._parts.places(each):
                names.update(self._sources.files[place.path].members.get(place.name, ()))
        return frozenset(name for name in names if not name.startswith("__"))

    # ---- what is called and used ---------------------------------------------------------------------

    def renew(self, path: str, facts: Facts) -> None:
        """Take in a file that shows the others what it did before."""
        if path in self._files:  # a manifest is not
            self._sources.renew(path, facts)
            self._files[path] = facts

    def uses(self, path: str) -> tuple[set[CodeLink], list[Open]]:
        """Return what is called and used in the file at *path*, and what is ambiguous."""
        self._open = []
        facts = self._files.get(path, Facts())
        return {link for use in facts.uses for link in self._used(path, use)}, self._open

    def _used(self, path: str, use: Use) -> Iterator[CodeLink]:
        source = self._parts.real(Symbol(path, use.user or use.scope))
        target = self._target(use.value, path, use.scope)
        if isinstance(target, Foreign):
            return
        if isinstance(target, Symbol):
            called = (use.called or self._reads(use.value, target)) and not self._converts(target)
            yield from self._link(source, target, called, use.line, _how(source, target))
        elif use.called:
            yield from self._guessed(source, use)

    def _target(self, value: Expr, path: str, scope: str) -> Symbol | Foreign | None:
        """Return what is called or used: a definition, a property that is read, a file's own thing."""
        try:
            return self._meant(value, path, scope)
        except RecursionError:  # written by a program
            return None

    def _meant(self, value: Expr, path: str, scope: str) -> Symbol | Foreign | None:
        lookup = self._lookup
        if value[0] == "a":
            owner = lookup.value(value[1], path, scope)
            if isinstance(owner, Obj) and (member := self._lineage.member(owner.symbol, value[2])):
                return member
            found = lookup.attribute(owner, value[2])
        else:
            found = lookup.value(value, path, scope)
            if found is None and value[0] == "n" and lookup.names.binds(path, scope, value[1]):
                return Foreign()  # whatever a function was given
        if isinstance(found, Def):
            return found.symbol
        if (
            isinstance(found, Mod)
            and self._sources.dialect(path) is SCRIPT
            and (own := lookup.attribute(found, "default"))
        ):
            return own.symbol if isinstance(own, Def) else Foreign()  # CommonJS: the module itself
        if isinstance(found, (Mod, Bases)):
            return Foreign()
        if isinstance(found, Obj):  # an object that is named; called, it is its __call__
            return self._lineage.member(found.symbol, "__call__") or Foreign()
        return None if found is None else Foreign()

    def _reads(self, value: Expr, target: Symbol) -> bool:
        """Whether *target* is a property, which is called by reading it."""
        definition = self._sources.definition(target)
        return definition is not None and value[0] == "a" and is_property(definition)

    def _converts(self, target: Symbol) -> bool:
        """Whether what looks like a call takes a value for one of another type."""
        return self._sources.dialect(target.path) is GO and self._sources.is_class(target)

    def _link(self, source: Symbol, target: Symbol, called: bool, line: int, how: str) -> Iterator[CodeLink]:
        if target != source or called:
            yield CodeLink(source, CodeEdge.CALLS if called else CodeEdge.USES, target, line, how)

    def _guessed(self, source: Symbol, use: Use) -> Iterator[CodeLink]:
        """Lead a call of an unknown thing to the only one of that name, or leave it open."""
        name, dialect = use.value[-1], self._sources.dialect(source.path)
        if use.value[0] == "a":
            if name in dialect.common:
                return
            found = self._methods.get((dialect, name), [])
        elif use.value[0] == "n" and name not in dialect.offered:
            found = self._functions.get((dialect, name), [])
        else:
            return
        if len(found) == 1:
            yield from self._link(source, found[0], True, use.line, UNIQUE)
        elif found:
            self._open.append(Open(source, name, use.line, len(found)))


def _how(source: Symbol, target: Symbol) -> str:
    return SAME_FILE if source.path == target.path else IMPORTED


def counted(links: tuple[CodeLink, ...]) -> Mapping[str, int]:
    """Return how many links there are of each type."""
    return dict(sorted(Counter(link.type.value for link in links).items()))
