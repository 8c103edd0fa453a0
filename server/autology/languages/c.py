"""C and C++: one grammar, as C++ has all that C has."""

from __future__ import annotations

import re

from autology.languages import roles
from autology.languages.reader import ANYTHING, Grammar, Node, Reader, Scope, child, part, parts, text
from autology.model.code import CLASS, FUNCTION, Expr

_AROUND = ("pointer_declarator", "reference_declarator", "array_declarator", "init_declarator", "attributed_declarator")
_CALL = re.compile(rb"\b([A-Za-z_]\w*)\s*\(")
_NOT_CALLED = frozenset(("if", "while", "for", "switch", "sizeof", "return", "defined", "do"))
_MAKING = frozenset(("make_unique", "make_shared", "static_cast", "dynamic_cast", "reinterpret_cast", "const_cast"))
_HANDING = frozenset(("move", "forward", "std::move", "std::forward"))


def _include(reader: Reader, node: Node, scope: Scope) -> None:
    reader.bring(node, Scope(), "", text(part(node, "path")).strip('"<>'))
    del scope


def _namespace(reader: Reader, node: Node, scope: Scope) -> None:
    own = part(node, "name")
    reader.packages += re.findall(r"\w+", text(own))
    reader.go(scope, part(node, "body"))


# ---- types ---------------------------------------------------------------------------------------------


def _class(reader: Reader, node: Node, scope: Scope) -> None:
    own, body = part(node, "name"), part(node, "body")
    if body is None:
        reader.go(scope, own)
        return
    name = text(own).partition("<")[0].rpartition("::")[2]
    _members(reader, node, scope, name or _typedef(node), body)


def _members(reader: Reader, node: Node, scope: Scope, name: str, body: Node) -> None:
    bases = child(node, "base_class_clause")
    told = [each for each in bases.named_children if each.type != "access_specifier"] if bases else []
    inside = scope
    if name:
        inside = reader.define(node, scope, name, CLASS, [reader.typed(each, scope) for each in told])
    reader.go(inside, body)


def _typedef(node: Node) -> str:
    """The name that ``typedef struct { … } name`` gives."""
    around = node.parent
    if around is None or around.type != "type_definition":
        return ""
    declarator = part(around, "declarator")
    return text(declarator) if declarator is not None and declarator.type == "type_identifier" else ""


def _enum(reader: Reader, node: Node, scope: Scope) -> None:
    body = part(node, "body")
    if body is None:
        reader.go(scope, part(node, "name"))
        return
    name = text(part(node, "name")) or _typedef(node)
    inside = reader.define(node, scope, name, CLASS) if name else scope
    for each in body.named_children:
        for where in {scope, inside}:
            reader.bind(where, text(part(each, "name")), ["x"])
        reader.go(scope, part(each, "value"))


def _alias(reader: Reader, node: Node, scope: Scope) -> None:
    told = part(node, "type")
    name, kind = _declared(reader, part(node, "declarator") or part(node, "name"), reader.typed(told, scope), scope)
    if told is None or text(part(told, "name")) != name:  # typedef struct name name
        reader.bind(scope, name, kind)
    reader.go(scope, told)


# ---- functions and variables -----------------------------------------------------------------------------


def _declarator(node: Node | None) -> tuple[Node | None, Node | None]:
    """Return the function that a declarator declares, or None, and the name that it gives."""
    function = None
    while node is not None:
        if node.type == "function_declarator":
            function = node
        elif node.type not in (*_AROUND, "parenthesized_declarator"):
            break
        below = part(node, "declarator")
        if below is None:
            below = next(
                (c for c in reversed(node.named_children) if c.type.endswith(("declarator", "identifier"))), None
            )
        if node.type == "parenthesized_declarator" and below is not None and below.type == "pointer_declarator":
            function = None  # a pointer to a function is a variable
            return None, _declarator(below)[1]
        node = below
    return function, node


def _names(node: Node | None) -> list[str]:
    """The names of ``a::b::c``, without what stands in angle brackets."""
    found = []
    while node is not None and node.type == "qualified_identifier":
        if part(node, "scope") is not None:
            found.append(text(part(node, "scope")).partition("<")[0])
        node = part(node, "name")
    plain = text(part(node, "name") if node is not None and node.type.startswith("template_") else node)
    return [*found, "".join(plain.split()) if plain.startswith("operator") else plain.partition("<")[0]]


def _function(reader: Reader, node: Node, scope: Scope) -> None:
    function, own = _declarator(part(node, "declarator"))
    if function is None:
        reader.rest(scope, node)
        return
    told = part(node, "type")
    *around, name = _names(own)
    where = scope
    if around := [each for each in around if each not in reader.packages][-2:]:
        whole = scope.below(".".join(around))
        where = Scope(whole, whole, whole)
    inside = reader.function(node, where, name, reader.typed(told, scope) if told else None)
    _parameters(reader, part(function, "parameters"), inside)
    initial = child(node, "field_initializer_list")
    for each in initial.named_children if initial else ():
        reader.rest(inside, each, *each.named_children[:1])
    reader.go(inside, told, part(node, "body"))


def _parameters(reader: Reader, given: Node | None, scope: Scope) -> None:
    for each in given.named_children if given else ():
        told = part(each, "type")
        name, kind = _declared(reader, part(each, "declarator"), reader.typed(told, scope), scope)
        reader.bind(scope, name, kind, typed=True)
        reader.go(scope, told, part(each, "default_value"))


def _declared(reader: Reader, node: Node | None, told: Expr, scope: Scope) -> tuple[str, Expr]:
    """Return the name that a declarator gives, and of what type."""
    while node is not None and node.type in (*_AROUND, "parenthesized_declarator", "function_declarator"):
        if node.type == "array_declarator":
            told = ["l", told]
        elif node.type == "function_declarator":
            told = ["g", ["n", "Callable"], [told]]
        node = part(node, "declarator") or next(iter(c for c in reversed(node.named_children)), None)
    del reader, scope
    return text(node) if node is not None and node.type.endswith("identifier") else "", told


def _declaration(reader: Reader, node: Node, scope: Scope) -> None:
    told = part(node, "type")
    automatic = told is not None and told.type == "placeholder_type_specifier"
    kind = reader.typed(told, scope)
    for each in node.children_by_field_name("declarator"):
        function, own = _declarator(each)
        if function is not None and (scope.owner or not scope.name):
            name = _names(own)
            if len(name) == 1:
                reader.function(node, scope, name[0], kind if told else None, declared=True)
            reader.go(scope, *(part(p, "type") for p in parts(function, "parameters")))
            continue
        value = part(each, "value") if each.type == "init_declarator" else None
        if automatic:
            reader.bind(scope, text(own), reader.value(value, scope))
        else:
            reader.bind(scope, *_declared(reader, own if function is not None else each, kind, scope), typed=True)
        if function is not None or (value is not None and value.type in ("argument_list", "initializer_list")):
            reader.use(node, scope, kind[1] if kind[0] == "g" else kind, True)  # made where it stands
        reader.go(scope, value, function)
    reader.go(scope, told, part(node, "default_value"))


def _loop(reader: Reader, node: Node, scope: Scope) -> None:
    told, value = part(node, "type"), part(node, "right")
    name, kind = _declared(reader, part(node, "declarator"), reader.typed(told, scope), scope)
    automatic = told is not None and told.type == "placeholder_type_specifier"
    reader.bind(scope, name, ["i", reader.value(value, scope)] if automatic else kind, typed=not automatic)
    reader.go(scope, told, value, part(node, "body"))


def _lambda(reader: Reader, node: Node, scope: Scope) -> None:
    declarator = part(node, "declarator")
    _parameters(reader, part(declarator, "parameters") if declarator is not None else None, scope)
    reader.go(scope, part(node, "captures"), part(node, "body"))


def _macro(reader: Reader, node: Node, scope: Scope) -> None:
    """``#define name(…) …``: what looks like calls is taken for calls."""
    del scope
    inside = reader.define(node, Scope(), text(part(node, "name")), FUNCTION)
    given, value = part(node, "parameters"), part(node, "value")
    for each in given.named_children if given else ():
        reader.bind(inside, text(each), ANYTHING)
    for found in dict.fromkeys(_CALL.findall(value.text[:10_000])) if value is not None else ():
        if (name := found.decode()) not in _NOT_CALLED:
            reader.use(node, inside, ["n", name], True)


def _new(reader: Reader, node: Node, scope: Scope) -> None:
    made = reader.typed(part(node, "type"), scope)
    reader.use(node, scope, made[1] if made[0] == "g" else made, True)
    reader.go(scope, part(node, "arguments"))


def _qualified_use(reader: Reader, node: Node, scope: Scope) -> None:
    value = reader.value(node, scope)
    reader.use(node, scope, value, False)
    roles.through(reader, node, scope, value)


def _qualified(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:  # noqa: ARG001 - as the others
    names = [each for each in _names(node) if each]
    return ["n", names[0]] if len(names) == 1 else ["q", names]


def _qualified_type(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:
    last = node
    while last is not None and last.type == "qualified_identifier":
        last = part(last, "name")
    if last is not None and last.type == "template_type":
        return reader.typed(last, scope, depth)
    return _qualified(reader, node, scope, depth)


def _result(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:
    function, given = part(node, "function"), part(node, "arguments")
    last = part(function, "name") if function is not None and function.type == "qualified_identifier" else function
    if last is not None and last.type == "template_function" and text(part(last, "name")) in _MAKING:
        arguments = part(last, "arguments")
        made = reader.typed(next(iter(arguments.named_children), None), scope, depth) if arguments else ANYTHING
        return ["c", made[1] if made[0] == "g" else made]
    if text(function) in _HANDING and given is not None and given.named_children:
        return reader.value(given.named_children[0], scope, depth)
    return ["c", reader.value(function, scope, depth)]


def _this(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:  # noqa: ARG001 - as the others
    return ["o", scope.within] if scope.within else ANYTHING


def _named_type(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:  # noqa: ARG001 - as the others
    own = text(part(node, "name")).partition("<")[0] or _typedef(node)
    return ["n", own] if own else ANYTHING


GRAMMAR = Grammar(
    nodes={
        "preproc_include": _include,
        "preproc_function_def": _macro,
        "preproc_def": roles.nothing,
        "preproc_call": roles.nothing,
        "namespace_definition": _namespace,
        "using_declaration": roles.nothing,
        "namespace_alias_definition": roles.nothing,
        "class_specifier": _class,
        "struct_specifier": _class,
        "union_specifier": _class,
        "enum_specifier": _enum,
        "type_definition": _alias,
        "alias_declaration": _alias,
        "function_definition": _function,
        "declaration": _declaration,
        "field_declaration": _declaration,
        "parameter_declaration": lambda reader, node, scope: reader.go(scope, part(node, "type")),
        "for_range_loop": _loop,
        "lambda_expression": _lambda,
        "call_expression": roles.call(),
        "new_expression": _new,
        "field_expression": roles.member("argument"),
        "qualified_identifier": _qualified_use,
        "initializer_pair": lambda reader, node, scope: reader.go(scope, part(node, "value")),
        "labeled_statement": lambda reader, node, scope: reader.go(scope, *node.named_children[1:]),
        "goto_statement": roles.nothing,
        "friend_declaration": roles.nothing,
        "return_statement": roles.gives,
        "identifier": roles.named,
        "type_identifier": roles.named,
    },
    values={
        "identifier": roles.name,
        "type_identifier": roles.name,
        "field_identifier": roles.name,
        "qualified_identifier": _qualified,
        "template_function": roles.inner("name"),
        "field_expression": roles.of("argument", "field"),
        "call_expression": _result,
        "new_expression": roles.made(),
        "cast_expression": roles.made(),
        "compound_literal_expression": roles.made(),
        "pointer_expression": roles.inner("argument"),
        "parenthesized_expression": roles.inner(),
        "assignment_expression": roles.inner("right"),
        "conditional_expression": roles.either("consequence", "alternative"),
        "subscript_expression": roles.element("argument"),
        "this": _this,
        **dict.fromkeys(
            ("number_literal", "string_literal", "char_literal", "true", "false", "null", "binary_expression"),
            roles.closed,
        ),
    },
    types={
        "type_identifier": roles.name,
        "identifier": roles.name,
        "qualified_identifier": _qualified_type,
        "struct_specifier": _named_type,
        "class_specifier": _named_type,
        "union_specifier": _named_type,
        "enum_specifier": _named_type,
        "template_type": roles.generic("name", "template_argument_list"),
        "type_descriptor": roles.within("type"),
        "primitive_type": roles.closed,
        "sized_type_specifier": roles.closed,
    },
)  # fmt: skip
