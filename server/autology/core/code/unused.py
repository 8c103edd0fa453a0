"""Code that nothing in its project refers to, as far as that can be told: what might be referred to is left out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from autology.core.code.dialects import GO, PYTHON, RUST, SCRIPT, C, dialect_of
from autology.core.code.mentions import Reading
from autology.core.code.outside import Outside
from autology.core.code.resolve import CodeMap
from autology.model.code import CLASS, FUNCTION, INTERFACE, METHOD, SHAPED, CodeEdge, Definition, Expr, Facts, Symbol

_REFERRING = (CodeEdge.CALLS, CodeEdge.USES, CodeEdge.EXTENDS, CodeEdge.IMPLEMENTS)
_INERT = frozenset(
    "property cached_property abstractproperty staticmethod classmethod contextmanager asynccontextmanager wraps"
    " lru_cache cache dataclass dataclass_transform define frozen mutable attrs s final override overload deprecated"
    " total_ordering runtime_checkable no_type_check unique".split()
)
"""Decorators that hand what they decorate to nothing that would call it."""
_STARTED = frozenset("main Main init WinMain DllMain _start".split())
_MADE = frozenset("constructor initialize new init".split())
_READ_BY_TOOLS = re.compile(
    r"(^|/)(conf|noxfile|tasks|fabfile|hubconf|gunicorn\.conf|locustfile|setup|dodo|conanfile)\.py\Z"
    r"|(^|/)(migrations|alembic)/|\.config\.\w+\Z"
)
_TESTS = re.compile(
    r"(^|/)(tests?|testing|specs?|__tests__|fixtures)/|(^|/)(test_[^/]*|conftest|[^/]*_tests?)\.\w+\Z"
    r"|\.(test|spec)\.\w+\Z|Tests?\.(java|cs|php)\Z|_spec\.rb\Z"
)
_TESTING = re.compile(r"(test|pytest|Test)(_|[A-Z]|\Z)")
_ENTRANCE = re.compile(r"(^|/)(index|main|lib|mod)\.\w+\Z")
_ANNOTATED = re.compile(r"^\s*(@\w|#\[|\[\w)", re.MULTILINE)
_OFFERED = re.compile(r"\b(export|pub|public|protected)\b")


@dataclass(frozen=True, slots=True)
class Unused:
    """A function, class or method that nothing refers to, and *why* it is believed so."""

    symbol: Symbol
    kind: str
    line: int
    why: str


@dataclass(frozen=True, slots=True)
class Unreferred:
    """What nothing refers to, the surest first, and how many others nothing is known to refer to, by what they are."""

    unused: tuple[Unused, ...]
    left_out: Mapping[str, int]


def unreferred(known: CodeMap, facts: Mapping[str, Facts], texts: Iterable[tuple[str, str]]) -> Unreferred:
    """Return what nothing in a project refers to; *texts* are its files, and those beside that may name code."""
    return _Search(known, facts).result(texts)


class _Search:
    def __init__(self, known: CodeMap, facts: Mapping[str, Facts]) -> None:
        self._known = known
        self._facts = facts
        self._overriding: set[Symbol] = set()
        self._itself: set[Symbol] = set()
        referred: set[Symbol] = set()
        for link in known.links:
            if link.type is CodeEdge.OVERRIDES:
                self._overriding.add(link.source)
            elif link.type in _REFERRING and link.how != SHAPED:
                (self._itself if _inside(link.source, link.target) else referred).add(link.target)
        self._candidates = {
            symbol: definition
            for symbol, definition in known.symbols.items()
            if definition and symbol not in referred and definition.kind in (CLASS, INTERFACE, FUNCTION, METHOD)
        }

    def result(self, texts: Iterable[tuple[str, str]]) -> Unreferred:
        reading = Reading(self._candidates, self._known, self._facts)
        self._mentions = reading.take_in(texts)
        self._outside = Outside(self._known, self._facts, reading.ours)
        exported = [symbol for symbol in self._known.symbols if self._is_exported(symbol)]
        self._public = {base for symbol in exported for base in self._outside.line(symbol)}
        found: list[Unused] = []
        left_out: Counter[str] = Counter()
        for symbol, definition in self._candidates.items():
            if any(around in self._candidates for around in _around(symbol)):
                continue  # it is told with what it is in
            if reason := self._reason(symbol, definition):
                left_out[reason] += 1
            else:
                found.append(Unused(symbol, definition.kind, definition.line, self._why(symbol)))
        found.sort(key=lambda each: (each.why != _PRIVATE, each.symbol.path, each.line))
        return Unreferred(tuple(found), dict(left_out.most_common()))

    # ---- what is left out ------------------------------------------------------------------------------

    def _reason(self, symbol: Symbol, definition: Definition) -> str:
        """Return why something that no link leads to may be used all the same; "" where nothing speaks for it."""
        name = _last(symbol.name)
        if _TESTS.search(symbol.path) or _TESTING.match(name):
            return "tests"
        if name.startswith("_") and (name.endswith("_") or (name[1] == "_" and dialect_of(symbol.path) is not PYTHON)):
            return "called by the language"
        if definition.declared:
            return "declared without a body"
        if name in _STARTED or _READ_BY_TOOLS.search(symbol.path):
            return "entry points"
        if self._is_decorated(symbol, definition):
            return "decorated, so that something may call them"
        if symbol in self._public or name in self._mentions.exported:
            return "exported"
        return self._reason_of_class(symbol, definition, name) or self._reason_of_text(symbol, definition, name)

    def _reason_of_class(self, symbol: Symbol, definition: Definition, name: str) -> str:
        if definition.kind != METHOD:
            if definition.kind == CLASS and self._outside.takes(symbol):
                return "classes that another library, or their base, may look up"
            merged = definition.kind == INTERFACE and dialect_of(symbol.path) is SCRIPT
            return "" if not merged or self._is_public(symbol, definition) else "interfaces that may add to another"
        owner = Symbol(symbol.path, symbol.name.rpartition(".")[0])
        dialect = dialect_of(symbol.path)
        if symbol in self._overriding:
            return "overrides"
        if self._outside.asks(owner, name) or (dialect and name in dialect.common):
            return "methods that another library or the language may call"
        if self._outside.is_abstract(owner):
            return "methods that a protocol asks for"
        if name in _MADE or name == _last(owner.name):
            return "called by the language"
        if dialect is GO and name[:1].isupper():
            return "methods that another library or the language may call"
        if owner in self._public and not name.startswith("_"):
            return "exported"
        return ""

    def _reason_of_text(self, symbol: Symbol, definition: Definition, name: str) -> str:
        places = [self._mentions.names, self._mentions.attributes]
        if definition.kind == METHOD:
            places = [self._mentions.attributes, self._mentions.methods]
            if dialect_of(symbol.path) is not PYTHON:
                places.append(self._mentions.names)
        if any(self._elsewhere(symbol, definition, each[name]) for each in places if name in each):
            return "named where it is not known what is meant"
        if self._elsewhere(symbol, definition, self._mentions.strings.get(name, set())):
            return "named in a string, settings or templates"
        if self._mentions.put_together(name):
            return "may be named by a string that is put together"
        return ""

    def _elsewhere(self, symbol: Symbol, definition: Definition, places: set[tuple[str, int]]) -> bool:
        return any(path != symbol.path or not definition.line <= line <= definition.end for path, line in places)

    def _is_exported(self, symbol: Symbol) -> bool:
        """Whether a package, ``__all__`` or the file that others enter by offers a class or function."""
        if not symbol.name or "." in symbol.name:
            return False
        if symbol.name in self._mentions.exported:
            return True
        definition = self._known.symbols[symbol]
        head = self._head(symbol, definition) if definition else ""
        return bool(_ENTRANCE.search(symbol.path) and dialect_of(symbol.path) is not PYTHON and _OFFERED.search(head))

    def _is_decorated(self, symbol: Symbol, definition: Definition) -> bool:
        if dialect_of(symbol.path) is not PYTHON:
            return bool(_ANNOTATED.search(self._head(symbol, definition)))
        every = [each for each in self._facts[symbol.path].definitions if each.name == symbol.name]
        return any(_decorator(told) not in _INERT for each in every for told in each.decorators)

    def _head(self, symbol: Symbol, definition: Definition) -> str:
        return self._mentions.heads.get((symbol.path, definition.line), "")

    # ---- why it is believed ------------------------------------------------------------------------------

    def _why(self, symbol: Symbol) -> str:
        if symbol in self._itself:
            return "only it refers to itself"
        return _PUBLIC if self._is_public(symbol, self._candidates[symbol]) else _PRIVATE

    def _is_public(self, symbol: Symbol, definition: Definition) -> bool:
        """Whether code of another project could refer to it, as its language has that."""
        dialect, name = dialect_of(symbol.path), _last(symbol.name)
        head = self._head(symbol, definition).rpartition("\n")[2]
        if dialect is PYTHON:
            return not any(part.startswith("_") for part in symbol.name.split("."))
        if dialect is GO:
            return name[:1].isupper()
        if dialect is RUST or (dialect is SCRIPT and definition.kind != METHOD):
            return bool(_OFFERED.search(head))
        hidden = r"\bstatic\b" if dialect is C else r"\bprivate\b"
        return not name.startswith(("_", "#")) and not re.search(hidden, head)


_PRIVATE = "private, and nothing in the project names it"
_PUBLIC = "nothing in the project names it; code outside of it could, as it is public"


def _inside(symbol: Symbol, other: Symbol) -> bool:
    return symbol.path == other.path and f"{symbol.name}.".startswith(f"{other.name}.")


def _around(symbol: Symbol) -> Iterable[Symbol]:
    name = symbol.name.rpartition(".")[0]
    while name:
        yield Symbol(symbol.path, name)
        name = name.rpartition(".")[0]


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def _decorator(told: Expr) -> str:
    while told[0] == "c":
        told = told[1]
    return str(told[-1]) if told[0] in ("n", "a") else ""
