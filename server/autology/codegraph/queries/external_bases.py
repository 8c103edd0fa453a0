"""Classes by the bases that other libraries define: these may look the classes up and call their methods."""

from __future__ import annotations

import builtins
import collections.abc
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping

from autology.codegraph.expressions import ATTRIBUTE, CALL, GENERIC, ITEM, NAME, Expr, last_name
from autology.codegraph.facts import INTERFACE, FileFacts, Import
from autology.codegraph.file_endings import is_python
from autology.codegraph.graph import INHERITANCE, SAME_METHODS, CodeMap, LinkType, Symbol

_ABSTRACT = frozenset(("Protocol", "ABC"))
_CALL_NOTHING = frozenset("object Protocol ABC Generic NamedTuple TypedDict Enum IntEnum StrEnum Flag IntFlag".split())
"""Bases that call no method of a class but special ones."""
_REGISTER_NOTHING = frozenset(("BaseModel",))
"""Bases of other libraries that do not look up the classes that extend them."""
_AROUND_NAME = (GENERIC, CALL, ITEM)


class ExternalBases:
    """The bases of a project's classes; *is_own* tells whether an import is of the project itself."""

    def __init__(self, graph: CodeMap, facts: Mapping[str, FileFacts], is_own: Callable[[Import], bool]) -> None:
        self._graph = graph
        self._facts = facts
        self._is_own = is_own
        self._bases: dict[Symbol, list[Symbol]] = defaultdict(list)
        self._uses: dict[Symbol, list[Symbol]] = defaultdict(list)
        for link in graph.links:
            if link.type in INHERITANCE and link.evidence != SAME_METHODS:
                self._bases[link.source].append(link.target)
            elif link.type is LinkType.USES:
                self._uses[link.source].append(link.target)
        uses = (use.value for file in facts.values() for use in file.uses)
        self._lists_subclasses = any(value[0] == ATTRIBUTE and value[-1] == "__subclasses__" for value in uses)

    def ancestors(self, symbol: Symbol) -> list[Symbol]:
        """Return a class and those of the project's classes that it inherits from, itself first."""
        ancestors = [symbol]
        for ancestor in ancestors:
            ancestors += [base for base in self._bases[ancestor] if base not in ancestors]
        return ancestors

    def may_look_up(self, symbol: Symbol) -> bool:
        """Whether something may find the class *symbol* as a subclass of one of its bases."""
        ancestors = self.ancestors(symbol)
        if ancestors[1:] and (
            self._lists_subclasses or any(self._has(base, "__init_subclass__") for base in ancestors[1:])
        ):
            return True
        return any(
            any(self._registers(ancestor, base) for base in self._external(ancestor))
            or any(self._is_metaclass(used) for used in self._uses[ancestor])
            for ancestor in ancestors
        )

    def may_call(self, symbol: Symbol, method: str) -> bool:
        """Whether an external base of the class *symbol* may call its *method*."""
        bases = (base for ancestor in self.ancestors(symbol) for base in self._external(ancestor))
        return any(_calls(last_name(base, _AROUND_NAME), method) for base in bases)

    def is_abstract(self, symbol: Symbol) -> bool:
        """Whether a class only declares what others implement: a protocol, an interface, an abstract class."""
        definition = self._graph.symbols.get(symbol)
        if definition is None:
            return False
        names = (last_name(base, _AROUND_NAME) for base in definition.bases)
        return definition.kind == INTERFACE or any(name in _ABSTRACT for name in names)

    def _external(self, symbol: Symbol) -> Iterator[Expr]:
        """Yield the bases of a class that no link leads to."""
        definition = self._graph.symbols.get(symbol)
        own = {base.last for base in self._bases[symbol]}
        for base in definition.bases if definition else ():
            if last_name(base, _AROUND_NAME) not in own:
                yield base

    def _registers(self, symbol: Symbol, base: Expr) -> bool:
        """Whether a *base* of the class *symbol* is one that may look up its subclasses."""
        if not is_python(symbol.path):
            return True
        root = base
        while root[0] in (ATTRIBUTE, *_AROUND_NAME):
            root = root[1]
        import_ = next((import_ for import_ in self._facts[symbol.path].imports if import_.local == root[-1]), None)
        if import_ is None or last_name(base, _AROUND_NAME) in _REGISTER_NOTHING:
            return False
        return not self._is_own(import_) and import_.module.partition(".")[0] not in sys.stdlib_module_names

    def _is_metaclass(self, symbol: Symbol) -> bool:
        definition = self._graph.symbols.get(symbol)
        return definition is not None and [NAME, "type"] in definition.bases

    def _has(self, symbol: Symbol, name: str) -> bool:
        return Symbol(symbol.path, f"{symbol.name}.{name}") in self._graph.symbols


def _calls(base: str, method: str) -> bool:
    """Whether what is called *base* may call *method* of its subclasses."""
    if base in _CALL_NOTHING:
        return False
    type_ = getattr(builtins, base, None) or getattr(collections.abc, base, None)
    return hasattr(type_, method) if isinstance(type_, type) else True
