"""What classes come from that is not of the project: what another library may look up in them, and call."""

from __future__ import annotations

import builtins
import collections.abc
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping

from autology.core.code.dialects import PYTHON, dialect_of
from autology.core.code.resolve import CodeMap
from autology.model.code import DERIVING, INTERFACE, SHAPED, CodeEdge, Expr, Facts, Import, Symbol

_ABSTRACT = frozenset(("Protocol", "ABC"))
_CALLING_NOTHING = frozenset(
    "object Protocol ABC Generic NamedTuple TypedDict Enum IntEnum StrEnum Flag IntFlag".split()
)
"""Bases that call no method of a class but those between underscores."""
_PLAIN = frozenset(("BaseModel",))
"""Bases of other libraries that do not look for the classes that come from them."""


class Outside:
    """The classes of a project by the bases that others define; *ours* tells which imports are the project's own."""

    def __init__(self, known: CodeMap, facts: Mapping[str, Facts], ours: Callable[[Import], bool]) -> None:
        self._known = known
        self._facts = facts
        self._ours = ours
        self._bases: dict[Symbol, list[Symbol]] = defaultdict(list)
        self._uses: dict[Symbol, list[Symbol]] = defaultdict(list)
        for link in known.links:
            if link.type in DERIVING and link.how != SHAPED:
                self._bases[link.source].append(link.target)
            elif link.type is CodeEdge.USES:
                self._uses[link.source].append(link.target)
        self._listed = any(
            use.value[-1] == "__subclasses__" for each in facts.values() for use in each.uses if use.value[0] == "a"
        )

    def line(self, symbol: Symbol) -> list[Symbol]:
        """Return a class and the project's classes that it comes from, itself first."""
        found = [symbol]
        for each in found:
            found += [base for base in self._bases[each] if base not in found]
        return found

    def takes(self, symbol: Symbol) -> bool:
        """Whether something may look for the class *symbol* among those that come from a base of its own."""
        own = self.line(symbol)[1:]
        if own and (self._listed or any(self._has(base, "__init_subclass__") for base in own)):
            return True
        return any(self._is_registered(each, told) for each in (symbol, *own) for told in self._foreign(each)) or any(
            self._is_metaclass(used) for each in (symbol, *own) for used in self._uses[each]
        )

    def asks(self, symbol: Symbol, method: str) -> bool:
        """Whether a base of the class *symbol* that others define may call *method* of it."""
        return any(self._calls(told, method) for each in self.line(symbol) for told in self._foreign(each))

    def is_abstract(self, symbol: Symbol) -> bool:
        """Whether a class says only what others have: a protocol, an interface, an abstract class."""
        definition = self._known.symbols.get(symbol)
        if definition is None:
            return False
        return definition.kind == INTERFACE or any(_name(told) in _ABSTRACT for told in definition.bases)

    def _foreign(self, symbol: Symbol) -> Iterator[tuple[Symbol, Expr]]:
        """Yield the bases of a class that no link leads to, as they are told."""
        definition = self._known.symbols.get(symbol)
        known = {each.name.rpartition(".")[2] for each in self._bases[symbol]}
        for told in definition.bases if definition else ():
            if _name(told) not in known:
                yield symbol, told

    def _calls(self, base: tuple[Symbol, Expr], method: str) -> bool:
        name = _name(base[1])
        if name in _CALLING_NOTHING:
            return False
        kind = getattr(builtins, name, None) or getattr(collections.abc, name, None)
        return hasattr(kind, method) if isinstance(kind, type) else True

    def _is_registered(self, symbol: Symbol, base: tuple[Symbol, Expr]) -> bool:
        if dialect_of(symbol.path) is not PYTHON:
            return True
        root = base[1]
        while root[0] in ("a", "c", "g", "i"):
            root = root[1]
        told = next((each for each in self._facts[symbol.path].imports if each.local == root[-1]), None)
        if told is None or _name(base[1]) in _PLAIN:
            return False
        return not self._ours(told) and told.module.partition(".")[0] not in sys.stdlib_module_names

    def _is_metaclass(self, symbol: Symbol) -> bool:
        definition = self._known.symbols.get(symbol)
        return definition is not None and ["n", "type"] in definition.bases

    def _has(self, symbol: Symbol, name: str) -> bool:
        return Symbol(symbol.path, f"{symbol.name}.{name}") in self._known.symbols


def _name(told: Expr) -> str:
    while told[0] in ("g", "c", "i"):
        told = told[1]
    return str(told[-1]) if told[0] in ("n", "a") else ""
