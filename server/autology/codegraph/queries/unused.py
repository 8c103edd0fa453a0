"""Code that nothing in its project refers to; what may be referred to in a way that is not known is left out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from autology.codegraph.dialects import dialect_of
from autology.codegraph.expressions import CALL, last_name
from autology.codegraph.facts import CLASS, FUNCTION, INTERFACE, METHOD, Definition, FileFacts
from autology.codegraph.file_endings import is_python
from autology.codegraph.graph import SAME_METHODS, CodeMap, LinkType, NamedSymbol, Symbol
from autology.codegraph.queries.external_bases import ExternalBases
from autology.codegraph.queries.mentions import MentionScanner

_REFERRING = (LinkType.CALLS, LinkType.USES, LinkType.EXTENDS, LinkType.IMPLEMENTS)
_INERT_DECORATORS = frozenset(
    "property cached_property abstractproperty staticmethod classmethod contextmanager asynccontextmanager wraps"
    " lru_cache cache dataclass dataclass_transform define frozen mutable attrs s final override overload deprecated"
    " total_ordering runtime_checkable no_type_check unique".split()
)
"""Decorators that do not pass what they decorate on to something that would call it."""
_ENTRY_POINTS = frozenset("main Main init WinMain DllMain _start".split())
_CONSTRUCTORS = frozenset("constructor initialize new init".split())
_READ_BY_TOOLS = re.compile(
    r"(^|/)(conf|noxfile|tasks|fabfile|hubconf|gunicorn\.conf|locustfile|setup|dodo|conanfile)\.py\Z"
    r"|(^|/)(migrations|alembic)/|\.config\.\w+\Z"
)
_TEST_FILES = re.compile(
    r"(^|/)(tests?|testing|specs?|__tests__|fixtures)/|(^|/)(test_[^/]*|conftest|[^/]*_tests?)\.\w+\Z"
    r"|\.(test|spec)\.\w+\Z|Tests?\.(java|cs|php)\Z|_spec\.rb\Z"
)
_TEST_NAMES = re.compile(r"(test|pytest|Test)(_|[A-Z]|\Z)")
_ENTRY_FILES = re.compile(r"(^|/)(index|main|lib|mod)\.\w+\Z")
_ANNOTATED = re.compile(r"^\s*(@\w|#\[|\[\w)", re.MULTILINE)
_PUBLIC_KEYWORDS = re.compile(r"\b(export|pub|public|protected)\b")
PRIVATE = "private, and nothing in the project names it"
PUBLIC = "nothing in the project names it; code outside of it could, as it is public"
RECURSIVE = "only it refers to itself"
_BY_LANGUAGE = "called by the language"
_BY_LIBRARY = "methods that another library or the language may call"


@dataclass(frozen=True, slots=True)
class UnusedCode:
    """What is unused, the surest first, and how many symbols may be used though no reference is known, by reason."""

    unused: tuple[NamedSymbol, ...]
    left_out: Mapping[str, int]


def find_unused(graph: CodeMap, facts: Mapping[str, FileFacts], texts: Iterable[tuple[str, str]]) -> UnusedCode:
    """Return what nothing refers to; *texts* are the project's files, and others that may name code."""
    return _UnusedSearch(graph, facts).search(texts)


class _UnusedSearch:
    def __init__(self, graph: CodeMap, facts: Mapping[str, FileFacts]) -> None:
        self._graph = graph
        self._facts = facts
        self._overriding: set[Symbol] = set()
        self._recursive: set[Symbol] = set()
        referred: set[Symbol] = set()
        for link in graph.links:
            if link.type is LinkType.OVERRIDES:
                self._overriding.add(link.source)
            elif link.type in _REFERRING and link.evidence != SAME_METHODS:
                (self._recursive if _is_inside(link.source, link.target) else referred).add(link.target)
        self._candidates = {
            symbol: definition
            for symbol, definition in graph.symbols.items()
            if definition and symbol not in referred and definition.kind in (CLASS, INTERFACE, FUNCTION, METHOD)
        }

    def search(self, texts: Iterable[tuple[str, str]]) -> UnusedCode:
        scanner = MentionScanner(self._candidates, self._graph, self._facts)
        self._mentions = scanner.scan(texts)
        self._external = ExternalBases(self._graph, self._facts, scanner.is_own_import)
        exported = [symbol for symbol in self._graph.symbols if self._is_exported(symbol)]
        self._exported = {ancestor for symbol in exported for ancestor in self._external.ancestors(symbol)}
        unused: list[NamedSymbol] = []
        left_out: Counter[str] = Counter()
        for symbol, definition in self._candidates.items():
            if any(outer in self._candidates for outer in _outer_symbols(symbol)):
                continue  # the outer one stands for it
            if doubt := self._doubt(symbol, definition):
                left_out[doubt] += 1
            else:
                unused.append(NamedSymbol(symbol, definition.kind, definition.line, self._reason(symbol)))
        unused.sort(key=lambda one: (one.reason != PRIVATE, one.symbol.path, one.line))
        return UnusedCode(tuple(unused), dict(left_out.most_common()))

    # ---- what is left out ------------------------------------------------------------------------

    def _doubt(self, symbol: Symbol, definition: Definition) -> str:
        """Return why a symbol may be used though no reference is known; "" where nothing speaks for that."""
        name = symbol.last
        if _TEST_FILES.search(symbol.path) or _TEST_NAMES.match(name):
            return "tests"
        if name.startswith("_") and (name.endswith("_") or (name[1] == "_" and not is_python(symbol.path))):
            return _BY_LANGUAGE
        if definition.declared:
            return "declared without a body"
        if name in _ENTRY_POINTS or _READ_BY_TOOLS.search(symbol.path):
            return "entry points"
        if self._is_decorated(symbol, definition):
            return "decorated, so that something may call them"
        if symbol in self._exported or name in self._mentions.exported:
            return "exported"
        if definition.kind == METHOD:
            return self._doubt_of_method(symbol) or self._doubt_of_mentions(symbol, definition)
        return self._doubt_of_class(symbol, definition) or self._doubt_of_mentions(symbol, definition)

    def _doubt_of_class(self, symbol: Symbol, definition: Definition) -> str:
        if definition.kind == CLASS and self._external.may_look_up(symbol):
            return "classes that another library, or their base, may look up"
        dialect = dialect_of(symbol.path)
        merges = definition.kind == INTERFACE and dialect is not None and dialect.interfaces_merge
        return "interfaces that may add to another" if merges and not self._is_public(symbol, definition) else ""

    def _doubt_of_method(self, symbol: Symbol) -> str:
        name, owner, dialect = symbol.last, symbol.outer, dialect_of(symbol.path)
        if symbol in self._overriding:
            return "overrides"
        if self._external.may_call(owner, name) or (dialect and name in dialect.common_methods):
            return _BY_LIBRARY
        if self._external.is_abstract(owner):
            return "methods that a protocol asks for"
        if name in _CONSTRUCTORS or name == owner.last:
            return _BY_LANGUAGE
        if dialect and dialect.capitals_are_public and name[:1].isupper():
            return _BY_LIBRARY
        return "exported" if owner in self._exported and not name.startswith("_") else ""

    def _doubt_of_mentions(self, symbol: Symbol, definition: Definition) -> str:
        name, mentions = symbol.last, self._mentions
        named = [mentions.names, mentions.attributes]
        if definition.kind == METHOD:
            named = [mentions.attributes, mentions.methods]
            if not is_python(symbol.path):
                named.append(mentions.names)
        if any(_is_elsewhere(symbol, definition, locations.get(name, ())) for locations in named):
            return "named where it is not known what is meant"
        if _is_elsewhere(symbol, definition, mentions.strings.get(name, ())):
            return "named in a string, settings or templates"
        return "may be named by a string that is put together" if mentions.may_be_composed(name) else ""

    def _is_exported(self, symbol: Symbol) -> bool:
        """Whether a package, ``__all__`` or an entry file offers a class or function to other projects."""
        if not symbol.name or "." in symbol.name:
            return False
        if symbol.name in self._mentions.exported:
            return True
        if not _ENTRY_FILES.search(symbol.path) or is_python(symbol.path):
            return False
        definition = self._graph.symbols[symbol]
        return definition is not None and bool(_PUBLIC_KEYWORDS.search(self._head(symbol, definition)))

    def _is_decorated(self, symbol: Symbol, definition: Definition) -> bool:
        if not is_python(symbol.path):
            return bool(_ANNOTATED.search(self._head(symbol, definition)))
        definitions = self._facts[symbol.path].definitions
        decorators = (decorator for one in definitions if one.name == symbol.name for decorator in one.decorators)
        return any(last_name(decorator, (CALL,)) not in _INERT_DECORATORS for decorator in decorators)

    def _head(self, symbol: Symbol, definition: Definition) -> str:
        return self._mentions.heads.get((symbol.path, definition.line), "")

    # ---- why it is unused ------------------------------------------------------------------------

    def _reason(self, symbol: Symbol) -> str:
        if symbol in self._recursive:
            return RECURSIVE
        return PUBLIC if self._is_public(symbol, self._candidates[symbol]) else PRIVATE

    def _is_public(self, symbol: Symbol, definition: Definition) -> bool:
        """Whether code of another project could refer to it, by the rules of its language."""
        dialect, name = dialect_of(symbol.path), symbol.last
        head = self._head(symbol, definition).rpartition("\n")[2]
        if dialect is None or is_python(symbol.path):
            return not any(part.startswith("_") for part in symbol.name.split("."))
        if dialect.capitals_are_public:
            return name[:1].isupper()
        if definition.kind in dialect.exported_kinds:
            return bool(_PUBLIC_KEYWORDS.search(head))
        return not name.startswith(("_", "#")) and not re.search(rf"\b{dialect.hiding_keyword}\b", head)


def _is_inside(symbol: Symbol, other: Symbol) -> bool:
    return symbol.path == other.path and f"{symbol.name}.".startswith(f"{other.name}.")


def _is_elsewhere(symbol: Symbol, definition: Definition, locations: Iterable[tuple[str, int]]) -> bool:
    return any(path != symbol.path or not definition.line <= line <= definition.end for path, line in locations)


def _outer_symbols(symbol: Symbol) -> Iterator[Symbol]:
    outer = symbol.outer
    while outer.name:
        yield outer
        outer = outer.outer
