"""Go."""

from __future__ import annotations

import re
from collections.abc import Sequence

from autology.languages import roles
from autology.languages.reader import ANYTHING, Grammar, Node, Reader, Scope, child, part, text
from autology.model.code import CLASS, INTERFACE, Expr

_VERSION = re.compile(r"v\d+\Z")
_TYPES = {"struct_type": CLASS, "interface_type": INTERFACE}


def _package(reader: Reader, node: Node, scope: Scope) -> None:  # noqa: ARG001 - as the others
    reader.packages.append(text(node.named_children[0]))


def _import(reader: Reader, node: Node, scope: Scope) -> None:
    module, alias = text(part(node, "path")).strip('"`'), text(part(node, "name"))
    parts = module.split("/")
    usual = parts[-2] if len(parts) > 1 and _VERSION.match(parts[-1]) else parts[-1]
    local = "" if alias in ("_", ".") else alias or usual.removeprefix("go-").removesuffix("-go").partition(".")[0]
    reader.bring(node, scope, local, module, "*" if alias == "." else "")


def _type(reader: Reader, node: Node, scope: Scope) -> None:
    own, told = part(node, "name"), part(node, "type")
    kind = _TYPES.get(told.type, CLASS) if told is not None else CLASS
    bases = _embedded(reader, told, scope) if told is not None and told.type in _TYPES else []
    inside = reader.define(node, scope, text(own), kind, bases)
    _type_parameters(reader, node, inside)
    reader.go(inside, told)


def _embedded(reader: Reader, told: Node, scope: Scope) -> list[Expr]:
    """The types that a struct or interface has the members of."""
    if told.type == "interface_type":
        return [reader.typed(each.named_children[0], scope) for each in told.named_children if _single(each)]
    fields = told.named_children[0].named_children if told.named_children else ()
    without = [each for each in fields if each.type == "field_declaration" and part(each, "name") is None]
    return [reader.typed(part(each, "type"), scope) for each in without]


def _single(node: Node) -> bool:
    return node.type == "type_elem" and len(node.named_children) == 1


def _alias(reader: Reader, node: Node, scope: Scope) -> None:
    reader.bind(scope, text(part(node, "name")), reader.typed(part(node, "type"), scope))
    reader.go(scope, part(node, "type"))


def _type_parameters(reader: Reader, node: Node, scope: Scope) -> None:
    told = part(node, "type_parameters")
    for each in told.named_children if told else ():
        limit = part(each, "type")
        only = limit.named_children[0] if limit is not None and len(limit.named_children) == 1 else None
        reader.bind(scope, text(part(each, "name")), reader.typed(only, scope), typed=True)
        reader.go(scope, limit)


def _field(reader: Reader, node: Node, scope: Scope) -> None:
    told = part(node, "type")
    names = [text(each) for each in node.children_by_field_name("name")]
    for name in names or [re.split(r"[.\[]", text(told).split("[")[0])[-1].lstrip("*")]:
        reader.bind(scope, name, reader.typed(told, scope), typed=True)
    reader.go(scope, told)


def _function(reader: Reader, node: Node, scope: Scope) -> None:
    _into(reader, node, scope, text(part(node, "name")))


def _method(reader: Reader, node: Node, scope: Scope) -> None:  # noqa: ARG001 - it stands at the file's top
    receiver = child(part(node, "receiver"), "parameter_declaration")
    told = part(receiver, "type") if receiver is not None else None
    owner = text(told).lstrip("*").partition("[")[0].strip()
    inside = _into(reader, node, Scope(owner, owner, owner), text(part(node, "name")))
    reader.bind(inside, text(part(receiver, "name")) if receiver is not None else "", ["o", owner])


def _literal(reader: Reader, node: Node, scope: Scope) -> None:
    _into(reader, node, scope, "")


def _into(reader: Reader, node: Node, scope: Scope, name: str) -> Scope:
    result = part(node, "result")
    inside = reader.function(node, scope, name, reader.typed(result, scope) if result else None)
    _type_parameters(reader, node, inside)
    for given in (part(node, "parameters"), result if result is not None and result.type == "parameter_list" else None):
        for each in given.named_children if given else ():
            told = reader.typed(part(each, "type"), scope)
            told = ["l", told] if each.type == "variadic_parameter_declaration" else told
            for one in each.children_by_field_name("name"):
                reader.bind(inside, text(one), told, typed=True)
            reader.go(inside, part(each, "type"))
    reader.go(inside, result if result is not None and result.type != "parameter_list" else None, part(node, "body"))
    return inside


def _assign(reader: Reader, node: Node, scope: Scope) -> None:
    """``a, b := f()`` and the like: of what a call gives, the first is known."""
    left, right = part(node, "left"), part(node, "right")
    _bind(reader, scope, left.named_children if left else (), right.named_children if right else ())
    reader.go(scope, *(each for each in (left.named_children if left else ()) if each.type != "identifier"), right)


def _bind(reader: Reader, scope: Scope, names: Sequence[Node], values: Sequence[Node]) -> None:
    for at, name in enumerate(names):
        if name.type == "identifier" and text(name) != "_":
            same = len(names) == len(values) or not at
            value = reader.value(values[at], scope) if same and at < len(values) else ANYTHING
            reader.bind(scope, text(name), value)


def _variables(reader: Reader, node: Node, scope: Scope) -> None:
    told, given = part(node, "type"), part(node, "value")
    names = node.children_by_field_name("name")
    if told is None:
        _bind(reader, scope, names, given.named_children if given else ())
    for name in names if told is not None else ():
        reader.bind(scope, text(name), reader.typed(told, scope), typed=True)
    reader.go(scope, told, given)


def _range(reader: Reader, node: Node, scope: Scope) -> None:
    left, right = part(node, "left"), part(node, "right")
    for at, name in enumerate(left.named_children if left else ()):
        value: Expr = ["i", reader.value(right, scope)] if at else ["x"]
        reader.bind(scope, text(name), value)
    reader.go(scope, right)


def _switch(reader: Reader, node: Node, scope: Scope) -> None:
    """``switch x := y.(type)``: what x is, where only one type is asked for."""
    told = [
        each for case in node.named_children if case.type == "type_case" for each in case.children_by_field_name("type")
    ]
    alias = part(node, "alias")
    for name in alias.named_children if alias else ():
        reader.bind(scope, text(name), reader.typed(told[0], scope) if len(told) == 1 else ANYTHING, len(told) == 1)
    reader.rest(scope, node, alias)


def _literal_element(reader: Reader, node: Node, scope: Scope) -> None:
    """``key: value``: a plain name is a field's."""
    key, value = part(node, "key"), part(node, "value")
    plain = key is not None and key.named_children and key.named_children[0].type == "identifier"
    reader.go(scope, None if plain else key, value)


def _call(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:
    function, given = part(node, "function"), part(node, "arguments")
    if text(function) in ("new", "make") and given is not None and given.named_children:
        told = reader.typed(given.named_children[0], scope, depth)
        return told if told[0] == "l" else ["c", told]
    if text(function) == "append" and given is not None and given.named_children:
        return reader.value(given.named_children[0], scope, depth)
    return ["c", reader.value(function, scope, depth)]


def _unary(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:
    told = reader.value(part(node, "operand"), scope, depth)
    operator = text(part(node, "operator"))
    return ["i", told] if operator == "<-" else told if operator in ("&", "*") else ["x"]


def _qualified(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:  # noqa: ARG001 - as the others
    return ["a", ["n", text(part(node, "package"))], text(part(node, "name"))]


def _qualified_use(reader: Reader, node: Node, scope: Scope) -> None:
    reader.use(node, scope, _qualified(reader, node, scope, 0), False)


def _named_type(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:  # noqa: ARG001 - as the others
    return ANYTHING if text(node) == "any" else ["n", text(node)]


def _callable(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:
    return ["g", ["n", "Callable"], [reader.typed(part(node, "result"), scope, depth)]]


def _results(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:
    """Of several results the first."""
    first = next(iter(node.named_children), None)
    return reader.typed(part(first, "type") if first is not None else None, scope, depth)


GRAMMAR = Grammar(
    nodes={
        "package_clause": _package,
        "import_spec": _import,
        "type_spec": _type,
        "type_alias": _alias,
        "field_declaration": _field,
        "function_declaration": _function,
        "method_declaration": _method,
        "method_elem": _function,
        "func_literal": _literal,
        "short_var_declaration": _assign,
        "assignment_statement": _assign,
        "var_spec": _variables,
        "const_spec": _variables,
        "range_clause": _range,
        "type_switch_statement": _switch,
        "keyed_element": _literal_element,
        "call_expression": roles.call(),
        "selector_expression": roles.member("operand"),
        "qualified_type": _qualified_use,
        "identifier": roles.named,
        "type_identifier": roles.named,
        "function_type": roles.nothing,
    },
    values={
        "identifier": roles.name,
        "type_identifier": roles.name,
        "selector_expression": roles.of("operand", "field"),
        "call_expression": _call,
        "composite_literal": roles.made(),
        "type_conversion_expression": roles.made(),
        "type_assertion_expression": roles.made(),
        "unary_expression": _unary,
        "parenthesized_expression": roles.inner(),
        "index_expression": roles.element("operand"),
        "slice_expression": roles.inner("operand"),
        "type_instantiation_expression": roles.inner("type"),
        **dict.fromkeys(
            ("int_literal", "float_literal", "interpreted_string_literal", "raw_string_literal", "rune_literal", "nil",
             "true", "false", "iota", "binary_expression"), roles.closed,
        ),
    },
    types={
        "type_identifier": _named_type,
        "qualified_type": _qualified,
        "pointer_type": roles.within(),
        "parenthesized_type": roles.within(),
        "slice_type": roles.many("element"),
        "array_type": roles.many("element"),
        "implicit_length_array_type": roles.many("element"),
        "map_type": roles.many("value"),
        "channel_type": roles.many("value"),
        "generic_type": roles.generic("type"),
        "type_elem": roles.within(),
        "function_type": _callable,
        "parameter_list": _results,
        "interface_type": lambda reader, node, scope, depth: ANYTHING,  # noqa: ARG005
        "struct_type": roles.closed,
    },
)  # fmt: skip
