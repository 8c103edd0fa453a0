"""PHP."""

from __future__ import annotations

from autology.languages import roles
from autology.languages.reader import ANYTHING, Grammar, Node, Reader, Scope, child, part, text
from autology.model.code import CLASS, INTERFACE, Expr

_VALUES = ("name", "qualified_name", "variable_name")


def _dotted(node: Node | None) -> str:
    return text(node).strip("\\").replace("\\", ".")


def _namespace(reader: Reader, node: Node, scope: Scope) -> None:
    reader.packages.append(_dotted(part(node, "name")))
    reader.go(scope, part(node, "body"))


def _use(reader: Reader, node: Node, scope: Scope) -> None:
    group = part(node, "body")
    around = _dotted(child(node, "namespace_name"))
    for each in group.named_children if group else node.named_children:
        if each.type != "namespace_use_clause":
            continue
        alias = text(part(each, "alias"))
        whole = _dotted(next((c for c in each.named_children if c.type in _VALUES), None))
        module, _, name = (f"{around}.{whole}" if around else whole).rpartition(".")
        reader.bring(node, scope, alias or name, module, name)


def _type(kind: str) -> roles.Act:
    def act(reader: Reader, node: Node, scope: Scope) -> None:
        clauses = [child(node, "base_clause"), child(node, "class_interface_clause")]
        bases = [reader.value(each, scope) for clause in clauses if clause for each in clause.named_children]
        inside = reader.define(node, scope, text(part(node, "name")), kind, bases)
        reader.go(inside, part(node, "body"))

    return act


def _traits(reader: Reader, node: Node, scope: Scope) -> None:
    told = [reader.value(each, scope) for each in node.named_children if each.type in _VALUES]
    reader.define(node, Scope(), scope.name, CLASS, told, declared=True)


def _anonymous(reader: Reader, node: Node, scope: Scope) -> None:
    reader.go(Scope(scope.name, "", scope.within), *node.named_children)


def _case(reader: Reader, node: Node, scope: Scope) -> None:
    reader.bind(scope, text(part(node, "name")), ["o", scope.owner])


def _constant(reader: Reader, node: Node, scope: Scope) -> None:
    own, *value = node.named_children
    reader.bind(scope, text(own), ["x"])
    reader.go(scope, *value)


def _function(reader: Reader, node: Node, scope: Scope) -> None:
    returns, own = part(node, "return_type"), part(node, "name")
    inside = reader.function(node, scope, text(own), reader.typed(returns, scope) if returns else None)
    given = part(node, "parameters")
    for at, each in enumerate(given.named_children if given else ()):
        told, value = part(each, "type"), part(each, "default_value")
        name = text(part(each, "name"))
        known = reader.typed(told, scope) if told else ANYTHING if at else reader.handed.get(node.id, ANYTHING)
        known = ["l", known] if each.type == "variadic_parameter" else known
        reader.bind(inside, name, known, typed=told is not None)
        if each.type == "property_promotion_parameter":
            reader.bind(inside, name.lstrip("$"), known, told is not None, owner=scope.owner)
        reader.go(inside, told, value)
    reader.go(inside, returns, part(node, "body"))


def _property(reader: Reader, node: Node, scope: Scope) -> None:
    told = part(node, "type")
    for each in node.named_children:
        if each.type == "property_element":
            value = part(each, "default_value")
            known = reader.typed(told, scope) if told else reader.value(value, scope)
            reader.bind(scope, text(part(each, "name")).lstrip("$"), known, told is not None)
            reader.go(scope, value)
    reader.go(scope, told)


def _assignment(reader: Reader, node: Node, scope: Scope) -> None:
    left, right = part(node, "left"), part(node, "right")
    value = reader.value(right, scope)
    if left is not None and left.type == "variable_name":
        reader.bind(scope, text(left), value)
    elif left is not None and text(part(left, "object")) == "$this":
        reader.bind(scope, text(part(left, "name")), value, owner=scope.within)
    else:
        reader.go(scope, left)
    reader.go(scope, right)


def _loop(reader: Reader, node: Node, scope: Scope) -> None:
    every, each = node.named_children[:2]
    if each.type == "pair":
        each = each.named_children[-1]
    reader.bind(scope, text(each).lstrip("&"), ["i", reader.value(every, scope)])
    reader.go(scope, every, part(node, "body"))


def _caught(reader: Reader, node: Node, scope: Scope) -> None:
    reader.bind(scope, text(part(node, "name")), reader.typed(part(node, "type"), scope), typed=True)
    reader.go(scope, part(node, "type"), part(node, "body"))


def _call(reader: Reader, node: Node, scope: Scope) -> None:
    value = _called(reader, node, scope, 0)
    reader.use(node, scope, value, True)
    given = part(node, "arguments")
    for each in given.named_children if given else ():
        roles.hand(reader, each, value)
    reader.go(scope, part(node, "object") or part(node, "scope"), given)


def _called(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:
    owner = part(node, "object") or part(node, "scope")
    if owner is None:
        return reader.value(part(node, "function"), scope, depth)
    return ["a", reader.value(owner, scope, depth), text(part(node, "name")).lstrip("$")]


def _result(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:
    return ["c", _called(reader, node, scope, depth)]


def _new(reader: Reader, node: Node, scope: Scope) -> None:
    made = _made(reader, node, scope, 0)[1]
    reader.use(node, scope, made, True)
    reader.go(scope, *(each for each in node.named_children if each.type not in _VALUES))


def _made(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:
    return ["c", reader.value(next(iter(node.named_children), None), scope, depth)]


def _name(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:  # noqa: ARG001 - as the others
    own = text(node)
    if own in ("static", "self") and scope.within:
        return ["k", scope.within]
    return ["s", scope.within] if own == "parent" and scope.within else ["n", own]


def _variable(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:  # noqa: ARG001 - as the others
    return ["o", scope.within] if text(node) == "$this" and scope.within else ["n", text(node)]


def _qualified(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:  # noqa: ARG001 - as the others
    return ["q", _dotted(node).split(".")]


def _named(reader: Reader, node: Node, scope: Scope) -> None:
    reader.use(node, scope, reader.value(node, scope), False)


def _as_type(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:
    told = reader.value(node.named_children[0], scope, depth)
    return ["o", told[1]] if told[0] == "k" else told


GRAMMAR = Grammar(
    nodes={
        "namespace_definition": _namespace,
        "namespace_use_declaration": _use,
        "class_declaration": _type(CLASS),
        "trait_declaration": _type(CLASS),
        "enum_declaration": _type(CLASS),
        "interface_declaration": _type(INTERFACE),
        "use_declaration": _traits,
        "anonymous_class": _anonymous,
        "enum_case": _case,
        "const_element": _constant,
        "function_definition": _function,
        "method_declaration": _function,
        "arrow_function": _function,
        "anonymous_function": _function,
        "property_declaration": _property,
        "assignment_expression": _assignment,
        "foreach_statement": _loop,
        "catch_clause": _caught,
        "function_call_expression": _call,
        "member_call_expression": _call,
        "nullsafe_member_call_expression": _call,
        "scoped_call_expression": _call,
        "object_creation_expression": _new,
        "member_access_expression": roles.member("object"),
        "nullsafe_member_access_expression": roles.member("object"),
        "class_constant_access_expression": lambda reader, node, scope: reader.go(scope, *node.named_children[:1]),
        "scoped_property_access_expression": lambda reader, node, scope: reader.go(scope, part(node, "scope")),
        "variable_name": roles.nothing,
        "return_statement": roles.gives,
        "name": _named,
        "qualified_name": _named,
    },
    values={
        "name": _name,
        "relative_scope": _name,
        "qualified_name": _qualified,
        "variable_name": _variable,
        "member_access_expression": roles.of("object", "name"),
        "nullsafe_member_access_expression": roles.of("object", "name"),
        "function_call_expression": _result,
        "member_call_expression": _result,
        "nullsafe_member_call_expression": _result,
        "scoped_call_expression": _result,
        "object_creation_expression": _made,
        "parenthesized_expression": roles.inner(),
        "assignment_expression": roles.inner("right"),
        "subscript_expression": roles.element(),
        "array_creation_expression": roles.collection,
        "array_element_initializer": lambda reader, node, scope, depth: (
            reader.value(node.named_children[-1] if node.named_children else None, scope, depth)
        ),
        "conditional_expression": roles.either("body", "alternative"),
        "clone_expression": roles.inner(),
        "class_constant_access_expression": lambda reader, node, scope, depth: [
            "a", reader.value(node.named_children[0], scope, depth), text(node.named_children[-1]),
        ],
        **dict.fromkeys(
            ("string", "integer", "float", "boolean", "null", "encapsed_string", "binary_expression"), roles.closed
        ),
    },
    types={
        "named_type": _as_type,
        "optional_type": roles.within(),
        "union_type": roles.one_of,
        "intersection_type": roles.one_of,
        "type_list": roles.one_of,
        "primitive_type": roles.closed,
    },
)  # fmt: skip
