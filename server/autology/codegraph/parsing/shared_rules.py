"""LanguageRules that many languages share: names, attributes, calls, and types around types."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from autology.codegraph import expressions as expr
from autology.codegraph.expressions import Expr, without_arguments
from autology.codegraph.facts import CLASS, INTERFACE
from autology.codegraph.parsing.reader import LanguageRules, NameScope, Reader
from autology.codegraph.parsing.syntax_nodes import Node, children_of, field, first_child, text

NodeRule = Callable[[Reader, Node, NameScope], None]
ValueRule = Callable[[Reader, Node, NameScope, int], Expr]
_OWNERS = "object operand value argument expression receiver path scope module qualifier".split()
"""The fields of what an attribute is taken from."""
_MEMBERS = "name field property method".split()
"""The fields of what is taken from it."""


# ---- nodes -----------------------------------------------------------------------------------------


def use_name(reader: Reader, node: Node, scope: NameScope) -> None:
    """A name, referred to where it stands."""
    reader.use(node, scope, [expr.NAME, text(node)], False)


def ignore(reader: Reader, node: Node, scope: NameScope) -> None:
    """Nothing of interest."""


def use_called(reader: Reader, node: Node, scope: NameScope) -> None:
    """A value that is called by being named."""
    reader.use(node, scope, reader.value(node, scope), True)


def use_attribute(owner: str) -> NodeRule:
    """An attribute of the field *owner*, referred to but not called."""

    def rule(reader: Reader, node: Node, scope: NameScope) -> None:
        reader.use(node, scope, reader.value(node, scope), False)
        reader.visit(scope, field(node, owner))

    return rule


def use_path(reader: Reader, node: Node, scope: NameScope) -> None:
    """A qualified name, referred to; what it is qualified with is referred to as well."""
    value = reader.value(node, scope)
    reader.use(node, scope, value, False)
    if value[0] in expr.REFERENCES:
        visit_callee(reader, node, scope, value)
    else:
        reader.visit_rest(scope, node)


def call(callee: str = "function") -> NodeRule:
    """A call of the field *callee*."""

    def rule(reader: Reader, node: Node, scope: NameScope) -> None:
        function, arguments = field(node, callee), field(node, "arguments")
        value = reader.value(function, scope)
        reader.use(node, scope, value, True)
        pass_callbacks(reader, arguments, value)
        visit_callee(reader, function, scope, value)
        reader.visit(scope, arguments)

    return rule


def pass_callbacks(reader: Reader, arguments: Node | None, callee: Expr) -> None:
    """Note that functions among the *arguments* of a method are likely called with elements of its object."""
    if callee[0] == expr.ATTRIBUTE:
        items: Expr = [expr.ITEM, callee[1]]
        for node in children_of(arguments):
            value = node.named_children[-1] if node.type == "argument" and node.named_children else node
            reader.callback_arguments[value.id] = items


def visit_callee(reader: Reader, callee: Node | None, scope: NameScope, value: Expr) -> None:
    """Walk what a callee is taken from; *value* is the callee's."""
    if callee is None or value[0] == expr.NAME:
        return
    if value[0] == expr.PATH:
        outer = value[1][:-1]
        if outer:
            reader.use(callee, scope, [expr.PATH, outer] if len(outer) > 1 else [expr.NAME, *outer], False)
        return
    if value[0] != expr.ATTRIBUTE:
        reader.visit(scope, callee)
        return
    owner = next((node for name in _OWNERS if (node := field(callee, name))), None)
    if owner is None:
        reader.visit_rest(scope, callee, *(field(callee, name) for name in _MEMBERS))
    else:
        reader.visit(scope, owner)


def method_call(*owners: str) -> tuple[NodeRule, ValueRule]:
    """A call of the field ``name``, taken from an object in one of *owners*, and its result."""

    def callee(reader: Reader, node: Node, scope: NameScope, depth: int) -> Expr:
        owner = next((child for name in owners if (child := field(node, name)) is not None), None)
        if owner is None:
            return reader.value(field(node, "function") or field(node, "name"), scope, depth)
        return [expr.ATTRIBUTE, reader.value(owner, scope, depth), text(field(node, "name")).lstrip("$")]

    def rule(reader: Reader, node: Node, scope: NameScope) -> None:
        value, arguments = callee(reader, node, scope, 0), field(node, "arguments")
        reader.use(node, scope, value, True)
        pass_callbacks(reader, arguments, value)
        reader.visit(scope, *(field(node, name) for name in owners), arguments)

    return rule, lambda reader, node, scope, depth: [expr.CALL, callee(reader, node, scope, depth)]


def construct(*parts: str) -> NodeRule:
    """``new Type(…)``: its constructor is called; what is used are its type arguments, and its fields *parts*."""

    def rule(reader: Reader, node: Node, scope: NameScope) -> None:
        type_node = field(node, "type")
        reader.instantiate(node, scope, reader.type(type_node, scope))
        arguments = first_child(type_node, "type_arguments", "type_argument_list") if type_node is not None else None
        reader.visit(scope, arguments, *(field(node, part) for part in parts))

    return rule


def use_whole(reader: Reader, node: Node, scope: NameScope) -> None:
    """A value or type, referred to as a whole: ``first.second.third``."""
    value = reader.value(node, scope)
    reader.use(node, scope, reader.type(node, scope) if value == expr.UNKNOWN else value, False)


def alias(reader: Reader, node: Node, scope: NameScope) -> None:
    """Another name for a type."""
    reader.bind(scope, text(field(node, "name")), reader.type(field(node, "type"), scope))
    reader.visit(scope, field(node, "type"))


def typed_name(reader: Reader, node: Node, scope: NameScope) -> None:
    """A name with its type, and perhaps a value: a field, a constant, a caught exception."""
    reader.declare(scope, node)
    reader.visit(scope, field(node, "type"), field(node, "value"), field(node, "body"))


def package(reader: Reader, node: Node, scope: NameScope) -> None:
    """The package of the file."""
    reader.packages.append(text(node.named_children[-1]))


def kind_of_type(node: Node) -> str:
    """Return whether a node that defines a type defines a class or an interface."""
    return INTERFACE if node.type.startswith(("interface", "annotation_type", "trait_item")) else CLASS


def return_value(reader: Reader, node: Node, scope: NameScope) -> None:
    """``return value``."""
    for value in node.named_children[:1]:
        reader.add_return(scope, reader.value(value, scope))
    reader.visit_rest(scope, node)


def bind_declared(reader: Reader, scope: NameScope, name: str, type_node: Node | None, value: Expr) -> None:
    """Bind a variable to its declared type, or to its value where ``var`` stands for the type."""
    if type_node is None or text(type_node) == "var":
        reader.bind(scope, name, value)
    else:
        reader.bind(scope, name, reader.type(type_node, scope), typed=True)


def for_each(variable: str, iterable: str) -> NodeRule:
    """A loop over the field *iterable* that declares the field *variable*."""

    def rule(reader: Reader, node: Node, scope: NameScope) -> None:
        type_node, values = field(node, "type"), field(node, iterable)
        bind_declared(reader, scope, text(field(node, variable)), type_node, [expr.ITEM, reader.value(values, scope)])
        reader.visit(scope, type_node, values, field(node, "body"))

    return rule


def pair(reader: Reader, node: Node, scope: NameScope) -> None:
    """``key: value``, of which only the value refers to something."""
    reader.visit(scope, field(node, "value"))


def labeled(reader: Reader, node: Node, scope: NameScope) -> None:
    """A statement after its label."""
    reader.visit(scope, *node.named_children[1:])


# ---- values ----------------------------------------------------------------------------------------


def name(reader: Reader, node: Node, scope: NameScope, depth: int) -> Expr:
    """A name."""
    return [expr.NAME, text(node)]


def external(reader: Reader, node: Node, scope: NameScope, depth: int) -> Expr:
    """Something of the language itself: a literal, a primitive type."""
    return expr.EXTERNAL


def this(reader: Reader, node: Node, scope: NameScope, depth: int) -> Expr:
    """An instance of the class around."""
    return [expr.INSTANCE, scope.enclosing] if scope.enclosing else expr.UNKNOWN


def super_(reader: Reader, node: Node, scope: NameScope, depth: int) -> Expr:
    """The bases of the class around."""
    return [expr.SUPER, scope.enclosing] if scope.enclosing else expr.UNKNOWN


def dotted_path(reader: Reader, node: Node, scope: NameScope, depth: int) -> Expr:
    """``first.second.third``."""
    return [expr.PATH, text(node).split(".")]


def attribute(owner: str, name: str) -> ValueRule:
    """``owner.name``."""

    def rule(reader: Reader, node: Node, scope: NameScope, depth: int) -> Expr:
        return [expr.ATTRIBUTE, reader.value(field(node, owner), scope, depth), text(field(node, name))]

    return rule


def call_result(callee: str = "function") -> ValueRule:
    """What a call of the field *callee*, or of the first child, returns."""
    inner = inner_value(callee)
    return lambda reader, node, scope, depth: [expr.CALL, inner(reader, node, scope, depth)]


def instance(type: str = "type") -> ValueRule:
    """An instance of a type, newly made or cast to it."""

    def rule(reader: Reader, node: Node, scope: NameScope, depth: int) -> Expr:
        of = reader.type(field(node, type), scope, depth)
        return of if of[0] == expr.COLLECTION else [expr.CALL, without_arguments(of)]

    return rule


def inner_value(name: str = "", last: bool = False) -> ValueRule:
    """The value of the field *name*, or of the first or *last* child."""

    def rule(reader: Reader, node: Node, scope: NameScope, depth: int) -> Expr:
        children = node.named_children
        inner = field(node, name) if name else children[-1 if last else 0] if children else None
        return reader.value(inner, scope, depth)

    return rule


def item(collection: str = "") -> ValueRule:
    """One element of the field *collection*, or of the first child."""
    inner = inner_value(collection)
    return lambda reader, node, scope, depth: [expr.ITEM, inner(reader, node, scope, depth)]


def collection(reader: Reader, node: Node, scope: NameScope, depth: int) -> Expr:
    """A collection of values like its first."""
    return [expr.COLLECTION, inner_value()(reader, node, scope, depth)]


def union(*names: str) -> ValueRule:
    """One of the values of several fields."""

    def rule(reader: Reader, node: Node, scope: NameScope, depth: int) -> Expr:
        return [expr.UNION, [reader.value(field(node, name), scope, depth) for name in names]]

    return rule


# ---- types -----------------------------------------------------------------------------------------


def inner_type(name: str = "", last: bool = False) -> ValueRule:
    """The type in the field *name*, or in the first or *last* child: pointers, annotations, optional types."""

    def rule(reader: Reader, node: Node, scope: NameScope, depth: int) -> Expr:
        if name:
            return reader.type(field(node, name), scope, depth)
        children = node.named_children
        return reader.type(children[-1 if last else 0] if children else None, scope, depth)

    return rule


def collection_type(element: str = "") -> ValueRule:
    """A collection of the type in the field *element*, or in the first child."""
    inner = inner_type(element)
    return lambda reader, node, scope, depth: [expr.COLLECTION, inner(reader, node, scope, depth)]


def union_type(reader: Reader, node: Node, scope: NameScope, depth: int) -> Expr:
    """One of several types."""
    return [expr.UNION, [reader.type(child, scope, depth) for child in node.named_children]]


def generic_type(base: str = "", arguments: str = "type_arguments") -> ValueRule:
    """A type with *arguments*, in a field or a child of that name; its base in a field, or in the first child."""

    def rule(reader: Reader, node: Node, scope: NameScope, depth: int) -> Expr:
        own = field(node, base) if base else next(iter(node.named_children), None)
        inner = children_of(field(node, arguments) or first_child(node, arguments))
        return [
            expr.GENERIC,
            reader.type(own, scope, depth),
            [reader.type(argument, scope, depth) for argument in inner] or [expr.UNKNOWN],
        ]

    return rule


def function_type(returns: str) -> ValueRule:
    """A function that returns the type in the field *returns*."""

    def rule(reader: Reader, node: Node, scope: NameScope, depth: int) -> Expr:
        return [expr.GENERIC, [expr.NAME, "Callable"], [reader.type(field(node, returns), scope, depth)]]

    return rule


# ---- tables ----------------------------------------------------------------------------------------

_NODES: Mapping[NodeRule, str] = {
    use_name: "identifier type_identifier",
    call(): "call_expression",
}
_VALUES: Mapping[ValueRule, str] = {
    name: "identifier",
    inner_value(): "parenthesized_expression await_expression",
    union("consequence", "alternative"): "conditional_expression ternary_expression",
    this: "this",
    external: (
        "binary_expression boolean boolean_literal char_literal character_literal class_literal"
        " decimal_floating_point_literal decimal_integer_literal encapsed_string false float float_literal"
        " hash int_literal integer integer_literal interpolated_string_expression interpreted_string_literal"
        " iota nil null null_literal number number_literal real_literal regex rune_literal simple_symbol"
        " string string_literal template_string true undefined"
    ),
    instance(): "object_creation_expression",
    collection: "array",
}
_TYPES: Mapping[ValueRule, str] = {
    name: "type_identifier",
    external: "primitive_type",
    collection_type("element"): "array_type",
    inner_type(): "parenthesized_type",
    generic_type("type"): "generic_type",
    union_type: "union_type intersection_type",
}
"""The kinds of node that mean the same in every grammar that has them."""
Rule = TypeVar("Rule")


def rules(
    nodes: Mapping[NodeRule, str], values: Mapping[ValueRule, str], types: Mapping[ValueRule, str]
) -> LanguageRules:
    """Return the rules of a language: those of all languages, and its own, each for several kinds of node."""
    return LanguageRules(
        {**_by_kind(_NODES), **_by_kind(nodes)},
        {**_by_kind(_VALUES), **_by_kind(values)},
        {**_by_kind(_TYPES), **_by_kind(types)},
    )


def _by_kind(table: Mapping[Rule, str]) -> dict[str, Rule]:
    return {kind: rule for rule, kinds in table.items() for kind in kinds.split()}
