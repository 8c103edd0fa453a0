"""C#."""

from __future__ import annotations

from autology.languages import roles
from autology.languages.reader import ANYTHING, Grammar, Node, Reader, Scope, child, part, parts, text
from autology.model.code import CLASS, INTERFACE, Expr


def _using(reader: Reader, node: Node, scope: Scope) -> None:
    alias, told = part(node, "name"), text(node.named_children[-1])
    if alias is not None:
        module, _, name = told.rpartition(".")
        reader.bring(node, scope, text(alias), module or told, name)
    else:
        reader.bring(node, Scope(), "", told, "*")


def _namespace(reader: Reader, node: Node, scope: Scope) -> None:
    reader.packages.append(text(part(node, "name")))
    reader.go(scope, part(node, "body"))


def _type(kind: str) -> roles.Act:
    def act(reader: Reader, node: Node, scope: Scope) -> None:
        bases, given = child(node, "base_list"), child(node, "parameter_list")
        told = [each for each in bases.named_children if each.type != "argument_list"] if bases else []
        own = part(node, "name")
        inside = reader.define(node, scope, text(own), kind, [reader.typed(each, scope) for each in told])
        for each in given.named_children if given else ():
            reader.bind(inside, text(part(each, "name")), reader.typed(part(each, "type"), scope), typed=True)
        limits = [each for each in node.named_children if each.type == "type_parameter_constraints_clause"]
        for each in limits:
            limit = child(each, "type_parameter_constraint")
            reader.bind(inside, text(each.named_children[0]), reader.typed(part(limit, "type"), scope), typed=True)
        lists = [each for each in node.named_children if each.type == "attribute_list"]
        reader.go(inside, *lists, *(one for each in told for one in each.named_children[1:]), part(node, "body"))

    return act


def _enum(reader: Reader, node: Node, scope: Scope) -> None:
    inside = reader.define(node, scope, text(part(node, "name")), CLASS)
    for each in parts(node, "body"):
        reader.bind(inside, text(part(each, "name")), ["x"])


def _method(reader: Reader, node: Node, scope: Scope) -> None:
    told = part(node, "returns") or part(node, "type")
    inside = reader.function(node, scope, text(part(node, "name")), reader.typed(told, scope) if told else None)
    _parameters(reader, part(node, "parameters"), inside, ANYTHING)
    lists = [each for each in node.named_children if each.type in ("attribute_list", "constructor_initializer")]
    reader.go(inside, told, *lists, part(node, "body"), child(node, "arrow_expression_clause"))


def _parameters(reader: Reader, given: Node | None, scope: Scope, usual: Expr) -> None:
    for at, each in enumerate(given.named_children if given else ()):
        if each.type in ("identifier", "implicit_parameter"):
            reader.bind(scope, text(each), ANYTHING if at else usual)
            continue
        told = part(each, "type")
        known = reader.typed(told, scope) if told else ANYTHING if at else usual
        reader.bind(scope, text(part(each, "name")), known, typed=told is not None)
        reader.rest(scope, each, part(each, "name"))


def _property(reader: Reader, node: Node, scope: Scope) -> None:
    told, own, value = part(node, "type"), text(part(node, "name")), part(node, "value")
    accessors = part(node, "accessors")
    bodies = [each for each in accessors.named_children if part(each, "body") is not None] if accessors else []
    if bodies or (value is not None and value.type == "arrow_expression_clause"):
        inside = reader.define(node, scope, own, "method", returns=reader.typed(told, scope), getter=True)
        reader.go(Scope(inside.name, "", scope.within), told, value, *bodies)
        return
    reader.bind(scope, own, reader.typed(told, scope), typed=True)
    reader.go(scope, told, value)


def _variables(reader: Reader, node: Node, scope: Scope) -> None:
    told = part(node, "type")
    for each in node.named_children:
        if each.type == "variable_declarator":
            own = part(each, "name")
            value = next((c for c in reversed(each.named_children) if c != own), None)
            _bind(reader, scope, text(own), told, reader.value(value, scope))
            if value is not None and value.type == "implicit_object_creation_expression":
                made = reader.typed(told, scope)
                reader.use(each, scope, made[1] if made[0] == "g" else made, True)
            reader.go(scope, value)
    reader.go(scope, told)


def _bind(reader: Reader, scope: Scope, name: str, told: Node | None, value: Expr) -> None:
    if told is None or told.type == "implicit_type":
        reader.bind(scope, name, value)
    else:
        reader.bind(scope, name, reader.typed(told, scope), typed=True)


def _loop(reader: Reader, node: Node, scope: Scope) -> None:
    told, value = part(node, "type"), part(node, "right")
    _bind(reader, scope, text(part(node, "left")), told, ["i", reader.value(value, scope)])
    reader.go(scope, told, value, part(node, "body"))


def _typed(reader: Reader, node: Node, scope: Scope) -> None:
    """A name with its type: of a pattern, of what is caught."""
    told, own = part(node, "type"), part(node, "name")
    _bind(reader, scope, text(own), told, ANYTHING)
    reader.rest(scope, node, own)


def _lambda(reader: Reader, node: Node, scope: Scope) -> None:
    given, usual = part(node, "parameters"), reader.handed.get(node.id, ANYTHING)
    if given is not None and not given.named_children:
        reader.bind(scope, text(given), usual)
    _parameters(reader, given, scope, usual)
    reader.go(scope, part(node, "body"))


def _call(reader: Reader, node: Node, scope: Scope) -> None:
    called, given = part(node, "function"), part(node, "arguments")
    value = reader.value(called, scope)
    reader.use(node, scope, value, True)
    for each in given.named_children if given else ():
        roles.hand(reader, each, value)
    if called is not None and called.type == "conditional_access_expression":
        reader.go(scope, part(called, "condition"))
    else:
        roles.through(reader, called, scope, value)
    reader.go(scope, given)


def _new(reader: Reader, node: Node, scope: Scope) -> None:
    made = reader.typed(part(node, "type"), scope)
    reader.use(node, scope, made[1] if made[0] == "g" else made, True)
    arguments = child(part(node, "type"), "type_argument_list") if part(node, "type") is not None else None
    reader.go(scope, arguments, part(node, "arguments"), part(node, "initializer"))


def _conditional(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:
    """``owner?.name``."""
    bound = child(node, "member_binding_expression")
    return ["a", reader.value(part(node, "condition"), scope, depth), text(part(bound, "name")) if bound else ""]


def _generic_value(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:  # noqa: ARG001 - as the others
    return ["n", text(node.named_children[0])]


def _member(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:
    own = part(node, "name")
    name = text(own.named_children[0]) if own is not None and own.type == "generic_name" else text(own)
    return ["a", reader.value(part(node, "expression"), scope, depth), name]


def _this(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:  # noqa: ARG001 - as the others
    return ["o" if text(node) == "this" else "s", scope.within] if scope.within else ANYTHING


def _path(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:  # noqa: ARG001 - as the others
    return ["q", text(node).split(".")]


GRAMMAR = Grammar(
    nodes={
        "using_directive": _using,
        "namespace_declaration": _namespace,
        "file_scoped_namespace_declaration": _namespace,
        "class_declaration": _type(CLASS),
        "struct_declaration": _type(CLASS),
        "record_declaration": _type(CLASS),
        "interface_declaration": _type(INTERFACE),
        "enum_declaration": _enum,
        "delegate_declaration": roles.nothing,
        "method_declaration": _method,
        "constructor_declaration": _method,
        "local_function_statement": _method,
        "property_declaration": _property,
        "variable_declaration": _variables,
        "foreach_statement": _loop,
        "declaration_pattern": _typed,
        "catch_declaration": _typed,
        "lambda_expression": _lambda,
        "invocation_expression": _call,
        "object_creation_expression": _new,
        "member_access_expression": roles.member("expression"),
        "qualified_name": lambda reader, node, scope: reader.use(node, scope, _path(reader, node, scope, 0), False),
        "name_colon": roles.nothing,
        "labeled_statement": roles.nothing,
        "return_statement": roles.gives,
        "identifier": roles.named,
    },
    values={
        "identifier": roles.name,
        "generic_name": _generic_value,
        "qualified_name": _path,
        "member_access_expression": _member,
        "conditional_access_expression": _conditional,
        "invocation_expression": roles.result(),
        "object_creation_expression": roles.made(),
        "cast_expression": roles.made(),
        "as_expression": roles.made("right"),
        "await_expression": roles.inner(),
        "parenthesized_expression": roles.inner(),
        "element_access_expression": roles.element("expression"),
        "conditional_expression": roles.either("consequence", "alternative"),
        "this": _this,
        "base": _this,
        "this_expression": _this,
        "base_expression": _this,
        **dict.fromkeys(
            ("string_literal", "integer_literal", "boolean_literal", "null_literal", "character_literal",
             "real_literal", "interpolated_string_expression", "binary_expression"), roles.closed,
        ),
    },
    types={
        "identifier": roles.name,
        "qualified_name": _path,
        "generic_name": roles.generic(arguments="type_argument_list"),
        "nullable_type": roles.within(),
        "ref_type": roles.within(),
        "array_type": roles.many("type"),
        "predefined_type": roles.closed,
    },
)  # fmt: skip
