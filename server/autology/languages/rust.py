"""Rust."""

from __future__ import annotations

from collections.abc import Iterator

from autology.languages import roles
from autology.languages.reader import ANYTHING, Grammar, Node, Reader, Scope, child, part, text
from autology.model.code import CLASS, FUNCTION, INTERFACE, MODULE, Expr

_SAME = ("Some", "Ok", "Err")
"""Patterns whose inner value is taken for the whole: what may be missing or fail is looked through."""


# ---- modules -------------------------------------------------------------------------------------------


def _use(reader: Reader, node: Node, scope: Scope) -> None:
    for local, parts in _used(part(node, "argument"), ()):
        *around, name = _from_file(reader, parts, scope)
        if not around:
            reader.bring(node, scope, local, name)
        elif name in ("*", "self"):
            where, last = ".".join(around), around[-1]
            if name == "*":
                reader.bring(node, scope, "", where, "*")
            else:
                reader.bring(node, scope, local if local != "self" else last, ".".join(around[:-1]) or last, last)
        else:
            reader.bring(node, scope, local, ".".join(around), name)


def _from_file(reader: Reader, parts: tuple[str, ...], scope: Scope) -> tuple[str, ...]:
    """The path as it is from the file's own module, whatever module within the file it stands in."""
    inner = sum(each.kind == MODULE and f"{scope.name}.".startswith(f"{each.name}.") for each in reader.definitions)
    while inner and parts[0] == "super":
        parts, inner = (parts[1:] if parts[1:2] == ("super",) else ("self", *parts[1:])), inner - 1
    return parts


def _used(node: Node | None, around: tuple[str, ...]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each name that a use brings, and the path to it."""
    waiting = [(node, around)]
    while waiting:
        told, before = waiting.pop()
        if told is None:
            continue
        if told.type == "use_list":
            waiting += [(each, before) for each in told.named_children]
        elif told.type == "scoped_use_list":
            waiting.append((part(told, "list"), (*before, *_path(part(told, "path")))))
        elif told.type == "use_wildcard":
            yield "", (*before, *_path(next(iter(told.named_children), None)), "*")
        elif told.type == "use_as_clause":
            yield text(part(told, "alias")), (*before, *_path(part(told, "path")))
        else:
            whole = (*before, *_path(told))
            yield whole[-1], whole


def _path(node: Node | None) -> tuple[str, ...]:
    """The names of a path, without what stands in angle brackets."""
    found: list[str] = []
    while node is not None and node.type in ("scoped_identifier", "scoped_type_identifier", "generic_type"):
        if node.type == "generic_type":
            node = part(node, "type")
            continue
        found.append(text(part(node, "name")))
        node = part(node, "path")
    return (*((text(node),) if node is not None else ()), *reversed(found))


def _module(reader: Reader, node: Node, scope: Scope) -> None:
    name, body = text(part(node, "name")), part(node, "body")
    if body is None:
        reader.bring(node, scope, name, f"self.{name}")
    else:
        reader.go(reader.define(node, scope, name, MODULE), body)


# ---- types and functions ---------------------------------------------------------------------------------


def _type(kind: str) -> roles.Act:
    def act(reader: Reader, node: Node, scope: Scope) -> None:
        bounds = part(node, "bounds")
        bases = [reader.typed(each, scope) for each in bounds.named_children] if bounds else []
        inside = reader.define(node, scope, text(part(node, "name")), kind, bases)
        _parameters_of_type(reader, node, inside)
        reader.go(inside, part(node, "body"))

    return act


def _variant(reader: Reader, node: Node, scope: Scope) -> None:
    reader.bind(scope, text(part(node, "name")), ["o", scope.owner])
    reader.go(Scope(scope.name, "", scope.within), part(node, "body"), part(node, "value"))


def _implements(reader: Reader, node: Node, scope: Scope) -> None:
    path, trait = _path(part(node, "type")), part(node, "trait")
    name = path[-1] if path and path[-1].isidentifier() else ""
    if not name:
        reader.go(scope, part(node, "body"))
        return
    if trait is not None:
        reader.define(node, scope, name, CLASS, [reader.typed(trait, scope)], declared=True)
    whole = scope.below(name)
    inside = Scope(whole, whole, whole)
    _parameters_of_type(reader, node, inside)
    reader.go(inside, part(node, "body"))


def _parameters_of_type(reader: Reader, node: Node, scope: Scope) -> None:
    told, where = part(node, "type_parameters"), child(node, "where_clause")
    for each in told.named_children if told else ():
        _limited(reader, part(each, "name"), part(each, "bounds"), scope)
    for each in where.named_children if where else ():
        _limited(reader, part(each, "left"), part(each, "bounds"), scope)


def _limited(reader: Reader, name: Node | None, bounds: Node | None, scope: Scope) -> None:
    told: Expr = ["u", [reader.typed(each, scope) for each in bounds.named_children]] if bounds else ANYTHING
    reader.bind(scope, text(name), told, typed=True)
    reader.go(scope, bounds)


def _function(reader: Reader, node: Node, scope: Scope) -> None:
    returns, given = part(node, "return_type"), part(node, "parameters")
    inside = reader.function(node, scope, text(part(node, "name")), reader.typed(returns, scope) if returns else ["x"])
    _parameters_of_type(reader, node, inside)
    for each in given.named_children if given else ():
        if each.type == "self_parameter":
            reader.bind(inside, "self", ["o", scope.owner])
        else:
            _parameter(reader, each, inside, ANYTHING)
    reader.go(inside, returns, part(node, "body"))


def _closure(reader: Reader, node: Node, scope: Scope) -> None:
    given = part(node, "parameters")
    for at, each in enumerate(given.named_children if given else ()):
        _parameter(reader, each, scope, ANYTHING if at else reader.handed.get(node.id, ANYTHING))
    reader.go(scope, part(node, "body"))


def _parameter(reader: Reader, node: Node, scope: Scope, usual: Expr) -> None:
    pattern, told = part(node, "pattern") or node, part(node, "type")
    _bind(reader, pattern, scope, reader.typed(told, scope) if told else usual, told is not None)
    reader.go(scope, told)


def _macro(reader: Reader, node: Node, scope: Scope) -> None:
    reader.define(node, Scope(), text(part(node, "name")), FUNCTION)
    del scope


def _bind(reader: Reader, pattern: Node | None, scope: Scope, value: Expr, typed: bool = False) -> None:
    """Bind the names of a pattern."""
    waiting = [(pattern, value, typed)]
    while waiting:
        node, told, sure = waiting.pop()
        if node is None:
            continue
        if node.type in ("identifier", "shorthand_field_identifier"):
            if not text(node)[:1].isupper():
                reader.bind(scope, text(node), told, sure)
        elif node.type == "tuple_struct_pattern":
            same = text(part(node, "type")) in _SAME
            inner = [each for each in node.named_children if each != part(node, "type")]
            waiting += [(each, told if same else ANYTHING, sure and same) for each in inner]
        elif node.type in ("reference_pattern", "mut_pattern", "ref_pattern", "captured_pattern", "match_pattern"):
            waiting += [(each, told, sure) for each in node.named_children[:1]]
        elif node.type == "field_pattern":
            waiting.append((part(node, "pattern") or part(node, "name"), ANYTHING, False))
        elif node.type.endswith("_pattern"):
            waiting += [(each, ANYTHING, False) for each in node.named_children]


def _let(reader: Reader, node: Node, scope: Scope) -> None:
    told, value = part(node, "type"), part(node, "value")
    known = told is not None and text(told) != "_"
    _bind(
        reader, part(node, "pattern"), scope, reader.typed(told, scope) if known else reader.value(value, scope), known
    )
    reader.rest(scope, node, part(node, "pattern"))


def _loop(reader: Reader, node: Node, scope: Scope) -> None:
    _bind(reader, part(node, "pattern"), scope, ["i", reader.value(part(node, "value"), scope)])
    reader.rest(scope, node, part(node, "pattern"))


def _match(reader: Reader, node: Node, scope: Scope) -> None:
    value, body = part(node, "value"), part(node, "body")
    told = reader.value(value, scope)
    arms = [each for each in body.named_children if each.type == "match_arm"] if body is not None else []
    for arm in arms:
        _bind(reader, part(arm, "pattern"), scope, told)
    reader.go(scope, value, *(each for arm in arms for each in (part(arm, "pattern"), part(arm, "value"))))


def _pattern(reader: Reader, node: Node, scope: Scope) -> None:
    """What a pattern names: variants and constants; the names that it binds are none."""
    waiting = [node]
    while waiting:
        told = waiting.pop()
        if told.type in ("scoped_identifier", "scoped_type_identifier"):
            _scoped(reader, told, scope)
        elif told.type in ("identifier", "type_identifier"):
            if text(told)[:1].isupper():
                reader.use(told, scope, ["n", text(told)], False)
        else:
            waiting += told.named_children


def _field(reader: Reader, node: Node, scope: Scope) -> None:
    reader.bind(scope, text(part(node, "name")), reader.typed(part(node, "type"), scope), typed=True)
    reader.go(scope, part(node, "type"))


def _constant(reader: Reader, node: Node, scope: Scope) -> None:
    reader.bind(scope, text(part(node, "name")), reader.typed(part(node, "type"), scope), typed=True)
    reader.go(scope, part(node, "type"), part(node, "value"))


def _alias(reader: Reader, node: Node, scope: Scope) -> None:
    reader.bind(scope, text(part(node, "name")), reader.typed(part(node, "type"), scope))
    reader.go(scope, part(node, "type"))


# ---- what is used ------------------------------------------------------------------------------------------


def _scoped(reader: Reader, node: Node, scope: Scope) -> None:
    value = reader.value(node, scope)
    reader.use(node, scope, value, False)
    roles.through(reader, node, scope, value)


def _built(reader: Reader, node: Node, scope: Scope) -> None:
    """``Store { … }``."""
    reader.use(node, scope, reader.typed(part(node, "name"), scope), True)
    reader.go(scope, part(node, "body"))


def _filled(reader: Reader, node: Node, scope: Scope) -> None:
    reader.go(scope, part(node, "value"))


def _expanded(reader: Reader, node: Node, scope: Scope) -> None:
    """``name!(…)``: calls are seen by their shape, since nobody parses what is in it."""
    own = part(node, "macro")
    reader.use(node, scope, reader.value(own, scope), True)
    waiting = [each for each in node.children if each.type == "token_tree"]
    while waiting:
        value: Expr = ANYTHING
        before = ""
        for each in waiting.pop().children:
            if each.type in ("identifier", "self", "super", "crate"):
                value = _next(value, before, text(each))
            elif each.type == "token_tree":
                waiting.append(each)
                if value != ANYTHING and before == "identifier" and text(each)[:1] == "(":
                    reader.use(each, scope, value, True)
                    value = ["c", value]
                elif before != "token_tree":
                    value = ANYTHING
            elif each.type not in (".", "::", "?"):
                value = ANYTHING
            before = each.type


def _next(value: Expr, before: str, name: str) -> Expr:
    if before == ".":
        return ["a", value, name]
    if before == "::" and value[0] in ("n", "q"):
        return ["q", [*(value[1] if value[0] == "q" else [value[1]]), name]]
    return ["n", name]


def _name(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:  # noqa: ARG001 - as the others
    own = text(node)
    return ["k", scope.within] if own == "Self" and scope.within else ["n", own]


def _scoped_value(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:
    around = part(node, "path")
    if around is not None and around.type == "bracketed_type":
        told = around.named_children[0] if around.named_children else None
        known = part(told, "alias") if told is not None and told.type == "qualified_type" else told
        return ["a", reader.typed(known, scope, depth), text(part(node, "name"))]
    names = _path(node)
    if names[0] == "Self" and scope.within:
        value: Expr = ["k", scope.within]
        for each in names[1:]:
            value = ["a", value, each]
        return value
    return ["q", list(_from_file(reader, names, scope))]


def _array(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:
    """``vec![…]`` is a collection; of another macro nobody knows what it makes."""
    del reader, scope, depth
    return ["l", ANYTHING] if text(part(node, "macro")) == "vec" else ANYTHING


def _last(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:
    return reader.value(next(reversed(node.named_children), None), scope, depth)


def _callable(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:
    return ["g", ["n", "Callable"], [reader.typed(part(node, "return_type"), scope, depth)]]


GRAMMAR = Grammar(
    nodes={
        "use_declaration": _use,
        "mod_item": _module,
        "extern_crate_declaration": roles.nothing,
        "attribute_item": roles.nothing,
        "inner_attribute_item": roles.nothing,
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
        "associated_type": roles.nothing,
        "let_declaration": _let,
        "let_condition": _let,
        "for_expression": _loop,
        "match_expression": _match,
        "match_pattern": _pattern,
        "lifetime": roles.nothing,
        "call_expression": roles.call(),
        "field_expression": roles.member("value"),
        "scoped_identifier": _scoped,
        "scoped_type_identifier": _scoped,
        "struct_expression": _built,
        "field_initializer": _filled,
        "macro_invocation": _expanded,
        "type_binding": lambda reader, node, scope: reader.go(scope, part(node, "type")),
        "identifier": roles.named,
        "type_identifier": roles.named,
    },
    values={
        "identifier": _name,
        "self": roles.name,
        "type_identifier": _name,
        "scoped_identifier": _scoped_value,
        "field_expression": roles.of("value", "field"),
        "generic_function": roles.inner("function"),
        "call_expression": roles.result(),
        "struct_expression": roles.made("name"),
        "try_expression": roles.inner(),
        "await_expression": roles.inner(),
        "parenthesized_expression": roles.inner(),
        "reference_expression": roles.inner("value"),
        "unary_expression": roles.inner(),
        "index_expression": roles.element(),
        "type_cast_expression": roles.made(),
        "array_expression": roles.collection,
        "macro_invocation": _array,
        "if_expression": roles.either("consequence", "alternative"),
        "block": _last,
        **dict.fromkeys(
            ("integer_literal", "float_literal", "string_literal", "raw_string_literal", "char_literal",
             "boolean_literal", "binary_expression"), roles.closed,
        ),
    },
    types={
        "type_identifier": _name,
        "identifier": _name,
        "scoped_type_identifier": _scoped_value,
        "reference_type": roles.within("type"),
        "pointer_type": roles.within("type"),
        "dynamic_type": roles.within("trait"),
        "abstract_type": roles.within("trait"),
        "bounded_type": roles.within(),
        "generic_type": roles.generic("type"),
        "array_type": roles.many("element"),
        "function_type": _callable,
        "primitive_type": roles.closed,
        "unit_type": roles.closed,
        "never_type": roles.closed,
    },
)  # fmt: skip
