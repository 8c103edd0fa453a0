"""Go."""

from __future__ import annotations

import re
from collections.abc import Sequence

from autology.codegraph.expressions import ATTRIBUTE, CALL, COLLECTION, EXTERNAL, INSTANCE, ITEM, NAME, UNKNOWN, Expr
from autology.codegraph.facts import CLASS, INTERFACE
from autology.codegraph.parsing import common
from autology.codegraph.parsing.nodes import Node, children_of, field, field_children, first_child, text
from autology.codegraph.parsing.reader import Reader, Rules, Scope

_VERSION = re.compile(r"v\d+\Z")
_TYPES = {"struct_type": CLASS, "interface_type": INTERFACE}


def _package(reader: Reader, node: Node, scope: Scope) -> None:
    reader.packages.append(text(node.named_children[0]))


def _import(reader: Reader, node: Node, scope: Scope) -> None:
    module, alias = text(field(node, "path")).strip('"`'), text(field(node, "name"))
    parts = module.split("/")
    usual = parts[-2] if len(parts) > 1 and _VERSION.match(parts[-1]) else parts[-1]
    local = "" if alias in ("_", ".") else alias or usual.removeprefix("go-").removesuffix("-go").partition(".")[0]
    reader.add_import(node, scope, local, module, "*" if alias == "." else "")


def _type(reader: Reader, node: Node, scope: Scope) -> None:
    name, type_node = field(node, "name"), field(node, "type")
    kind = _TYPES.get(type_node.type, CLASS) if type_node is not None else CLASS
    bases = _embedded(reader, type_node, scope) if type_node is not None and type_node.type in _TYPES else []
    inner = reader.define(node, scope, text(name), kind, bases)
    _type_parameters(reader, node, inner)
    reader.visit(inner, type_node)


def _embedded(reader: Reader, type_node: Node, scope: Scope) -> list[Expr]:
    """Return the types whose members a struct or interface has."""
    if type_node.type == "interface_type":
        return [reader.type(member.named_children[0], scope) for member in type_node.named_children if _single(member)]
    fields = type_node.named_children[0].named_children if type_node.named_children else ()
    without = [member for member in fields if member.type == "field_declaration" and field(member, "name") is None]
    return [reader.type(field(member, "type"), scope) for member in without]


def _single(node: Node) -> bool:
    return node.type == "type_elem" and len(node.named_children) == 1


def _alias(reader: Reader, node: Node, scope: Scope) -> None:
    reader.bind(scope, text(field(node, "name")), reader.type(field(node, "type"), scope))
    reader.visit(scope, field(node, "type"))


def _type_parameters(reader: Reader, node: Node, scope: Scope) -> None:
    for parameter in field_children(node, "type_parameters"):
        constraint = field(parameter, "type")
        only = constraint.named_children[0] if constraint is not None and len(constraint.named_children) == 1 else None
        reader.bind(scope, text(field(parameter, "name")), reader.type(only, scope), typed=True)
        reader.visit(scope, constraint)


def _field(reader: Reader, node: Node, scope: Scope) -> None:
    type_node = field(node, "type")
    names = [text(identifier) for identifier in node.children_by_field_name("name")]
    for name in names or [re.split(r"[.\[]", text(type_node).split("[")[0])[-1].lstrip("*")]:
        reader.bind(scope, name, reader.type(type_node, scope), typed=True)
    reader.visit(scope, type_node)


def _function(reader: Reader, node: Node, scope: Scope) -> None:
    _add_function(reader, node, scope, text(field(node, "name")))


def _method(reader: Reader, node: Node, scope: Scope) -> None:
    receiver = first_child(field(node, "receiver"), "parameter_declaration")
    type_node = field(receiver, "type") if receiver is not None else None
    owner = text(type_node).lstrip("*").partition("[")[0].strip()
    inner = _add_function(reader, node, Scope.of_class(owner), text(field(node, "name")))
    reader.bind(inner, text(field(receiver, "name")) if receiver is not None else "", [INSTANCE, owner])


def _literal(reader: Reader, node: Node, scope: Scope) -> None:
    _add_function(reader, node, scope, "")


def _add_function(reader: Reader, node: Node, scope: Scope, name: str) -> Scope:
    result = field(node, "result")
    inner = reader.function(node, scope, name, reader.type(result, scope) if result else None)
    _type_parameters(reader, node, inner)
    results = result if result is not None and result.type == "parameter_list" else None
    for parameter in (*field_children(node, "parameters"), *children_of(results)):
        type = reader.type(field(parameter, "type"), scope)
        type = [COLLECTION, type] if parameter.type == "variadic_parameter_declaration" else type
        for identifier in parameter.children_by_field_name("name"):
            reader.bind(inner, text(identifier), type, typed=True)
        reader.visit(inner, field(parameter, "type"))
    reader.visit(inner, None if results is not None else result, field(node, "body"))
    return inner


def _assign(reader: Reader, node: Node, scope: Scope) -> None:
    """``a, b := f()`` and the like: of several results of a call, the first is known."""
    left, right = field(node, "left"), field(node, "right")
    _bind(reader, scope, children_of(left), children_of(right))
    reader.visit(scope, *(target for target in children_of(left) if target.type != "identifier"), right)


def _bind(reader: Reader, scope: Scope, names: Sequence[Node], values: Sequence[Node]) -> None:
    for index, name in enumerate(names):
        if name.type == "identifier" and text(name) != "_":
            assigned = len(names) == len(values) or not index
            value = reader.value(values[index], scope) if assigned and index < len(values) else UNKNOWN
            reader.bind(scope, text(name), value)


def _variables(reader: Reader, node: Node, scope: Scope) -> None:
    type_node, values = field(node, "type"), field(node, "value")
    names = node.children_by_field_name("name")
    if type_node is None:
        _bind(reader, scope, names, children_of(values))
    for name in names if type_node is not None else ():
        reader.bind(scope, text(name), reader.type(type_node, scope), typed=True)
    reader.visit(scope, type_node, values)


def _range(reader: Reader, node: Node, scope: Scope) -> None:
    left, right = field(node, "left"), field(node, "right")
    for index, name in enumerate(children_of(left)):
        value: Expr = [ITEM, reader.value(right, scope)] if index else EXTERNAL
        reader.bind(scope, text(name), value)
    reader.visit(scope, right)


def _switch(reader: Reader, node: Node, scope: Scope) -> None:
    """``switch x := y.(type)``: x is of the type in the case, where there is only one."""
    types = [
        type for case in node.named_children if case.type == "type_case" for type in case.children_by_field_name("type")
    ]
    for name in field_children(node, "alias"):
        reader.bind(scope, text(name), reader.type(types[0], scope) if len(types) == 1 else UNKNOWN, len(types) == 1)
    reader.visit_rest(scope, node, field(node, "alias"))


def _literal_element(reader: Reader, node: Node, scope: Scope) -> None:
    """``key: value``: a plain name as the key is that of a field."""
    key, value = field(node, "key"), field(node, "value")
    plain = key is not None and key.named_children and key.named_children[0].type == "identifier"
    reader.visit(scope, None if plain else key, value)


def _call(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:
    function, arguments = field(node, "function"), field(node, "arguments")
    if text(function) in ("new", "make") and arguments is not None and arguments.named_children:
        type = reader.type(arguments.named_children[0], scope, depth)
        return type if type[0] == COLLECTION else [CALL, type]
    if text(function) == "append" and arguments is not None and arguments.named_children:
        return reader.value(arguments.named_children[0], scope, depth)
    return [CALL, reader.value(function, scope, depth)]


def _unary(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:
    value = reader.value(field(node, "operand"), scope, depth)
    operator = text(field(node, "operator"))
    return [ITEM, value] if operator == "<-" else value if operator in ("&", "*") else EXTERNAL


def _qualified(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:
    return [ATTRIBUTE, [NAME, text(field(node, "package"))], text(field(node, "name"))]


def _qualified_use(reader: Reader, node: Node, scope: Scope) -> None:
    reader.use(node, scope, _qualified(reader, node, scope, 0), False)


def _named_type(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:
    return UNKNOWN if text(node) == "any" else [NAME, text(node)]


def _results(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:
    """Return the first of several results."""
    first = next(iter(node.named_children), None)
    return reader.type(field(first, "type") if first is not None else None, scope, depth)


RULES = Rules(
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
        "call_expression": common.call(),
        "selector_expression": common.use_attribute("operand"),
        "qualified_type": _qualified_use,
        "identifier": common.use_name,
        "type_identifier": common.use_name,
        "function_type": common.ignore,
    },
    values={
        "identifier": common.name,
        "type_identifier": common.name,
        "selector_expression": common.attribute("operand", "field"),
        "call_expression": _call,
        "composite_literal": common.instance(),
        "type_conversion_expression": common.instance(),
        "type_assertion_expression": common.instance(),
        "unary_expression": _unary,
        "parenthesized_expression": common.inner_value(),
        "index_expression": common.item("operand"),
        "slice_expression": common.inner_value("operand"),
        "type_instantiation_expression": common.inner_value("type"),
        **dict.fromkeys(
            ("int_literal", "float_literal", "interpreted_string_literal", "raw_string_literal", "rune_literal", "nil",
             "true", "false", "iota", "binary_expression"), common.external,
        ),
    },
    types={
        "type_identifier": _named_type,
        "qualified_type": _qualified,
        "pointer_type": common.inner_type(),
        "parenthesized_type": common.inner_type(),
        "slice_type": common.collection_type("element"),
        "array_type": common.collection_type("element"),
        "implicit_length_array_type": common.collection_type("element"),
        "map_type": common.collection_type("value"),
        "channel_type": common.collection_type("value"),
        "generic_type": common.generic_type("type"),
        "type_elem": common.inner_type(),
        "function_type": common.function_type("result"),
        "parameter_list": _results,
        "interface_type": lambda reader, node, scope, depth: UNKNOWN,
        "struct_type": common.external,
    },
)  # fmt: skip
