"""The links between definitions and files: what defines, imports, extends, implements and overrides what."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from autology.codegraph.expressions import GENERIC, NAME, last_name
from autology.codegraph.facts import CLASS, INTERFACE, METHOD, TYPES, Definition, Import
from autology.codegraph.graph import IMPORTED, SAME_FILE, SAME_METHODS, CodeLink, LinkType, Symbol
from autology.codegraph.resolution.evaluation import Evaluator
from autology.codegraph.resolution.values import SymbolReference

ABSTRACT_BASES = frozenset(("Protocol", "ABC"))
"""Bases that make a Python class one that others implement."""


def evidence(source: Symbol, target: Symbol) -> str:
    """Return how a link is known whose name was resolved."""
    return SAME_FILE if source.path == target.path else IMPORTED


class StructureLinks:
    """The definitions of a project and the links between them."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator, self._index, self._classes = evaluator, evaluator.index, evaluator.classes

    def definitions(self) -> Iterator[tuple[Symbol, Definition]]:
        """Yield everything that is defined, once: where it has its body."""
        for symbol, definition in self._index.definitions():
            if self._classes.canonical(symbol) == symbol:
                yield symbol, definition

    def links(self, uses: Iterable[CodeLink]) -> Iterator[CodeLink]:
        """Yield the links; *uses*, the calls and references, tell which files of a package an import means."""
        used: dict[str, set[str]] = defaultdict(set)
        for link in uses:
            used[link.source.path].add(link.target.path)
        inheritance: list[CodeLink] = []
        methods: list[Symbol] = []
        for symbol, definition in self.definitions():
            outer = self._outer(symbol)
            yield CodeLink(outer, LinkType.DEFINES, symbol, definition.line, evidence(outer, symbol))
            if definition.kind in TYPES:
                inheritance += self._extended(symbol, definition)
            elif definition.kind == METHOD:
                methods.append(symbol)
        for path in self._index.files:
            yield from self._imports(path, used[path])
        inheritance += self._structural()
        yield from inheritance
        yield from self._overrides(inheritance, methods)

    def _outer(self, symbol: Symbol) -> Symbol:
        """Return what *symbol* is defined in: its class, which may be in another file, or its file."""
        outer = symbol.outer
        if not outer.name or self._index.definition(outer):
            return self._classes.canonical(outer) if outer.name else outer
        return self._classes.owner(outer) or Symbol(symbol.path, "")

    # ---- imports ---------------------------------------------------------------------------------

    def _imports(self, path: str, used: set[str]) -> Iterator[CodeLink]:
        for import_ in self._index.files[path].facts.imports:
            for target in self._imported_files(import_, path, used):
                if target != path:
                    yield CodeLink(Symbol(path, ""), LinkType.IMPORTS, Symbol(target, ""), import_.line, IMPORTED)

    def _imported_files(self, import_: Import, path: str, used: set[str]) -> Sequence[str]:
        modules, names_member = self._index.modules(path), import_.name not in ("", "*")
        submodule = modules.imported_submodule(import_, path) if names_member else ()
        targets: Sequence[str] = submodule or modules.imported(import_, path)
        if (modules.imports_many_files and names_member) or not targets:
            return self._file_of_member(import_, path)
        if modules.imports_many_files:
            return [target for target in targets if target in used] or targets[:1]
        return targets

    def _file_of_member(self, import_: Import, path: str) -> Sequence[str]:
        """Return the file of what an import names, where that is something in a file."""
        if not import_.local:
            return ()
        value = self._evaluator.value([NAME, import_.local], path, import_.scope)
        return (value.symbol.path,) if isinstance(value, SymbolReference) else ()

    # ---- inheritance -----------------------------------------------------------------------------

    def _extended(self, symbol: Symbol, definition: Definition) -> Iterator[CodeLink]:
        for base in self._classes.bases(symbol):
            if isinstance(base, SymbolReference) and self._index.is_class(base.symbol) and base.symbol != symbol:
                implements = self._is_protocol(base.symbol) and definition.kind != INTERFACE
                type = LinkType.IMPLEMENTS if implements else LinkType.EXTENDS
                yield CodeLink(symbol, type, base.symbol, definition.line, evidence(symbol, base.symbol))

    def _is_protocol(self, symbol: Symbol) -> bool:
        definition = self._index.definition(symbol)
        if definition is None:
            return False
        bases = (last_name(base, (GENERIC,)) for base in definition.bases)
        return definition.kind == INTERFACE or any(name in ABSTRACT_BASES for name in bases)

    def _structural(self) -> Iterator[CodeLink]:
        """Yield the classes that have every method of a protocol, two at least, without naming it as a base."""
        members: dict[Symbol, frozenset[str]] = {}
        lines: dict[Symbol, int] = {}
        for symbol, definition in self.definitions():
            if definition.kind in (CLASS, INTERFACE) and self._index.dialect(symbol.path).structural_types:
                members[symbol] = self._public_members(symbol)
                lines[symbol] = definition.line
        classes_with: dict[str, list[Symbol]] = defaultdict(list)
        for symbol, names in members.items():
            for name in names:
                classes_with[name].append(symbol)
        protocols = [symbol for symbol in members if self._is_protocol(symbol) and len(members[symbol]) > 1]
        for protocol in protocols:
            dialect = self._index.dialect(protocol.path)
            for symbol in min((classes_with[name] for name in members[protocol]), key=len):
                if (
                    members[protocol] <= members[symbol]
                    and self._index.dialect(symbol.path) is dialect
                    and protocol not in self._classes.ancestors(symbol)
                    and not self._is_protocol(symbol)
                ):
                    yield CodeLink(symbol, LinkType.IMPLEMENTS, protocol, lines[symbol], SAME_METHODS)

    def _public_members(self, symbol: Symbol) -> frozenset[str]:
        names: set[str] = set()
        for ancestor in self._classes.ancestors(symbol):
            for part in self._classes.parts(ancestor):
                names.update(self._index.files[part.path].members.get(part.name, ()))
        return frozenset(name for name in names if not name.startswith("__"))

    def _overrides(self, inheritance: Iterable[CodeLink], methods: Iterable[Symbol]) -> Iterator[CodeLink]:
        """Yield which of *methods* override which: the nearest method of the name in every base of the class.

        A method's link has the evidence of the link in *inheritance* from its class to the base.
        """
        bases: dict[Symbol, list[CodeLink]] = defaultdict(list)
        for link in inheritance:
            bases[link.source].append(link)
        for method in methods:
            owner, name = self._classes.owner(method.outer), method.last
            mangled = name.startswith("__") and not name.endswith("__")
            definition = self._index.definition(method)
            if owner is None or owner not in bases or mangled or definition is None:
                continue
            for link in bases[owner]:
                target = self._classes.member(link.target, name)
                overridden = self._index.definition(target) if target else None
                if target and target != method and overridden and overridden.kind == METHOD:
                    yield CodeLink(method, LinkType.OVERRIDES, target, definition.line, link.evidence)
