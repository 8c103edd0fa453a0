"""JavaScript, TypeScript and TSX."""

from __future__ import annotations

from autology.languages import roles
from autology.languages.reader import ANYTHING, Grammar, Node, Reader, Scope, child, part, parts, text
from autology.model.code import CLASS, INTERFACE, MODULE, Expr

DEFAULT = "default"
"""The name that a module's own thing is imported under."""
_FUNCTIONS = ("arrow_function", "function_expression", "function", "generator_function")
_EMPTY = ("false", "null", "undefined", "number", "string", "template_string", "regex", "true")


# ---- classes and functions -------------------------------------------------------------------------


def _class(reader: Reader, node: Node, scope: Scope) -> None:
    heritage = child(node, "class_heritage")
    bases = _bases(reader, heritage, scope) if heritage else []
    own = part(node, "name")
    inside = reader.define(node, scope, text(own) or DEFAULT, CLASS, bases)
    _parameters_of_type(reader, node, inside)
    reader.rest(inside, node, own, heritage, part(node, "type_parameters"))
    if heritage:
        for arguments in (e for c in heritage.named_children for e in c.named_children if e.type == "type_arguments"):
            reader.go(inside, arguments)


def _bases(reader: Reader, heritage: Node, scope: Scope) -> list[Expr]:
    clauses = [each for each in heritage.named_children if each.type in ("extends_clause", "implements_clause")]
    if not clauses:  # JavaScript's, which has the base itself
        return [reader.value(each, scope) for each in heritage.named_children]
    told = [(clause, each) for clause in clauses for each in clause.named_children if each.type != "type_arguments"]
    return [(reader.value if clause.type == "extends_clause" else reader.typed)(each, scope) for clause, each in told]


def _interface(reader: Reader, node: Node, scope: Scope) -> None:
    own, extended = part(node, "name"), child(node, "extends_type_clause", "extends_clause")
    bases = [reader.typed(each, scope) for each in extended.named_children] if extended else []
    inside = reader.define(node, scope, text(own), INTERFACE, bases)
    _parameters_of_type(reader, node, inside)
    reader.go(inside, part(node, "body"))


def _alias(reader: Reader, node: Node, scope: Scope) -> None:
    """``type A = …``: one of its own where it lists members, else another name."""
    own, value = part(node, "name"), part(node, "value")
    if value is not None and value.type == "object_type":
        reader.go(reader.define(node, scope, text(own), INTERFACE), value)
        return
    reader.bind(scope, text(own), reader.typed(value, scope), typed=True)
    reader.go(scope, value)


def _parameters_of_type(reader: Reader, node: Node, scope: Scope) -> None:
    """``<T extends Store>``: a T is taken for a Store."""
    told = part(node, "type_parameters")
    for each in told.named_children if told else ():
        limit = part(each, "constraint")
        reader.bind(scope, text(part(each, "name")), reader.typed(limit, scope), typed=True)
        reader.go(scope, limit)


def _module(reader: Reader, node: Node, scope: Scope) -> None:
    own = part(node, "name")
    if own is None or own.type == "string":
        reader.rest(scope, node, own)
    else:
        reader.go(reader.define(node, scope, text(own), MODULE), part(node, "body"))


def _enum(reader: Reader, node: Node, scope: Scope) -> None:
    inside = reader.define(node, scope, text(part(node, "name")), CLASS)
    for each in parts(node, "body"):
        reader.bind(inside, text(part(each, "name") or each), ["x"])
        reader.go(inside, part(each, "value"))


def _function(reader: Reader, node: Node, scope: Scope) -> None:
    _into(reader, node, scope, text(part(node, "name")))


def _default(reader: Reader, node: Node, scope: Scope) -> None:
    _into(reader, node, scope, "")


def _into(reader: Reader, node: Node, scope: Scope, name: str, shown: Node | None = None) -> bool:
    """Take in a function under *name*, its parameters and its body; return that it is one."""
    returns = part(node, "return_type")
    told = reader.typed(returns, scope) if returns else None
    declared = node.type in ("function_signature", "method_signature", "abstract_method_signature")
    getter = any(each.type == "get" for each in node.children[:4])
    inside = reader.function(shown or node, scope, name, told, getter=getter, declared=declared)
    _parameters_of_type(reader, node, inside)
    single, several = part(node, "parameter"), part(node, "parameters")
    handed = reader.handed.get((shown or node).id, ANYTHING)
    if single is not None:
        reader.bind(inside, text(single), handed)
    for at, each in enumerate(several.named_children if several else ()):
        _parameter(reader, each, inside, scope, ANYTHING if at else handed)
    body = part(node, "body")
    if body is not None and body.type != "statement_block" and name:
        reader.gives(inside, reader.value(body, inside))
    reader.go(inside, returns, body)
    return True


def _parameter(reader: Reader, node: Node, scope: Scope, outer: Scope, usual: Expr) -> None:
    pattern, kind, value = part(node, "pattern") or node, part(node, "type"), part(node, "value")
    if node.type == "assignment_pattern":
        pattern, value = part(node, "left"), part(node, "right")
    told = reader.typed(kind, scope) if kind else reader.value(value, scope) if value else usual
    if pattern.type == "rest_pattern":
        pattern = pattern.named_children[0]
    _pattern(reader, pattern, scope, told, kind is not None)
    if any(each.type in ("accessibility_modifier", "override_modifier", "readonly") for each in node.children):
        reader.bind(scope, text(pattern), told, kind is not None, owner=outer.owner)
    reader.go(scope, kind, value, *(each for each in node.named_children if each.type == "decorator"))


def _pattern(reader: Reader, pattern: Node | None, scope: Scope, value: Expr, typed: bool = False) -> None:
    """Bind the names of a pattern; of one that takes things apart it is told which part."""
    waiting = [(pattern, value, typed)]
    while waiting:
        node, told, sure = waiting.pop()
        if node is None:
            continue
        if node.type in ("identifier", "shorthand_property_identifier_pattern"):
            own = told if node.type == "identifier" or told[0] == "p" else ["a", told, text(node)]
            reader.bind(scope, text(node), own, sure)
        elif node.type == "pair_pattern":
            waiting.append((part(node, "value"), ["a", told, text(part(node, "key"))], False))
        elif node.type in ("object_assignment_pattern", "assignment_pattern"):
            waiting.append((part(node, "left"), told, False))
            reader.go(scope, part(node, "right"))
        elif node.type == "object_pattern":
            # What a type has is asked of an object of it.
            held = ["c", told[1] if told[0] == "g" else told] if sure and told[0] in ("n", "a", "g") else told
            waiting += [(each, held, False) for each in node.named_children]
        elif node.type == "array_pattern":
            waiting += [(each, ANYTHING, False) for each in node.named_children]


def _field(reader: Reader, node: Node, scope: Scope) -> None:
    """A field of a class or interface, or a function under its name."""
    own, kind, value = part(node, "name") or part(node, "property"), part(node, "type"), part(node, "value")
    if value is not None and value.type in _FUNCTIONS:
        _into(reader, value, scope, text(own), node)
        reader.go(scope, kind)
        return
    reader.bind(scope, text(own), reader.typed(kind, scope) if kind else reader.value(value, scope), kind is not None)
    reader.rest(scope, node, own)


def _variable(reader: Reader, node: Node, scope: Scope) -> None:
    own, kind, value = part(node, "name"), part(node, "type"), part(node, "value")
    module = _required(value)
    if module:
        _require(reader, node, scope, own, module)
        return
    if (
        value is not None
        and own is not None
        and own.type == "identifier"
        and _defines(reader, node, scope, text(own), value)
    ):
        reader.go(scope, kind)
        return
    told = reader.typed(kind, scope) if kind else reader.value(value, scope) if value else ANYTHING
    _pattern(reader, own, scope, told, kind is not None)
    reader.go(scope, kind, value)


def _defines(reader: Reader, node: Node, scope: Scope, name: str, value: Node) -> bool:
    """Take in a function, class or object with functions that gets a name by being assigned; return whether it is."""
    if value.type in _FUNCTIONS:
        _into(reader, value, scope, name, node)
    elif value.type == "class":
        _class_as(reader, value, scope, name)
    elif value.type == "object" and any(_is_function(each) for each in value.named_children):
        inside = reader.define(node, scope, name, MODULE)
        reader.go(Scope(inside.name, inside.name, inside.name), value)
    else:
        return False
    return True


def _class_as(reader: Reader, node: Node, scope: Scope, name: str) -> None:
    heritage = child(node, "class_heritage")
    inside = reader.define(node, scope, name, CLASS, _bases(reader, heritage, scope) if heritage else [])
    reader.go(inside, part(node, "body"))


def _is_function(node: Node) -> bool:
    value = part(node, "value")
    return node.type == "method_definition" or (value is not None and value.type in _FUNCTIONS)


def _pair(reader: Reader, node: Node, scope: Scope) -> None:
    """``name: value`` of an object; a function of a named object is its method."""
    value = part(node, "value")
    if value is not None and value.type in _FUNCTIONS and scope.owner:
        _into(reader, value, scope, text(part(node, "key")).strip("'\""), node)
        return
    if scope.owner:
        reader.bind(scope, text(part(node, "key")).strip("'\""), reader.value(value, scope))
    reader.go(Scope(scope.name, "", scope.within), value)


def _method(reader: Reader, node: Node, scope: Scope) -> None:
    own = text(part(node, "name")).strip("'\"[]")
    _into(reader, node, scope, own if scope.owner else "")
    reader.go(scope, *(each for each in node.named_children if each.type == "decorator"))


def _assignment(reader: Reader, node: Node, scope: Scope) -> None:
    left, right = part(node, "left"), part(node, "right")
    if left is not None and left.type == "member_expression":
        if _assigned(reader, node, scope, left, right):
            return
    elif left is not None:
        _pattern(reader, left, scope, reader.value(right, scope))
    reader.go(scope, right, left if left is not None and left.type != "identifier" else None)


def _assigned(reader: Reader, node: Node, scope: Scope, left: Node, right: Node) -> bool:
    """Take in ``this.x = …``, ``exports.x = …`` and functions given to classes; return whether that is all."""
    owner, name = text(part(left, "object")), text(part(left, "property"))
    if owner == "this":
        reader.bind(scope, name, reader.value(right, scope), owner=scope.within or scope.name)
        within = Scope(scope.within, scope.within, scope.within)
        return bool(scope.within) and right.type in _FUNCTIONS and _into(reader, right, within, name, node)
    if owner in ("exports", "module.exports") or (owner, name) == ("module", "exports"):
        return _offered(reader, node, scope, DEFAULT if owner == "module" else name, right)
    whole, owner = owner, owner.removesuffix(".prototype")
    if right.type not in _FUNCTIONS or not owner.isidentifier() or scope.name:
        return False
    if whole != owner:
        reader.turn(owner, CLASS)
    return _into(reader, right, Scope(owner, owner, owner), name, node)


def _offered(reader: Reader, node: Node, scope: Scope, name: str, right: Node) -> bool:
    """Take in what CommonJS offers under *name*; return whether that is all."""
    own = text(part(right, "name")) if name == DEFAULT else ""
    if _defines(reader, node, scope, own or name, right):
        if own:
            reader.bind(scope, DEFAULT, ["n", own])
        return True
    if text(right) != name:
        reader.bind(scope, name, reader.value(right, scope))
    return False


def _loop(reader: Reader, node: Node, scope: Scope) -> None:
    """``for (const each of all)``."""
    _pattern(reader, part(node, "left"), scope, ["i", reader.value(part(node, "right"), scope)])
    reader.go(scope, part(node, "right"), part(node, "body"))


# ---- imports and exports -----------------------------------------------------------------------------


def _import(reader: Reader, node: Node, scope: Scope) -> None:
    clause, equals = child(node, "import_clause"), child(node, "import_require_clause")
    module = _string(part(node, "source") or (part(equals, "source") if equals else None))
    if equals:
        reader.bring(node, scope, text(equals.named_children[0]), module)
    for each in clause.named_children if clause else ():
        if each.type == "identifier":
            reader.bring(node, scope, text(each), module, DEFAULT)
        elif each.type == "namespace_import":
            reader.bring(node, scope, text(each.named_children[0]), module)
        else:
            for one in each.named_children:
                own = text(part(one, "name"))
                reader.bring(node, scope, text(part(one, "alias")) or own, module, own)
    if not clause and not equals:
        reader.bring(node, scope, "", module)


def _export(reader: Reader, node: Node, scope: Scope) -> None:
    source, clause = part(node, "source"), child(node, "export_clause")
    if source is not None:
        whole = child(node, "namespace_export")
        if whole:
            reader.bring(node, scope, text(whole.named_children[0]), _string(source))
        elif not clause:
            reader.bring(node, scope, "", _string(source), "*")
    for each in clause.named_children if clause else ():
        own, other = text(part(each, "name")), text(part(each, "alias"))
        if source is not None:
            reader.bring(node, scope, other or own, _string(source), own)
        elif other and other != own:
            reader.bind(scope, other, ["n", own])
    if not clause and source is None:
        _exported(reader, node, scope)


def _exported(reader: Reader, node: Node, scope: Scope) -> None:
    told = part(node, "declaration") or part(node, "value") or next(iter(node.named_children), None)
    if told is not None and any(each.type == DEFAULT for each in node.children):
        own = part(told, "name")
        if own is not None and (told.type.endswith("declaration") or told.type in ("class", *_FUNCTIONS)):
            reader.bind(scope, DEFAULT, ["n", text(own)])
        elif _defines(reader, node, scope, DEFAULT, told):
            return
        elif told.type not in ("function_declaration", "class_declaration", "generator_function_declaration"):
            reader.bind(scope, DEFAULT, reader.value(told, scope))
    reader.rest(scope, node)


def _required(value: Node | None) -> str:
    """The module that ``require("…")`` names; "" for anything else."""
    if value is None or value.type != "call_expression" or text(part(value, "function")) != "require":
        return ""
    given = part(value, "arguments")
    return _string(child(given, "string")) if given is not None else ""


def _require(reader: Reader, node: Node, scope: Scope, own: Node | None, module: str) -> None:
    if own is None:
        return
    if own.type == "identifier":
        reader.bring(node, scope, text(own), module)
    for each in own.named_children if own.type == "object_pattern" else ():
        name = text(part(each, "key")) if each.type == "pair_pattern" else text(each)
        reader.bring(node, scope, text(part(each, "value")) or name, module, name)


def _string(node: Node | None) -> str:
    return text(node).strip("'\"`")


# ---- what is used --------------------------------------------------------------------------------------


def _call(reader: Reader, node: Node, scope: Scope) -> None:
    module = _required(node)
    if module:
        reader.bring(node, scope, "", module)
        return
    roles.call()(reader, node, scope)
    reader.go(scope, part(node, "type_arguments"))


def _new(reader: Reader, node: Node, scope: Scope) -> None:
    roles.call("constructor")(reader, node, scope)
    reader.go(scope, part(node, "type_arguments"))


def _element(reader: Reader, node: Node, scope: Scope) -> None:
    """``<Name …>``: a component is called, a tag of HTML is none."""
    own = part(node, "name")
    value = reader.value(own, scope)
    if value[0] == "a" or text(own)[:1].isupper():
        reader.use(node, scope, value, True)
    reader.rest(scope, node, own)


def _this(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:  # noqa: ARG001 - as the others
    return ["o", scope.within] if scope.within else ANYTHING


def _super(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:  # noqa: ARG001 - as the others
    return ["s", scope.within] if scope.within else ANYTHING


def _awaited(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:
    module = _required(node)
    return ["p"] if module else ["c", reader.value(part(node, "function"), scope, depth)]


def _cast(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:
    told = reader.typed(node.named_children[-1], scope, depth) if len(node.named_children) > 1 else ANYTHING
    if told[0] in ("n", "a") and told != ["n", "const"]:
        return ["c", told]
    return reader.value(node.named_children[0], scope, depth)


def _predefined(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:  # noqa: ARG001 - as the others
    return ANYTHING if text(node) in ("any", "unknown", "object") else ["x"]


def _fallback(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:
    operator = text(part(node, "operator"))
    return _either(reader, node, scope, depth) if operator in ("||", "??", "&&") else ["x"]


_either = roles.either("left", "right")

GRAMMAR = Grammar(
    nodes={
        "class_declaration": _class,
        "abstract_class_declaration": _class,
        "interface_declaration": _interface,
        "type_alias_declaration": _alias,
        "internal_module": _module,
        "module": _module,
        "enum_declaration": _enum,
        "function_declaration": _function,
        "generator_function_declaration": _function,
        "function_signature": _function,
        "method_definition": _method,
        "method_signature": _method,
        "abstract_method_signature": _method,
        **dict.fromkeys(_FUNCTIONS, _default),
        "public_field_definition": _field,
        "field_definition": _field,
        "property_signature": _field,
        "variable_declarator": _variable,
        "pair": _pair,
        "assignment_expression": _assignment,
        "for_in_statement": _loop,
        "import_statement": _import,
        "export_statement": _export,
        "call_expression": _call,
        "new_expression": _new,
        "jsx_opening_element": _element,
        "jsx_self_closing_element": _element,
        "jsx_closing_element": roles.nothing,
        "return_statement": roles.gives,
        "member_expression": roles.member("object"),
        "nested_type_identifier": roles.member("module"),
        "identifier": roles.named,
        "type_identifier": roles.named,
        "shorthand_property_identifier": roles.named,
    },
    values={
        "identifier": roles.name,
        "member_expression": roles.of("object", "property"),
        "nested_identifier": roles.of("object", "property"),
        "call_expression": _awaited,
        "new_expression": roles.result("constructor"),
        "subscript_expression": roles.element("object"),
        "await_expression": roles.inner(),
        "parenthesized_expression": roles.inner(),
        "non_null_expression": roles.inner(),
        "satisfies_expression": roles.inner(),
        "as_expression": _cast,
        "assignment_expression": roles.inner("right"),
        "ternary_expression": roles.either("consequence", "alternative"),
        "binary_expression": _fallback,
        "array": roles.collection,
        "this": _this,
        "super": _super,
        **dict.fromkeys(_EMPTY, roles.closed),
    },
    types={
        "identifier": roles.name,
        "type_identifier": roles.name,
        "nested_type_identifier": lambda reader, node, scope, depth: [
            "a", reader.value(part(node, "module"), scope, depth), text(part(node, "name")),
        ],
        "generic_type": roles.generic("name"),
        "type_annotation": roles.within(),
        "constraint": roles.within(),
        "parenthesized_type": roles.within(),
        "readonly_type": roles.within(),
        "type_query": roles.inner(),
        "array_type": roles.many(),
        "union_type": roles.one_of,
        "intersection_type": roles.one_of,
        "predefined_type": _predefined,
        "literal_type": roles.closed,
        "template_literal_type": roles.closed,
        "this_type": _this,
    },
)  # fmt: skip
