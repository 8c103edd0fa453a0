"""Java."""

from __future__ import annotations

from autology.languages import roles
from autology.languages.reader import ANYTHING, Grammar, Node, Reader, Scope, child, part, parts, text
from autology.model.code import CLASS, INTERFACE, Expr


def _package(reader: Reader, node: Node, scope: Scope) -> None:  # noqa: ARG001 - as the others
    reader.packages.append(text(node.named_children[-1]))


def _import(reader: Reader, node: Node, scope: Scope) -> None:
    whole = text(child(node, "scoped_identifier", "identifier"))
    if child(node, "asterisk"):
        reader.bring(node, scope, "", whole, "*")
    else:
        module, _, name = whole.rpartition(".")
        reader.bring(node, scope, name, module, name)


def _type(kind: str) -> roles.Act:
    def act(reader: Reader, node: Node, scope: Scope) -> None:
        named = [part(node, "superclass"), part(node, "interfaces"), child(node, "extends_interfaces")]
        lists = [each for part in named if part for each in part.named_children]
        told = [one for each in lists for one in (each.named_children if each.type == "type_list" else (each,))]
        inside = reader.define(
            node, scope, text(part(node, "name")), kind, [reader.typed(each, scope) for each in told]
        )
        _parameters_of_type(reader, node, inside)
        for each in parts(node, "parameters"):
            reader.bind(inside, text(part(each, "name")), reader.typed(part(each, "type"), scope), typed=True)
        arguments = [one for each in told if each.type == "generic_type" for one in each.named_children[1:]]
        reader.go(inside, child(node, "modifiers"), *arguments, part(node, "body"))

    return act


def _parameters_of_type(reader: Reader, node: Node, scope: Scope) -> None:
    told = part(node, "type_parameters")
    for each in told.named_children if told else ():
        limit = child(each, "type_bound")
        bound = reader.typed(limit.named_children[0], scope) if limit else ANYTHING
        reader.bind(scope, text(each.named_children[0]), bound, typed=True)
        reader.go(scope, limit)


def _constant(reader: Reader, node: Node, scope: Scope) -> None:
    """A constant of an enumeration."""
    reader.bind(scope, text(part(node, "name")), ["o", scope.owner])
    reader.go(Scope(scope.name, "", scope.within), part(node, "arguments"), part(node, "body"))


def _method(reader: Reader, node: Node, scope: Scope) -> None:
    told = part(node, "type")
    inside = reader.function(node, scope, text(part(node, "name")), reader.typed(told, scope) if told else None)
    _parameters_of_type(reader, node, inside)
    _parameters(reader, part(node, "parameters"), inside, ANYTHING)
    reader.go(inside, child(node, "modifiers"), told, part(node, "body"))


def _parameters(reader: Reader, given: Node | None, scope: Scope, usual: Expr) -> None:
    for at, each in enumerate(given.named_children if given else ()):
        if each.type == "identifier":  # of a lambda
            reader.bind(scope, text(each), ANYTHING if at else usual)
        elif each.type == "formal_parameter":
            _typed(reader, each, scope)
        elif each.type == "spread_parameter":
            told = next(iter(c for c in each.named_children if c.type != "modifiers"), None)
            own = child(each, "variable_declarator")
            reader.bind(scope, text(part(own, "name")) if own else "", ["l", reader.typed(told, scope)], typed=True)
            reader.go(scope, told)


def _typed(reader: Reader, node: Node, scope: Scope) -> None:
    """A name with its type, and what it is made of: a parameter, a resource, a pattern."""
    told, value = part(node, "type") or child(node, "catch_type") or part(node, "right"), part(node, "value")
    own = part(node, "name")
    _bind(reader, scope, text(own), told, reader.value(value, scope))
    reader.rest(scope, node, own)


def _bind(reader: Reader, scope: Scope, name: str, told: Node | None, value: Expr) -> None:
    if told is None or text(told) == "var":
        reader.bind(scope, name, value)
    else:
        reader.bind(scope, name, reader.typed(told, scope), typed=True)


def _variables(reader: Reader, node: Node, scope: Scope) -> None:
    told = part(node, "type")
    for each in node.children_by_field_name("declarator"):
        _bind(reader, scope, text(part(each, "name")), told, reader.value(part(each, "value"), scope))
        reader.go(scope, part(each, "value"))
    reader.go(scope, child(node, "modifiers"), told)


def _loop(reader: Reader, node: Node, scope: Scope) -> None:
    told, value = part(node, "type"), part(node, "value")
    _bind(reader, scope, text(part(node, "name")), told, ["i", reader.value(value, scope)])
    reader.go(scope, told, value, part(node, "body"))


def _lambda(reader: Reader, node: Node, scope: Scope) -> None:
    given = part(node, "parameters")
    usual = reader.handed.get(node.id, ANYTHING)
    if given is not None and given.type == "identifier":
        reader.bind(scope, text(given), usual)
    else:
        _parameters(reader, given, scope, usual)
    reader.go(scope, part(node, "body"))


def _call(reader: Reader, node: Node, scope: Scope) -> None:
    value, owner, given = _called(reader, node, scope, 0), part(node, "object"), part(node, "arguments")
    reader.use(node, scope, value, True)
    roles.hand(reader, given, value)
    reader.go(scope, owner, given)


def _called(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:
    owner, name = part(node, "object"), text(part(node, "name"))
    return ["n", name] if owner is None else ["a", reader.value(owner, scope, depth), name]


def _result(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:
    return ["c", _called(reader, node, scope, depth)]


def _new(reader: Reader, node: Node, scope: Scope) -> None:
    told = part(node, "type")
    made = reader.typed(told, scope)
    reader.use(node, scope, made[1] if made[0] == "g" else made, True)
    arguments = child(told, "type_arguments") if told is not None else None
    body = child(node, "class_body")
    reader.go(scope, arguments, part(node, "arguments"))
    reader.go(Scope(scope.name, "", scope.within), body)


def _reference(reader: Reader, node: Node, scope: Scope) -> None:
    """``Owner::method``."""
    parts = node.named_children
    if len(parts) == 2:
        reader.use(node, scope, ["a", reader.value(parts[0], scope), text(parts[1])], False)
    reader.go(scope, *parts[:1])


def _this(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:  # noqa: ARG001 - as the others
    return ["o" if node.type == "this" else "s", scope.within] if scope.within else ANYTHING


def _path(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:  # noqa: ARG001 - as the others
    return ["q", text(node).split(".")]


def _path_use(reader: Reader, node: Node, scope: Scope) -> None:
    reader.use(node, scope, _path(reader, node, scope, 0), False)


GRAMMAR = Grammar(
    nodes={
        "package_declaration": _package,
        "import_declaration": _import,
        "class_declaration": _type(CLASS),
        "enum_declaration": _type(CLASS),
        "record_declaration": _type(CLASS),
        "interface_declaration": _type(INTERFACE),
        "annotation_type_declaration": _type(INTERFACE),
        "enum_constant": _constant,
        "method_declaration": _method,
        "constructor_declaration": _method,
        "compact_constructor_declaration": _method,
        "field_declaration": _variables,
        "constant_declaration": _variables,
        "local_variable_declaration": _variables,
        "catch_formal_parameter": _typed,
        "resource": _typed,
        "type_pattern": _typed,
        "instanceof_expression": _typed,
        "enhanced_for_statement": _loop,
        "lambda_expression": _lambda,
        "method_invocation": _call,
        "object_creation_expression": _new,
        "method_reference": _reference,
        "field_access": roles.member("object"),
        "scoped_type_identifier": _path_use,
        "labeled_statement": lambda reader, node, scope: reader.go(scope, *node.named_children[1:]),
        "break_statement": roles.nothing,
        "continue_statement": roles.nothing,
        "element_value_pair": lambda reader, node, scope: reader.go(scope, part(node, "value")),
        "return_statement": roles.gives,
        "identifier": roles.named,
        "type_identifier": roles.named,
    },
    values={
        "identifier": roles.name,
        "type_identifier": roles.name,
        "field_access": roles.of("object", "field"),
        "method_invocation": _result,
        "object_creation_expression": roles.made(),
        "cast_expression": roles.made(),
        "parenthesized_expression": roles.inner(),
        "assignment_expression": roles.inner("right"),
        "array_access": roles.element("array"),
        "ternary_expression": roles.either("consequence", "alternative"),
        "this": _this,
        "super": _this,
        **dict.fromkeys(
            ("string_literal", "decimal_integer_literal", "character_literal", "true", "false", "null_literal",
             "binary_expression", "decimal_floating_point_literal", "class_literal"), roles.closed,
        ),
    },
    types={
        "type_identifier": roles.name,
        "scoped_type_identifier": _path,
        "generic_type": roles.generic(),
        "array_type": roles.many("element"),
        "catch_type": roles.one_of,
        "annotated_type": roles.within(last=True),
        "wildcard": roles.within(last=True),
        **dict.fromkeys(("integral_type", "floating_point_type", "boolean_type", "void_type"), roles.closed),
    },
)  # fmt: skip
