"""What a syntax tree says of a file: walked once, by what a language's grammar says of each kind of node."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from autology.model.code import FUNCTION, METHOD, MODULE, TYPES, Binding, Definition, Expr, Facts, Import, Use

DEEPEST = 40
"""Steps of one expression that are followed; what is longer was written by a program."""
STEPS = 500_000
"""Steps of all expressions of one file; the longest of TypeScript's own sources, of 300 KB, takes 60,000."""
Node = Any
"""A node of tree-sitter's, which is not here before it is installed."""
ANYTHING: Expr = ["p"]
CLOSED: Expr = ["x"]


@dataclass(frozen=True, slots=True)
class Scope:
    """Where something stands: the *name* from the file's top on, the class that it is the body of, the class around."""

    name: str = ""
    owner: str = ""
    within: str = ""

    def below(self, name: str) -> str:
        """Return the whole name of what is called *name* here."""
        return f"{self.name}.{name}" if self.name else name


@dataclass(frozen=True, slots=True)
class Grammar:
    """How a language says things: what to do at each kind of node, and what expressions and types lead to."""

    nodes: Mapping[str, Callable[[Reader, Node, Scope], None]]
    values: Mapping[str, Callable[[Reader, Node, Scope, int], Expr]]
    types: Mapping[str, Callable[[Reader, Node, Scope, int], Expr]]
    silent: frozenset[str] = frozenset(("comment", "line_comment", "block_comment"))
    """Nodes that are not looked into."""


@dataclass(slots=True)
class Reader:
    """Walks a file without going deeper itself, so that no nesting is too deep; collects what it says."""

    grammar: Grammar
    definitions: list[Definition] = field(default_factory=list)
    imports: list[Import] = field(default_factory=list)
    bindings: list[Binding] = field(default_factory=list)
    uses: list[Use] = field(default_factory=list)
    given: list[tuple[str, Expr]] = field(default_factory=list)
    packages: list[str] = field(default_factory=list)
    handed: dict[int, Expr] = field(default_factory=dict)
    """What a function that is handed to a call is called with, by its node."""
    missed: int = 0
    steps: int = 0
    _waiting: list[tuple[Node, Scope]] = field(default_factory=list)

    def read(self, root: Node) -> Facts:
        """Return what the tree at *root* says."""
        self.go(Scope(), root)
        nodes, silent = self.grammar.nodes, self.grammar.silent
        while self._waiting:
            node, scope = self._waiting.pop()
            kind = node.type
            if kind in silent:
                continue
            if act := nodes.get(kind):
                try:
                    act(self, node, scope)
                except (AttributeError, IndexError, StopIteration, TypeError, ValueError):
                    self.missed += 1  # without a part that the grammar promises: the source is broken there
            else:
                self._waiting += [(child, scope) for child in reversed(node.named_children)]
        return Facts(
            tuple(self.definitions),
            tuple(self.imports),
            tuple(self.bindings),
            tuple(self.uses),
            tuple(self.given),
            packages=tuple(dict.fromkeys(self.packages)),
        )

    # ---- for the grammars ---------------------------------------------------------------------------

    def go(self, scope: Scope, *nodes: Node | None) -> None:
        """Look at these nodes, too."""
        self._waiting += [(node, scope) for node in reversed(nodes) if node is not None]

    def rest(self, scope: Scope, node: Node, *without: Node | None) -> None:
        """Look at what is in *node*, but for some of it."""
        left_out = {each.id for each in without if each is not None}
        self.go(scope, *(child for child in node.named_children if child.id not in left_out))

    def value(self, node: Node | None, scope: Scope, depth: int = 0) -> Expr:
        """Return *node* as far as it tells what it leads to."""
        self.steps += 1
        if node is None or depth > DEEPEST or self.steps > STEPS:
            return ANYTHING
        found = self.grammar.values.get(node.type)
        return found(self, node, scope, depth + 1) if found else ANYTHING

    def typed(self, node: Node | None, scope: Scope, depth: int = 0) -> Expr:
        """Return the type that *node* tells."""
        if node is None or depth > DEEPEST:
            return ANYTHING
        found = self.grammar.types.get(node.type)
        return found(self, node, scope, depth + 1) if found else ANYTHING

    def define(
        self,
        node: Node,
        scope: Scope,
        name: str,
        kind: str,
        bases: Iterable[Expr] = (),
        returns: Expr | None = None,
        getter: bool = False,
        declared: bool = False,
    ) -> Scope:
        """Take in what *node* defines under *name*; return the scope of what is in it."""
        whole = scope.below(name)
        shown: tuple[Expr, ...] = (["n", "property"],) if getter else ()
        line, end = node.start_point[0] + 1, node.end_point[0] + 1
        self.definitions.append(Definition(whole, kind, line, end, tuple(bases), shown, returns, declared))
        inside = kind in TYPES and kind != MODULE
        return Scope(whole, whole if inside else "", whole if inside else scope.within)

    def function(
        self,
        node: Node,
        scope: Scope,
        name: str,
        returns: Expr | None = None,
        getter: bool = False,
        declared: bool = False,
    ) -> Scope:
        """Take in a function, or a method where *scope* is the body of a class; an unnamed one stays where it is."""
        if not name:
            return Scope(scope.name, "", scope.within)
        kind = METHOD if scope.owner else FUNCTION
        return self.define(node, scope, name, kind, (), returns, getter, declared)

    def bind(self, scope: Scope, name: str, value: Expr, typed: bool = False, owner: str | None = None) -> None:
        """Take in that *name* is *value* there, or of that type."""
        if name:
            self.bindings.append(Binding(scope.name if owner is None else owner, name, value, typed, scope.name))

    def bring(self, node: Node, scope: Scope, local: str, module: str, name: str = "", level: int = 0) -> None:
        """Take in an import."""
        self.imports.append(Import(scope.name, local, module, name, level, node.start_point[0] + 1))

    def use(self, node: Node, scope: Scope, value: Expr, called: bool) -> None:
        """Take in that something is called or named."""
        if value[0] in ("n", "a", "q"):
            self.uses.append(Use(scope.name, value, called, node.start_point[0] + 1))

    def turn(self, name: str, kind: str) -> None:
        """Have what is defined under *name* be of another *kind* after all."""
        self.definitions = [replace(each, kind=kind) if each.name == name else each for each in self.definitions]

    def gives(self, scope: Scope, value: Expr) -> None:
        """Take in that the function around gives *value*."""
        if scope.name:
            self.given.append((scope.name, value))


def text(node: Node | None) -> str:
    """Return what is written there."""
    return node.text.decode("utf-8", "replace") if node is not None else ""


def child(node: Node, *kinds: str) -> Node | None:
    """Return the first that is of one of *kinds* in *node*."""
    return next((each for each in node.named_children if each.type in kinds), None)


def parts(node: Node, name: str) -> list[Node]:
    """Return what stands in what *node* has as its *name*."""
    found = part(node, name)
    return found.named_children if found is not None else []


def part(node: Node, name: str) -> Node | None:
    """Return what *node* has as its *name*."""
    return node.child_by_field_name(name)
