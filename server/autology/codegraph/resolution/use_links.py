"""The calls and references in each file: what they lead to, or between how many definitions they are ambiguous."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from autology.codegraph.dialects import Dialect
from autology.codegraph.expressions import ATTRIBUTE, NAME, Expr
from autology.codegraph.facts import METHOD, TYPES, Definition, FileFacts, Use
from autology.codegraph.graph import UNIQUE_NAME, AmbiguousCall, CodeLink, LinkType, Symbol
from autology.codegraph.resolver_base import SourceModule
from autology.codegraph.resolution.evaluation import Evaluator, is_property
from autology.codegraph.resolution.structure_links import evidence
from autology.codegraph.resolution.values import EXTERNAL, External, Instance, SymbolReference


class UseLinks:
    """Leads calls and references to the *definitions* of a project."""

    def __init__(self, evaluator: Evaluator, definitions: Iterable[tuple[Symbol, Definition]]) -> None:
        self._evaluator, self._index, self._classes = evaluator, evaluator.index, evaluator.classes
        self._ambiguous: list[AmbiguousCall] = []
        self._methods: dict[tuple[Dialect, str], list[Symbol]] = defaultdict(list)
        self._functions: dict[tuple[Dialect, str], list[Symbol]] = defaultdict(list)
        for symbol, definition in definitions:
            if definition.kind not in TYPES and not definition.declared:
                callables = self._methods if definition.kind == METHOD else self._functions
                callables[self._index.dialect(symbol.path), symbol.last].append(symbol)

    def uses(self, path: str) -> tuple[set[CodeLink], list[AmbiguousCall]]:
        """Return the calls and references in the file at *path*, and its calls that stay ambiguous."""
        self._ambiguous = []
        file = self._index.files.get(path)
        uses = file.facts.uses if file else ()
        return {link for use in uses for link in self._links(path, use)}, self._ambiguous

    def replace(self, path: str, facts: FileFacts) -> None:
        """Take new facts of a file, whose definitions and imports are those of before."""
        if path in self._index.files:  # a manifest is not
            self._index.replace(path, facts)

    def _links(self, path: str, use: Use) -> Iterator[CodeLink]:
        source = self._classes.canonical(Symbol(path, use.user or use.scope))
        target = self._target(use.value, path, use.scope)
        if isinstance(target, Symbol):
            called = (use.called or self._reads_property(use.value, target)) and not self._converts(target)
            yield from self._link(source, target, called, use.line, evidence(source, target))
        elif target is None and use.called:
            yield from self._by_unique_name(source, use)

    def _link(self, source: Symbol, target: Symbol, called: bool, line: int, evidence: str) -> Iterator[CodeLink]:
        if target != source or called:
            yield CodeLink(source, LinkType.CALLS if called else LinkType.USES, target, line, evidence)

    def _target(self, value: Expr, path: str, scope: str) -> Symbol | External | None:
        """Return the definition that is called or used; EXTERNAL for another thing, None where it is unknown."""
        try:
            return self._resolve(value, path, scope)
        except RecursionError:  # generated code
            return None

    def _resolve(self, expression: Expr, path: str, scope: str) -> Symbol | External | None:
        evaluator = self._evaluator
        if expression[0] == ATTRIBUTE:
            owner = evaluator.value(expression[1], path, scope)
            if isinstance(owner, Instance) and (member := self._classes.member(owner.symbol, expression[2])):
                return member
            value = evaluator.attribute(owner, expression[2])
        else:
            value = evaluator.value(expression, path, scope)
            if value is None and expression[0] == NAME and evaluator.is_bound(path, scope, expression[1]):
                return EXTERNAL  # a parameter or another local variable
        if isinstance(value, SymbolReference):
            return value.symbol
        if isinstance(value, SourceModule) and self._index.dialect(path).modules_are_callable:
            exported = evaluator.attribute(value, "default")  # CommonJS: what the module exports as itself
            return exported.symbol if isinstance(exported, SymbolReference) else EXTERNAL
        if isinstance(value, Instance):  # calling an instance calls its __call__
            return self._classes.member(value.symbol, "__call__") or EXTERNAL
        return None if value is None else EXTERNAL

    def _reads_property(self, value: Expr, target: Symbol) -> bool:
        """Whether *target* is a property, which is called by being read."""
        definition = self._index.definition(target)
        return definition is not None and value[0] == ATTRIBUTE and is_property(definition)

    def _converts(self, target: Symbol) -> bool:
        """Whether what looks like a call converts a value to a type."""
        return self._index.dialect(target.path).calls_convert and self._index.is_class(target)

    def _by_unique_name(self, source: Symbol, use: Use) -> Iterator[CodeLink]:
        """Lead a call of something unknown to the only definition of that name; of several, it stays ambiguous."""
        kind, name, dialect = use.value[0], use.value[-1], self._index.dialect(source.path)
        if kind == ATTRIBUTE and name not in dialect.common_methods:
            candidates = self._methods.get((dialect, name), [])
        elif kind == NAME and name not in dialect.builtins:
            candidates = self._functions.get((dialect, name), [])
        else:
            return
        if len(candidates) == 1:
            yield from self._link(source, candidates[0], True, use.line, UNIQUE_NAME)
        elif candidates:
            self._ambiguous.append(AmbiguousCall(source, name, use.line, len(candidates)))
