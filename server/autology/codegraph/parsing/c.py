"""C and C++: one grammar, as C++ has all that C has."""

from __future__ import annotations

import re

from autology.codegraph.expressions import (
    CALL,
    COLLECTION,
    EXTERNAL,
    GENERIC,
    ITEM,
    NAME,
    PATH,
    UNKNOWN,
    Expr,
    without_arguments,
)
from autology.codegraph.facts import CLASS, FUNCTION
from autology.codegraph.parsing import common
from autology.codegraph.parsing.nodes import Node, children_of, field, field_children, first_child, text
from autology.codegraph.parsing.reader import Reader, Rules, Scope

_WRAPPING = (
    "pointer_declarator",
    "reference_declarator",
    "array_declarator",
    "init_declarator",
    "attributed_declarator",
)
_CALL = re.compile(rb"\b([A-Za-z_]\w*)\s*\(")
_KEYWORDS = frozenset(("if", "while", "for", "switch", "sizeof", "return", "defined", "do"))
_CASTS = frozenset(("make_unique", "make_shared", "static_cast", "dynamic_cast", "reinterpret_cast", "const_cast"))
_MOVES = frozenset(("move", "forward", "std::move", "std::forward"))


def _include(reader: Reader, node: Node, scope: Scope) -> None:
    reader.add_import(node, Scope(), "", text(field(node, "path")).strip('"<>'))


def _namespace(reader: Reader, node: Node, scope: Scope) -> None:
    name = field(node, "name")
    reader.packages += re.findall(r"\w+", text(name))
    reader.visit(scope, field(node, "body"))


# ---- types ---------------------------------------------------------------------------------------------


def _class(reader: Reader, node: Node, scope: Scope) -> None:
    name_node, body = field(node, "name"), field(node, "body")
    if body is None:
        reader.visit(scope, name_node)
        return
    name = text(name_node).partition("<")[0].rpartition("::")[2]
    _members(reader, node, scope, name or _typedef(node), body)


def _members(reader: Reader, node: Node, scope: Scope, name: str, body: Node) -> None:
    clause = first_child(node, "base_class_clause")
    bases = [base for base in clause.named_children if base.type != "access_specifier"] if clause else []
    inner = scope
    if name:
        inner = reader.define(node, scope, name, CLASS, [reader.type(base, scope) for base in bases])
    reader.visit(inner, body)


def _typedef(node: Node) -> str:
    """Return the name of ``typedef struct { … } name``."""
    outer = node.parent
    if outer is None or outer.type != "type_definition":
        return ""
    declarator = field(outer, "declarator")
    return text(declarator) if declarator is not None and declarator.type == "type_identifier" else ""


def _enum(reader: Reader, node: Node, scope: Scope) -> None:
    body = field(node, "body")
    if body is None:
        reader.visit(scope, field(node, "name"))
        return
    name = text(field(node, "name")) or _typedef(node)
    inner = reader.define(node, scope, name, CLASS) if name else scope
    for member in body.named_children:
        for owner in dict.fromkeys((scope, inner)):
            reader.bind(owner, text(field(member, "name")), EXTERNAL)
        reader.visit(scope, field(member, "value"))


def _alias(reader: Reader, node: Node, scope: Scope) -> None:
    type_node = field(node, "type")
    name, type = _declared(field(node, "declarator") or field(node, "name"), reader.type(type_node, scope))
    if type_node is None or text(field(type_node, "name")) != name:  # typedef struct name name
        reader.bind(scope, name, type)
    reader.visit(scope, type_node)


# ---- functions and variables -----------------------------------------------------------------------------


def _declarator(node: Node | None) -> tuple[Node | None, Node | None]:
    """Return the function that a declarator declares, or None, and the node of the name."""
    function = None
    while node is not None:
        if node.type == "function_declarator":
            function = node
        elif node.type not in (*_WRAPPING, "parenthesized_declarator"):
            break
        inner = field(node, "declarator")
        if inner is None:
            children = reversed(node.named_children)
            inner = next((child for child in children if child.type.endswith(("declarator", "identifier"))), None)
        if node.type == "parenthesized_declarator" and inner is not None and inner.type == "pointer_declarator":
            return None, _declarator(inner)[1]  # a pointer to a function is a variable
        node = inner
    return function, node


def _names(node: Node | None) -> list[str]:
    """Return the names of ``a::b::c``, without template arguments."""
    names = []
    while node is not None and node.type == "qualified_identifier":
        if field(node, "scope") is not None:
            names.append(text(field(node, "scope")).partition("<")[0])
        node = field(node, "name")
    last = text(field(node, "name") if node is not None and node.type.startswith("template_") else node)
    return [*names, "".join(last.split()) if last.startswith("operator") else last.partition("<")[0]]


def _function(reader: Reader, node: Node, scope: Scope) -> None:
    function, name_node = _declarator(field(node, "declarator"))
    if function is None:
        reader.visit_rest(scope, node)
        return
    type_node = field(node, "type")
    *outer, name = _names(name_node)
    outer_scope = scope
    if outer := [part for part in outer if part not in reader.packages][-2:]:
        outer_scope = Scope.of_class(scope.qualified(".".join(outer)))
    inner = reader.function(node, outer_scope, name, reader.type(type_node, scope) if type_node else None)
    _parameters(reader, field(function, "parameters"), inner)
    for initializer in children_of(first_child(node, "field_initializer_list")):
        reader.visit_rest(inner, initializer, *initializer.named_children[:1])
    reader.visit(inner, type_node, field(node, "body"))


def _parameters(reader: Reader, parameters: Node | None, scope: Scope) -> None:
    for parameter in children_of(parameters):
        type_node = field(parameter, "type")
        name, type = _declared(field(parameter, "declarator"), reader.type(type_node, scope))
        reader.bind(scope, name, type, typed=True)
        reader.visit(scope, type_node, field(parameter, "default_value"))


def _declared(node: Node | None, type: Expr) -> tuple[str, Expr]:
    """Return the name that a declarator declares, and its type."""
    while node is not None and node.type in (*_WRAPPING, "parenthesized_declarator", "function_declarator"):
        if node.type == "array_declarator":
            type = [COLLECTION, type]
        elif node.type == "function_declarator":
            type = [GENERIC, [NAME, "Callable"], [type]]
        node = field(node, "declarator") or next(reversed(node.named_children), None)
    return text(node) if node is not None and node.type.endswith("identifier") else "", type


def _declaration(reader: Reader, node: Node, scope: Scope) -> None:
    type_node = field(node, "type")
    is_auto = type_node is not None and type_node.type == "placeholder_type_specifier"
    type = reader.type(type_node, scope)
    for declarator in node.children_by_field_name("declarator"):
        function, name_node = _declarator(declarator)
        if function is not None and (scope.owner or not scope.name):
            names = _names(name_node)
            if len(names) == 1:
                reader.function(node, scope, names[0], type if type_node else None, declared=True)
            reader.visit(scope, *(field(parameter, "type") for parameter in field_children(function, "parameters")))
            continue
        value = field(declarator, "value") if declarator.type == "init_declarator" else None
        if is_auto:
            reader.bind(scope, text(name_node), reader.value(value, scope))
        else:
            declared = _declared(name_node if function is not None else declarator, type)
            reader.bind(scope, *declared, typed=True)
        if function is not None or (value is not None and value.type in ("argument_list", "initializer_list")):
            reader.instantiate(node, scope, type)
        reader.visit(scope, value, function)
    reader.visit(scope, type_node, field(node, "default_value"))


def _loop(reader: Reader, node: Node, scope: Scope) -> None:
    type_node, value = field(node, "type"), field(node, "right")
    name, type = _declared(field(node, "declarator"), reader.type(type_node, scope))
    is_auto = type_node is not None and type_node.type == "placeholder_type_specifier"
    reader.bind(scope, name, [ITEM, reader.value(value, scope)] if is_auto else type, typed=not is_auto)
    reader.visit(scope, type_node, value, field(node, "body"))


def _lambda(reader: Reader, node: Node, scope: Scope) -> None:
    declarator = field(node, "declarator")
    _parameters(reader, field(declarator, "parameters") if declarator is not None else None, scope)
    reader.visit(scope, field(node, "captures"), field(node, "body"))


def _macro(reader: Reader, node: Node, scope: Scope) -> None:
    """``#define name(…) …``, in which whatever looks like a call counts as one."""
    inner = reader.define(node, Scope(), text(field(node, "name")), FUNCTION)
    parameters, value = field(node, "parameters"), field(node, "value")
    for parameter in children_of(parameters):
        reader.bind(inner, text(parameter), UNKNOWN)
    for match in dict.fromkeys(_CALL.findall(value.text[:10_000])) if value is not None else ():
        if (name := match.decode()) not in _KEYWORDS:
            reader.use(node, inner, [NAME, name], True)


def _new(reader: Reader, node: Node, scope: Scope) -> None:
    reader.instantiate(node, scope, reader.type(field(node, "type"), scope))
    reader.visit(scope, field(node, "arguments"))


def _qualified(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:
    names = [name for name in _names(node) if name]
    return [NAME, names[0]] if len(names) == 1 else [PATH, names]


def _qualified_type(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:
    last = node
    while last is not None and last.type == "qualified_identifier":
        last = field(last, "name")
    if last is not None and last.type == "template_type":
        return reader.type(last, scope, depth)
    return _qualified(reader, node, scope, depth)


def _result(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:
    function, arguments = field(node, "function"), field(node, "arguments")
    last = field(function, "name") if function is not None and function.type == "qualified_identifier" else function
    if last is not None and last.type == "template_function" and text(field(last, "name")) in _CASTS:
        type_arguments = field(last, "arguments")
        type = reader.type(next(iter(type_arguments.named_children), None), scope, depth) if type_arguments else UNKNOWN
        return [CALL, without_arguments(type)]
    if text(function) in _MOVES and arguments is not None and arguments.named_children:
        return reader.value(arguments.named_children[0], scope, depth)
    return [CALL, reader.value(function, scope, depth)]


def _named_type(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:
    name = text(field(node, "name")).partition("<")[0] or _typedef(node)
    return [NAME, name] if name else UNKNOWN


RULES = Rules(
    nodes={
        "preproc_include": _include,
        "preproc_function_def": _macro,
        "preproc_def": common.ignore,
        "preproc_call": common.ignore,
        "namespace_definition": _namespace,
        "using_declaration": common.ignore,
        "namespace_alias_definition": common.ignore,
        "class_specifier": _class,
        "struct_specifier": _class,
        "union_specifier": _class,
        "enum_specifier": _enum,
        "type_definition": _alias,
        "alias_declaration": _alias,
        "function_definition": _function,
        "declaration": _declaration,
        "field_declaration": _declaration,
        "parameter_declaration": lambda reader, node, scope: reader.visit(scope, field(node, "type")),
        "for_range_loop": _loop,
        "lambda_expression": _lambda,
        "call_expression": common.call(),
        "new_expression": _new,
        "field_expression": common.use_attribute("argument"),
        "qualified_identifier": common.use_path,
        "initializer_pair": common.pair,
        "labeled_statement": common.labeled,
        "goto_statement": common.ignore,
        "friend_declaration": common.ignore,
        "return_statement": common.return_value,
        "identifier": common.use_name,
        "type_identifier": common.use_name,
    },
    values={
        "identifier": common.name,
        "type_identifier": common.name,
        "field_identifier": common.name,
        "qualified_identifier": _qualified,
        "template_function": common.inner_value("name"),
        "field_expression": common.attribute("argument", "field"),
        "call_expression": _result,
        "new_expression": common.instance(),
        "cast_expression": common.instance(),
        "compound_literal_expression": common.instance(),
        "pointer_expression": common.inner_value("argument"),
        "parenthesized_expression": common.inner_value(),
        "assignment_expression": common.inner_value("right"),
        "conditional_expression": common.union("consequence", "alternative"),
        "subscript_expression": common.item("argument"),
        "this": common.this,
        **dict.fromkeys(
            ("number_literal", "string_literal", "char_literal", "true", "false", "null", "binary_expression"),
            common.external,
        ),
    },
    types={
        "type_identifier": common.name,
        "identifier": common.name,
        "qualified_identifier": _qualified_type,
        "struct_specifier": _named_type,
        "class_specifier": _named_type,
        "union_specifier": _named_type,
        "enum_specifier": _named_type,
        "template_type": common.generic_type("name", "template_argument_list"),
        "type_descriptor": common.inner_type("type"),
        "primitive_type": common.external,
        "sized_type_specifier": common.external,
    },
)  # fmt: skip
