"""From a tree-sitter syntax tree to the facts of a file: one walk, by the rules of a language for each kind of node."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from autology.codegraph.expressions import NAME, REFERENCES, UNKNOWN, Expr, without_arguments
from autology.codegraph.facts import (
    FUNCTION,
    METHOD,
    MODULE,
    TYPES,
    Binding,
    Definition,
    FactsCollector,
    FileFacts,
    Import,
    Use,
)
from autology.codegraph.parsing.syntax_nodes import Node, field, text

MAX_DEPTH = 40
"""Steps of one expression that are followed; a longer one is generated."""
MAX_STEPS = 500_000
"""Steps of all expressions of one file; the longest of TypeScript's own sources, of 300 KB, takes 60,000."""


@dataclass(frozen=True, slots=True)
class NameScope:
    """A scope by its qualified *name*; the class whose body it is, if so; the innermost class around it."""

    name: str = ""
    owner: str = ""
    enclosing: str = ""

    @classmethod
    def of_class(cls, name: str) -> NameScope:
        """Return the body of the class *name*."""
        return cls(name, name, name)

    def block(self) -> NameScope:
        """Return the scope as one that is not the body of a class: functions in it are not methods."""
        return NameScope(self.name, "", self.enclosing)

    def qualified(self, name: str) -> str:
        """Return the qualified name of what is called *name* here."""
        return f"{self.name}.{name}" if self.name else name


@dataclass(frozen=True, slots=True)
class LanguageRules:
    """What to do at each kind of node of a language, and which expressions its values and types are."""

    nodes: Mapping[str, Callable[[Reader, Node, NameScope], None]]
    values: Mapping[str, Callable[[Reader, Node, NameScope, int], Expr]]
    types: Mapping[str, Callable[[Reader, Node, NameScope, int], Expr]]
    skipped: frozenset[str] = frozenset(("comment", "line_comment", "block_comment"))


class Reader(FactsCollector):
    """Walks the tree of a file without recursion, so that no nesting is too deep, and collects its facts."""

    def __init__(self, rules: LanguageRules) -> None:
        super().__init__()
        self.rules = rules
        self.callback_arguments: dict[int, Expr] = {}
        """What a function that is passed to a call is called with, by the id of its node."""
        self._steps = 0
        self._waiting: list[tuple[Node, NameScope]] = []

    def read(self, root: Node) -> FileFacts:
        """Return the facts in the tree at *root*."""
        self.visit(NameScope(), root)
        nodes, skipped = self.rules.nodes, self.rules.skipped
        while self._waiting:
            node, scope = self._waiting.pop()
            kind = node.type
            if kind in skipped:
                continue
            rule = nodes.get(kind)
            if rule is None:
                self._waiting += [(child, scope) for child in reversed(node.named_children)]
                continue
            try:
                rule(self, node, scope)
            except (AttributeError, IndexError, StopIteration, TypeError, ValueError):
                continue  # a part is missing that the grammar promises: a syntax error
        return self.facts()

    # ---- for the rules ---------------------------------------------------------------------------

    def visit(self, scope: NameScope, *nodes: Node | None) -> None:
        """Walk these nodes, too."""
        self._waiting += [(node, scope) for node in reversed(nodes) if node is not None]

    def visit_rest(self, scope: NameScope, node: Node, *without: Node | None) -> None:
        """Walk the children of *node* but those in *without*."""
        left_out = {child.id for child in without if child is not None}
        self.visit(scope, *(child for child in node.named_children if child.id not in left_out))

    def value(self, node: Node | None, scope: NameScope, depth: int = 0) -> Expr:
        """Return a value as an expression."""
        self._steps += 1
        if node is None or depth > MAX_DEPTH or self._steps > MAX_STEPS:
            return UNKNOWN
        rule = self.rules.values.get(node.type)
        return rule(self, node, scope, depth + 1) if rule else UNKNOWN

    def type(self, node: Node | None, scope: NameScope, depth: int = 0) -> Expr:
        """Return a type as an expression."""
        if node is None or depth > MAX_DEPTH:
            return UNKNOWN
        rule = self.rules.types.get(node.type)
        return rule(self, node, scope, depth + 1) if rule else UNKNOWN

    def define(
        self,
        node: Node,
        scope: NameScope,
        name: str,
        kind: str,
        bases: Iterable[Expr] = (),
        returns: Expr | None = None,
        getter: bool = False,
        declared: bool = False,
    ) -> NameScope:
        """Add a definition of *name*; return the scope of what is in it."""
        qualified = scope.qualified(name)
        decorators: tuple[Expr, ...] = ([NAME, "property"],) if getter else ()
        line, end = node.start_point[0] + 1, node.end_point[0] + 1
        self.definitions.append(Definition(qualified, kind, line, end, tuple(bases), decorators, returns, declared))
        if kind in TYPES and kind != MODULE:
            return NameScope.of_class(qualified)
        return NameScope(qualified, "", scope.enclosing)

    def function(
        self,
        node: Node,
        scope: NameScope,
        name: str,
        returns: Expr | None = None,
        getter: bool = False,
        declared: bool = False,
    ) -> NameScope:
        """Add a function, in the body of a class a method; return its scope, for an unnamed one that around it."""
        if not name:
            return scope.block()
        kind = METHOD if scope.owner else FUNCTION
        return self.define(node, scope, name, kind, (), returns, getter, declared)

    def bind(self, scope: NameScope, name: str, value: Expr, typed: bool = False, owner: str | None = None) -> None:
        """Add that *name* is bound to *value*, or is of that type."""
        if name:
            self.bindings.append(Binding(scope.name if owner is None else owner, name, value, typed, scope.name))

    def add_import(self, node: Node, scope: NameScope, local: str, module: str, name: str = "") -> None:
        """Add an import of a module, or of *name* in it."""
        self.imports.append(Import(scope.name, local, module, name, 0, node.start_point[0] + 1))

    def use(self, node: Node, scope: NameScope, value: Expr, called: bool) -> None:
        """Add a call of *value*, or a reference to it."""
        if value[0] in REFERENCES:
            self.uses.append(Use(scope.name, value, called, node.start_point[0] + 1))

    def instantiate(self, node: Node, scope: NameScope, type: Expr) -> None:
        """Add a call of the constructor of *type*."""
        self.use(node, scope, without_arguments(type), True)

    def declare(self, scope: NameScope, node: Node) -> None:
        """Add that the field ``name`` of *node* is of the type in its field ``type``."""
        self.bind(scope, text(field(node, "name")), self.type(field(node, "type"), scope), typed=True)

    def change_kind(self, name: str, kind: str) -> None:
        """Have the definition of *name* be of another *kind* after all."""
        self.definitions = [
            dataclasses.replace(definition, kind=kind) if definition.name == name else definition
            for definition in self.definitions
        ]

    def add_return(self, scope: NameScope, value: Expr) -> None:
        """Add that the function around returns *value*."""
        if scope.name:
            self.returned.append((scope.name, value))
