"""From what every file says to a graph: each name is led to what it means, or left open where nobody can know."""

from __future__ import annotations

import builtins
import io
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from autology.core.code.names import Bases, Def, Foreign, Lookup, Mod, Obj, is_property
from autology.model.code import (
    CLASS,
    IMPORTED,
    SAME_FILE,
    SHAPED,
    UNIQUE,
    CodeEdge,
    CodeLink,
    Definition,
    Expr,
    Facts,
    Symbol,
    Use,
)

_EVERYBODYS = frozenset(
    name
    for kind in (
        str,
        bytes,
        list,
        dict,
        set,
        tuple,
        int,
        float,
        BaseException,
        io.TextIOWrapper,
        io.BytesIO,
        re.Pattern,
    )
    for name in dir(kind)
) | frozenset(
    (*dir(re.compile("").match("")), *"exists is_file is_dir mkdir unlink touch resolve iterdir glob".split())
)
"""Methods that objects of Python's own have: a call of one on an unknown object says nothing."""
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
    resolver = _Resolver(files)
    links = sorted({*resolver.structure(), *resolver.uses()})
    symbols: dict[Symbol, Definition | None] = {Symbol(path, ""): None for path in sorted(files)}
    for path, facts in sorted(files.items()):
        symbols |= {Symbol(path, each.name): each for each in facts.definitions}
    faults = {path: facts.fault for path, facts in sorted(files.items()) if facts.fault}
    return CodeMap(symbols, tuple(links), tuple(resolver.open), faults)


class _Resolver:
    def __init__(self, files: Mapping[str, Facts]) -> None:
        self._files = files
        self._lookup = Lookup(files)
        self.open: list[Open] = []
        self._methods: dict[str, list[Symbol]] = defaultdict(list)
        self._functions: dict[str, list[Symbol]] = defaultdict(list)
        for path, facts in sorted(files.items()):
            for each in facts.definitions:
                around, _, name = each.name.rpartition(".")
                inside = self._lookup.is_class(Symbol(path, around))
                (self._methods if inside else self._functions)[name].append(Symbol(path, each.name))

    # ---- what is defined, imported and extended -----------------------------------------------------

    def structure(self) -> Iterator[CodeLink]:
        """Yield what files and classes define, import, extend and implement."""
        for path, facts in sorted(self._files.items()):
            for each in facts.definitions:
                around = each.name.rpartition(".")[0]
                symbol = Symbol(path, each.name)
                yield CodeLink(Symbol(path, around), CodeEdge.DEFINES, symbol, each.line, SAME_FILE)
                if each.kind == CLASS:
                    yield from self._extended(symbol, each)
            yield from self._imports(path, facts)
        yield from self._shaped()

    def _imports(self, path: str, facts: Facts) -> Iterator[CodeLink]:
        modules = self._lookup.modules
        for told in facts.imports:
            module = modules.imported(told, path)
            below = modules.file(f"{module}.{told.name}", path) if told.name not in ("", "*") else None
            target = below or modules.file(module, path)
            if target and target != path:
                yield CodeLink(Symbol(path, ""), CodeEdge.IMPORTS, Symbol(target, ""), told.line, IMPORTED)

    def _extended(self, symbol: Symbol, told: Definition) -> Iterator[CodeLink]:
        for base in self._lookup.bases(symbol):
            if isinstance(base, Def) and self._lookup.is_class(base.symbol):
                type = CodeEdge.IMPLEMENTS if self._is_protocol(base.symbol) else CodeEdge.EXTENDS
                yield CodeLink(symbol, type, base.symbol, told.line, _how(symbol, base.symbol))

    def _is_protocol(self, symbol: Symbol) -> bool:
        found = self._lookup.definition(symbol)
        told = [base[1] if base[0] == "g" else base for base in found.bases] if found else []
        return any(base[-1] in _PROTOCOLS for base in told if base[0] in ("n", "a"))

    def _shaped(self) -> Iterator[CodeLink]:
        """Yield the classes that have every method of a protocol, two at least, without saying so."""
        offers: dict[Symbol, frozenset[str]] = {}
        for path, facts in sorted(self._files.items()):
            for each in facts.definitions:
                if each.kind == CLASS:
                    offers[Symbol(path, each.name)] = self._offered(Symbol(path, each.name))
        for protocol, asked in offers.items():
            if not self._is_protocol(protocol) or len(asked) < 2:
                continue
            for symbol, offered in offers.items():
                if asked <= offered and protocol not in self._lookup.line(symbol) and not self._is_protocol(symbol):
                    told = self._lookup.definition(symbol)
                    assert told is not None
                    yield CodeLink(symbol, CodeEdge.IMPLEMENTS, protocol, told.line, SHAPED)

    def _offered(self, symbol: Symbol) -> frozenset[str]:
        names: set[str] = set()
        for each in self._lookup.line(symbol):
            names.update(self._lookup.files[each.path].members.get(each.name, ()))
        return frozenset(name for name in names if not name.startswith("__"))

    # ---- what is called and used ---------------------------------------------------------------------

    def uses(self) -> Iterator[CodeLink]:
        """Yield what calls and uses what; what is ambiguous goes to :attr:`open`."""
        for path, facts in sorted(self._files.items()):
            for use in facts.uses:
                yield from self._used(path, use)

    def _used(self, path: str, use: Use) -> Iterator[CodeLink]:
        source = Symbol(path, use.scope)
        target = self._target(use.value, path, use.scope)
        if isinstance(target, Foreign):
            return
        if isinstance(target, Symbol):
            called = use.called and not self._reads(use.value, target)
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
            if isinstance(owner, Obj) and (member := lookup.member(owner.symbol, value[2])):
                return member
            found = lookup.attribute(owner, value[2])
        else:
            found = lookup.value(value, path, scope)
            if found is None and lookup.binds(path, scope, value[1]):
                return Foreign()  # whatever a function was given
        if isinstance(found, Def):
            return found.symbol
        if isinstance(found, (Mod, Bases)):
            return Foreign()
        if isinstance(found, Obj):  # an object that is named; called, it is its __call__
            return lookup.member(found.symbol, "__call__") or Foreign()
        return None if found is None else Foreign()

    def _reads(self, value: Expr, target: Symbol) -> bool:
        """Whether *target* is a property that is only read on the way to what is called."""
        definition = self._lookup.definition(target)
        return definition is not None and value[0] == "a" and is_property(definition)

    def _link(self, source: Symbol, target: Symbol, called: bool, line: int, how: str) -> Iterator[CodeLink]:
        if target != source or called:
            yield CodeLink(source, CodeEdge.CALLS if called else CodeEdge.USES, target, line, how)

    def _guessed(self, source: Symbol, use: Use) -> Iterator[CodeLink]:
        """Lead a call of an unknown thing to the only one of that name, or leave it open."""
        name = use.value[-1]
        if use.value[0] == "a":
            if name in _EVERYBODYS:
                return
            found = self._methods.get(name, [])
        else:
            if hasattr(builtins, name):
                return
            found = self._functions.get(name, [])
        if len(found) == 1:
            yield from self._link(source, found[0], True, use.line, UNIQUE)
        elif found:
            self.open.append(Open(source, name, use.line, len(found)))


def _how(source: Symbol, target: Symbol) -> str:
    return SAME_FILE if source.path == target.path else IMPORTED


def counted(links: tuple[CodeLink, ...]) -> Mapping[str, int]:
    """Return how many links there are of each type."""
    return dict(sorted(Counter(link.type.value for link in links).items()))
