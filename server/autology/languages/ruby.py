"""Ruby."""

from __future__ import annotations

from autology.languages import roles
from autology.languages.reader import ANYTHING, Grammar, Node, Reader, Scope, child, part, text
from autology.model.code import CLASS, MODULE, Expr

_MIXING = ("include", "extend", "prepend")
_READING = ("attr_reader", "attr_accessor", "attr")
_NAMED = ("optional_parameter", "keyword_parameter", "splat_parameter", "block_parameter", "hash_splat_parameter")


def _class(kind: str) -> roles.Act:
    def act(reader: Reader, node: Node, scope: Scope) -> None:
        above = part(node, "superclass")
        bases = [reader.value(each, scope) for each in above.named_children[:1]] if above is not None else []
        name = text(part(node, "name")).strip(":").replace("::", ".")
        inside = reader.define(node, scope, name, kind, bases)
        reader.go(Scope(inside.name, inside.name, inside.name), part(node, "body"))

    return act


def _method(reader: Reader, node: Node, scope: Scope) -> None:
    inside = reader.function(node, scope, text(part(node, "name")))
    _parameters(reader, part(node, "parameters"), inside, ANYTHING)
    body = part(node, "body")
    last = (
        body.named_children[-1] if body is not None and body.type == "body_statement" and body.named_children else body
    )
    if last is not None and last.type != "return":
        reader.gives(inside, reader.value(last, inside))
    reader.go(inside, body)


def _parameters(reader: Reader, given: Node | None, scope: Scope, usual: Expr) -> None:
    for at, each in enumerate(given.named_children if given else ()):
        if each.type == "identifier":
            reader.bind(scope, text(each), ANYTHING if at else usual)
        elif each.type in _NAMED:
            value = part(each, "value")
            reader.bind(scope, text(part(each, "name")), reader.value(value, scope) if value else ANYTHING)
            reader.go(scope, value)


def _block(reader: Reader, node: Node, scope: Scope) -> None:
    _parameters(reader, part(node, "parameters"), scope, reader.handed.get(node.id, ANYTHING))
    reader.go(Scope(scope.name, "", scope.within), part(node, "body"))


def _assignment(reader: Reader, node: Node, scope: Scope) -> None:
    left, right = part(node, "left"), part(node, "right")
    names = left.named_children if left is not None and left.type == "left_assignment_list" else [left]
    for each in names:
        value = reader.value(right, scope) if len(names) == 1 else ANYTHING
        if each is not None and each.type == "instance_variable":
            reader.bind(scope, text(each), value, owner=scope.within)
        elif each is not None and each.type in ("identifier", "constant"):
            reader.bind(scope, text(each), value)
        else:
            reader.go(scope, each)
    reader.go(scope, right)


def _call(reader: Reader, node: Node, scope: Scope) -> None:
    owner, method = part(node, "receiver"), text(part(node, "method"))
    given, block = part(node, "arguments"), part(node, "block")
    if owner is None and _declares(reader, node, scope, method, given):
        return
    value = _called(reader, node, scope, 0)
    made = method == "new" and value[0] == "a"
    reader.use(node, scope, value[1] if made else value, True)
    if block is not None and value[0] == "a":
        reader.handed[block.id] = ["i", value[1]]
    reader.go(scope, None if made and owner is not None and owner.type == "constant" else owner, given, block)


def _declares(reader: Reader, node: Node, scope: Scope, method: str, given: Node | None) -> bool:
    """Take in what looks like a call and declares something; return whether that is all."""
    inside = given.named_children if given is not None else []
    if method in ("require", "require_relative", "autoload", "load") and inside:
        path = text(inside[-1]).strip("'\"")
        reader.bring(node, Scope(), "", f"./{path}" if method == "require_relative" else path)
        return True
    if method in _MIXING and scope.owner:
        reader.define(node, Scope(), scope.name, CLASS, [reader.value(each, scope) for each in inside], declared=True)
        return True
    if method in _READING and scope.owner:
        for each in inside:
            name = text(each).strip(":\"'")
            reader.bind(scope, name, ["a", ["o", scope.owner], f"@{name}"])
        return True
    return False


def _called(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:
    owner, method = part(node, "receiver"), part(node, "method")
    if method is not None and method.type == "super":
        return _super(reader, node, scope, depth)
    if owner is None and text(method) == "new" and scope.within:
        return ["a", ["k", scope.within], "new"]
    return ["n", text(method)] if owner is None else ["a", reader.value(owner, scope, depth), text(method)]


def _result(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:
    value = _called(reader, node, scope, depth)
    return ["c", value[1] if value[0] == "a" and value[2] == "new" else value]


def _super(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:  # noqa: ARG001 - as the others
    return ["a", ["s", scope.within], scope.name.rpartition(".")[2]] if scope.within else ANYTHING


def _super_use(reader: Reader, node: Node, scope: Scope) -> None:
    reader.use(node, scope, _super(reader, node, scope, 0), True)


def _self(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:  # noqa: ARG001 - as the others
    return ["o", scope.within] if scope.within else ANYTHING


def _variable(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:  # noqa: ARG001 - as the others
    return ["a", ["o", scope.within], text(node)] if scope.within else ANYTHING


def _named(reader: Reader, node: Node, scope: Scope) -> None:
    """A plain word: a variable, else a method that is called."""
    reader.use(node, scope, ["n", text(node)], True)


def _scoped(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:
    around = part(node, "scope")
    name = text(part(node, "name"))
    return ["a", reader.value(around, scope, depth), name] if around is not None else ["n", name]


def _scoped_use(reader: Reader, node: Node, scope: Scope) -> None:
    reader.use(node, scope, _scoped(reader, node, scope, 0), False)
    reader.go(scope, part(node, "scope"))


GRAMMAR = Grammar(
    nodes={
        "class": _class(CLASS),
        "module": _class(MODULE),
        "singleton_class": lambda reader, node, scope: reader.go(scope, part(node, "body")),
        "method": _method,
        "singleton_method": _method,
        "block": _block,
        "do_block": _block,
        "lambda": _block,
        "assignment": _assignment,
        "operator_assignment": _assignment,
        "call": _call,
        "super": _super_use,
        "alias": roles.nothing,
        "exception_variable": lambda reader, node, scope: reader.bind(scope, text(child(node, "identifier")), ANYTHING),
        "return": roles.gives,
        "scope_resolution": _scoped_use,
        "pair": lambda reader, node, scope: reader.go(scope, part(node, "value")),
        "identifier": _named,
        "constant": roles.named,
    },
    values={
        "identifier": roles.name,
        "constant": roles.name,
        "scope_resolution": _scoped,
        "call": _result,
        "self": _self,
        "instance_variable": _variable,
        "super": _super,
        "array": roles.collection,
        "element_reference": roles.element("object"),
        "parenthesized_statements": roles.inner(),
        "operator_assignment": roles.inner("right"),
        "assignment": roles.inner("right"),
        "conditional": roles.either("consequence", "alternative"),
        **dict.fromkeys(
            ("string", "integer", "float", "simple_symbol", "nil", "true", "false", "regex", "hash"), roles.closed
        ),
    },
    types={},
)
