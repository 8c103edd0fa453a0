"""Rust."""

from __future__ import annotations

from collections.abc import Iterator

from autology.codegraph.expressions import (
    ATTRIBUTE,
    CALL,
    CLASS_OBJECT,
    COLLECTION,
    EXTERNAL,
    INSTANCE,
    ITEM,
    NAME,
    PATH,
    UNION,
    UNKNOWN,
    Expr,
)
from autology.codegraph.facts import CLASS, FUNCTION, INTERFACE, MODULE
from autology.codegraph.parsing import common
from autology.codegraph.parsing.nodes import Node, children_of, field, field_children, first_child, text
from autology.codegraph.parsing.reader import Reader, Rules, Scope

_TRANSPARENT = ("Some", "Ok", "Err")
"""Patterns whose inner value counts as the whole: ``Option`` and ``Result`` are transparent."""


# ---- modules -------------------------------------------------------------------------------------------


def _use(reader: Reader, node: Node, scope: Scope) -> None:
    for local, parts in _used(field(node, "argument"), ()):
        *outer, name = _from_file(reader, parts, scope)
        if not outer:
            reader.add_import(node, scope, local, name)
        elif name in ("*", "self"):
            module, last = ".".join(outer), outer[-1]
            if name == "*":
                reader.add_import(node, scope, "", module, "*")
            else:
                reader.add_import(node, scope, local if local != "self" else last, ".".join(outer[:-1]) or last, last)
        else:
            reader.add_import(node, scope, local, ".".join(outer), name)


def _from_file(reader: Reader, parts: tuple[str, ...], scope: Scope) -> tuple[str, ...]:
    """Return a path relative to the module of the file, whatever module within the file it is written in."""
    if parts[0] != "super":
        return parts
    modules = [definition.name for definition in reader.definitions if definition.kind == MODULE]
    depth = sum(f"{scope.name}.".startswith(f"{module}.") for module in modules)
    while depth and parts[0] == "super":
        parts, depth = (parts[1:] if parts[1:2] == ("super",) else ("self", *parts[1:])), depth - 1
    return parts


def _used(node: Node | None, outer: tuple[str, ...]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the names that a use declaration brings, and their paths."""
    waiting = [(node, outer)]
    while waiting:
        tree, prefix = waiting.pop()
        if tree is None:
            continue
        if tree.type == "use_list":
            waiting += [(child, prefix) for child in tree.named_children]
        elif tree.type == "scoped_use_list":
            waiting.append((field(tree, "list"), (*prefix, *_path(field(tree, "path")))))
        elif tree.type == "use_wildcard":
            yield "", (*prefix, *_path(next(iter(tree.named_children), None)), "*")
        elif tree.type == "use_as_clause":
            yield text(field(tree, "alias")), (*prefix, *_path(field(tree, "path")))
        else:
            path = (*prefix, *_path(tree))
            yield path[-1], path


def _path(node: Node | None) -> tuple[str, ...]:
    """Return the names of a path, without type arguments."""
    names: list[str] = []
    while node is not None and node.type in ("scoped_identifier", "scoped_type_identifier", "generic_type"):
        if node.type == "generic_type":
            node = field(node, "type")
            continue
        names.append(text(field(node, "name")))
        node = field(node, "path")
    return (*((text(node),) if node is not None else ()), *reversed(names))


def _module(reader: Reader, node: Node, scope: Scope) -> None:
    name, body = text(field(node, "name")), field(node, "body")
    if body is None:
        reader.add_import(node, scope, name, f"self.{name}")
    else:
        reader.visit(reader.define(node, scope, name, MODULE), body)


# ---- types and functions ---------------------------------------------------------------------------------


def _type(kind: str) -> common.NodeRule:
    def rule(reader: Reader, node: Node, scope: Scope) -> None:
        bounds = field(node, "bounds")
        bases = [reader.type(bound, scope) for bound in bounds.named_children] if bounds else []
        inner = reader.define(node, scope, text(field(node, "name")), kind, bases)
        _type_parameters(reader, node, inner)
        reader.visit(inner, field(node, "body"))

    return rule


def _variant(reader: Reader, node: Node, scope: Scope) -> None:
    reader.bind(scope, text(field(node, "name")), [INSTANCE, scope.owner])
    reader.visit(scope.block(), field(node, "body"), field(node, "value"))


def _implements(reader: Reader, node: Node, scope: Scope) -> None:
    path, trait = _path(field(node, "type")), field(node, "trait")
    name = path[-1] if path and path[-1].isidentifier() else ""
    if not name:
        reader.visit(scope, field(node, "body"))
        return
    if trait is not None:
        reader.define(node, scope, name, CLASS, [reader.type(trait, scope)], declared=True)
    inner = Scope.of_class(scope.qualified(name))
    _type_parameters(reader, node, inner)
    reader.visit(inner, field(node, "body"))


def _type_parameters(reader: Reader, node: Node, scope: Scope) -> None:
    parameters, where = field(node, "type_parameters"), first_child(node, "where_clause")
    for parameter in children_of(parameters):
        _bounded(reader, field(parameter, "name"), field(parameter, "bounds"), scope)
    for parameter in children_of(where):
        _bounded(reader, field(parameter, "left"), field(parameter, "bounds"), scope)


def _bounded(reader: Reader, name: Node | None, bounds: Node | None, scope: Scope) -> None:
    type: Expr = [UNION, [reader.type(bound, scope) for bound in bounds.named_children]] if bounds else UNKNOWN
    reader.bind(scope, text(name), type, typed=True)
    reader.visit(scope, bounds)


def _function(reader: Reader, node: Node, scope: Scope) -> None:
    returns, parameters = field(node, "return_type"), field(node, "parameters")
    type = reader.type(returns, scope) if returns else EXTERNAL
    inner = reader.function(node, scope, text(field(node, "name")), type)
    _type_parameters(reader, node, inner)
    for parameter in children_of(parameters):
        if parameter.type == "self_parameter":
            reader.bind(inner, "self", [INSTANCE, scope.owner])
        else:
            _parameter(reader, parameter, inner, UNKNOWN)
    reader.visit(inner, returns, field(node, "body"))


def _closure(reader: Reader, node: Node, scope: Scope) -> None:
    for index, parameter in enumerate(field_children(node, "parameters")):
        _parameter(reader, parameter, scope, UNKNOWN if index else reader.callback_arguments.get(node.id, UNKNOWN))
    reader.visit(scope, field(node, "body"))


def _parameter(reader: Reader, node: Node, scope: Scope, default: Expr) -> None:
    pattern, type_node = field(node, "pattern") or node, field(node, "type")
    _bind(reader, pattern, scope, reader.type(type_node, scope) if type_node else default, type_node is not None)
    reader.visit(scope, type_node)


def _macro(reader: Reader, node: Node, scope: Scope) -> None:
    reader.define(node, Scope(), text(field(node, "name")), FUNCTION)


def _bind(reader: Reader, pattern: Node | None, scope: Scope, value: Expr, typed: bool = False) -> None:
    """Bind the names of a pattern."""
    waiting = [(pattern, value, typed)]
    while waiting:
        node, value, typed = waiting.pop()
        if node is None:
            continue
        if node.type in ("identifier", "shorthand_field_identifier"):
            if not text(node)[:1].isupper():
                reader.bind(scope, text(node), value, typed)
        elif node.type == "tuple_struct_pattern":
            type = field(node, "type")
            if text(type) not in _TRANSPARENT:
                value, typed = UNKNOWN, False
            waiting += [(child, value, typed) for child in node.named_children if child != type]
        elif node.type in ("reference_pattern", "mut_pattern", "ref_pattern", "captured_pattern", "match_pattern"):
            waiting += [(child, value, typed) for child in node.named_children[:1]]
        elif node.type == "field_pattern":
            waiting.append((field(node, "pattern") or field(node, "name"), UNKNOWN, False))
        elif node.type.endswith("_pattern"):
            waiting += [(child, UNKNOWN, False) for child in node.named_children]


def _let(reader: Reader, node: Node, scope: Scope) -> None:
    type_node, value = field(node, "type"), field(node, "value")
    typed = type_node is not None and text(type_node) != "_"
    type = reader.type(type_node, scope) if typed else reader.value(value, scope)
    _bind(reader, field(node, "pattern"), scope, type, typed)
    reader.visit_rest(scope, node, field(node, "pattern"))


def _loop(reader: Reader, node: Node, scope: Scope) -> None:
    _bind(reader, field(node, "pattern"), scope, [ITEM, reader.value(field(node, "value"), scope)])
    reader.visit_rest(scope, node, field(node, "pattern"))


def _match(reader: Reader, node: Node, scope: Scope) -> None:
    value, body = field(node, "value"), field(node, "body")
    matched = reader.value(value, scope)
    arms = [child for child in body.named_children if child.type == "match_arm"] if body is not None else []
    for arm in arms:
        _bind(reader, field(arm, "pattern"), scope, matched)
    reader.visit(scope, value, *(child for arm in arms for child in (field(arm, "pattern"), field(arm, "value"))))


def _pattern(reader: Reader, node: Node, scope: Scope) -> None:
    """The variants and constants that a pattern refers to; names that it binds are not references."""
    waiting = [node]
    while waiting:
        pattern = waiting.pop()
        if pattern.type in ("scoped_identifier", "scoped_type_identifier"):
            common.use_path(reader, pattern, scope)
        elif pattern.type in ("identifier", "type_identifier"):
            if text(pattern)[:1].isupper():
                reader.use(pattern, scope, [NAME, text(pattern)], False)
        else:
            waiting += pattern.named_children


def _field(reader: Reader, node: Node, scope: Scope) -> None:
    reader.declare(scope, node)
    reader.visit(scope, field(node, "type"))


def _constant(reader: Reader, node: Node, scope: Scope) -> None:
    reader.declare(scope, node)
    reader.visit(scope, field(node, "type"), field(node, "value"))


def _alias(reader: Reader, node: Node, scope: Scope) -> None:
    reader.bind(scope, text(field(node, "name")), reader.type(field(node, "type"), scope))
    reader.visit(scope, field(node, "type"))


# ---- what is used ------------------------------------------------------------------------------------------


def _struct(reader: Reader, node: Node, scope: Scope) -> None:
    """``Store { … }``."""
    reader.use(node, scope, reader.type(field(node, "name"), scope), True)
    reader.visit(scope, field(node, "body"))


def _macro_call(reader: Reader, node: Node, scope: Scope) -> None:
    """``name!(…)``: its tokens are not parsed, so calls are recognised by their shape."""
    macro = field(node, "macro")
    reader.use(node, scope, reader.value(macro, scope), True)
    waiting = [token for token in node.children if token.type == "token_tree"]
    while waiting:
        value: Expr = UNKNOWN
        previous = ""
        for token in waiting.pop().children:
            if token.type in ("identifier", "self", "super", "crate"):
                value = _next(value, previous, text(token))
            elif token.type == "token_tree":
                waiting.append(token)
                if value != UNKNOWN and previous == "identifier" and text(token)[:1] == "(":
                    reader.use(token, scope, value, True)
                    value = [CALL, value]
                elif previous != "token_tree":
                    value = UNKNOWN
            elif token.type not in (".", "::", "?"):
                value = UNKNOWN
            previous = token.type


def _next(value: Expr, previous: str, name: str) -> Expr:
    if previous == ".":
        return [ATTRIBUTE, value, name]
    if previous == "::" and value[0] in (NAME, PATH):
        return [PATH, [*(value[1] if value[0] == PATH else [value[1]]), name]]
    return [NAME, name]


def _name(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:
    identifier = text(node)
    return [CLASS_OBJECT, scope.enclosing] if identifier == "Self" and scope.enclosing else [NAME, identifier]


def _scoped_value(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:
    outer = field(node, "path")
    if outer is not None and outer.type == "bracketed_type":
        type_node = outer.named_children[0] if outer.named_children else None
        type = field(type_node, "alias") if type_node is not None and type_node.type == "qualified_type" else type_node
        return [ATTRIBUTE, reader.type(type, scope, depth), text(field(node, "name"))]
    names = _path(node)
    if names[0] == "Self" and scope.enclosing:
        value: Expr = [CLASS_OBJECT, scope.enclosing]
        for name in names[1:]:
            value = [ATTRIBUTE, value, name]
        return value
    return [PATH, list(_from_file(reader, names, scope))]


def _macro_result(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:
    """``vec![…]`` is a collection; what another macro makes is unknown."""
    return [COLLECTION, UNKNOWN] if text(field(node, "macro")) == "vec" else UNKNOWN


def _last(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:
    return reader.value(next(reversed(node.named_children), None), scope, depth)


RULES = Rules(
    nodes={
        "use_declaration": _use,
        "mod_item": _module,
        "extern_crate_declaration": common.ignore,
        "attribute_item": common.ignore,
        "inner_attribute_item": common.ignore,
        "struct_item": _type(CLASS),
        "union_item": _type(CLASS),
        "enum_item": _type(CLASS),
        "trait_item": _type(INTERFACE),
        "enum_variant": _variant,
        "impl_item": _implements,
        "function_item": _function,
        "function_signature_item": _function,
        "closure_expression": _closure,
        "macro_definition": _macro,
        "field_declaration": _field,
        "const_item": _constant,
        "static_item": _constant,
        "type_item": _alias,
        "associated_type": common.ignore,
        "let_declaration": _let,
        "let_condition": _let,
        "for_expression": _loop,
        "match_expression": _match,
        "match_pattern": _pattern,
        "lifetime": common.ignore,
        "call_expression": common.call(),
        "field_expression": common.use_attribute("value"),
        "scoped_identifier": common.use_path,
        "scoped_type_identifier": common.use_path,
        "struct_expression": _struct,
        "field_initializer": common.pair,
        "macro_invocation": _macro_call,
        "type_binding": lambda reader, node, scope: reader.visit(scope, field(node, "type")),
        "identifier": common.use_name,
        "type_identifier": common.use_name,
    },
    values={
        "identifier": _name,
        "self": common.name,
        "type_identifier": _name,
        "scoped_identifier": _scoped_value,
        "scoped_type_identifier": _scoped_value,
        "field_expression": common.attribute("value", "field"),
        "generic_function": common.inner_value("function"),
        "call_expression": common.call_result(),
        "struct_expression": common.instance("name"),
        "try_expression": common.inner_value(),
        "await_expression": common.inner_value(),
        "parenthesized_expression": common.inner_value(),
        "reference_expression": common.inner_value("value"),
        "unary_expression": common.inner_value(),
        "index_expression": common.item(),
        "type_cast_expression": common.instance(),
        "array_expression": common.collection,
        "macro_invocation": _macro_result,
        "if_expression": common.union("consequence", "alternative"),
        "block": _last,
        **dict.fromkeys(
            ("integer_literal", "float_literal", "string_literal", "raw_string_literal", "char_literal",
             "boolean_literal", "binary_expression"), common.external,
        ),
    },
    types={
        "type_identifier": _name,
        "identifier": _name,
        "scoped_type_identifier": _scoped_value,
        "reference_type": common.inner_type("type"),
        "pointer_type": common.inner_type("type"),
        "dynamic_type": common.inner_type("trait"),
        "abstract_type": common.inner_type("trait"),
        "bounded_type": common.inner_type(),
        "generic_type": common.generic_type("type"),
        "array_type": common.collection_type("element"),
        "function_type": common.function_type("return_type"),
        "primitive_type": common.external,
        "unit_type": common.external,
        "never_type": common.external,
    },
)  # fmt: skip
