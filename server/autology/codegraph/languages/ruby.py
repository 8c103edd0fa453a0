"""Ruby."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence

from autology.codegraph import expressions as expr
from autology.codegraph.dialects import Dialect, names
from autology.codegraph.expressions import Expr
from autology.codegraph.facts import CLASS, MODULE
from autology.codegraph.parsing import shared_rules
from autology.codegraph.parsing.reader import NameScope, Reader
from autology.codegraph.parsing.syntax_nodes import Node, children_of, field, first_child, text
from autology.codegraph.resolver_base import ModuleResolver, SourceModule

_MIXING = ("include", "extend", "prepend")
_READING = ("attr_reader", "attr_accessor", "attr")
_NAMED = ("optional_parameter", "keyword_parameter", "splat_parameter", "block_parameter", "hash_splat_parameter")


def _class(kind: str) -> shared_rules.NodeRule:
    def rule(reader: Reader, node: Node, scope: NameScope) -> None:
        superclass = field(node, "superclass")
        bases = [reader.value(base, scope) for base in superclass.named_children[:1]] if superclass is not None else []
        name = text(field(node, "name")).strip(":").replace("::", ".")
        inner = reader.define(node, scope, name, kind, bases)
        reader.visit(NameScope.of_class(inner.name), field(node, "body"))

    return rule


def _method(reader: Reader, node: Node, scope: NameScope) -> None:
    inner = reader.function(node, scope, text(field(node, "name")))
    _parameters(reader, field(node, "parameters"), inner, expr.UNKNOWN)
    body = field(node, "body")
    last = (
        body.named_children[-1] if body is not None and body.type == "body_statement" and body.named_children else body
    )
    if last is not None and last.type != "return":
        reader.add_return(inner, reader.value(last, inner))
    reader.visit(inner, body)


def _parameters(reader: Reader, parameters: Node | None, scope: NameScope, first: Expr) -> None:
    for index, parameter in enumerate(children_of(parameters)):
        if parameter.type == "identifier":
            reader.bind(scope, text(parameter), expr.UNKNOWN if index else first)
        elif parameter.type in _NAMED:
            value = field(parameter, "value")
            reader.bind(scope, text(field(parameter, "name")), reader.value(value, scope) if value else expr.UNKNOWN)
            reader.visit(scope, value)


def _block(reader: Reader, node: Node, scope: NameScope) -> None:
    _parameters(reader, field(node, "parameters"), scope, reader.callback_arguments.get(node.id, expr.UNKNOWN))
    reader.visit(scope.block(), field(node, "body"))


def _assignment(reader: Reader, node: Node, scope: NameScope) -> None:
    left, right = field(node, "left"), field(node, "right")
    targets = left.named_children if left is not None and left.type == "left_assignment_list" else [left]
    for target in targets:
        value = reader.value(right, scope) if len(targets) == 1 else expr.UNKNOWN
        if target is not None and target.type == "instance_variable":
            reader.bind(scope, text(target), value, owner=scope.enclosing)
        elif target is not None and target.type in ("identifier", "constant"):
            reader.bind(scope, text(target), value)
        else:
            reader.visit(scope, target)
    reader.visit(scope, right)


def _call(reader: Reader, node: Node, scope: NameScope) -> None:
    receiver, method = field(node, "receiver"), text(field(node, "method"))
    arguments, block = field(node, "arguments"), field(node, "block")
    if receiver is None and _declares(reader, node, scope, method, arguments):
        return
    value = _called(reader, node, scope, 0)
    creates = method == "new" and value[0] == expr.ATTRIBUTE
    reader.use(node, scope, value[1] if creates else value, True)
    if block is not None and value[0] == expr.ATTRIBUTE:
        reader.callback_arguments[block.id] = [expr.ITEM, value[1]]
    reader.visit(
        scope, None if creates and receiver is not None and receiver.type == "constant" else receiver, arguments, block
    )


def _declares(reader: Reader, node: Node, scope: NameScope, method: str, arguments: Node | None) -> bool:
    """Add what a call declares: an import, a mixin, an attribute; return whether it does that."""
    values = children_of(arguments)
    if method in ("require", "require_relative", "autoload", "load") and values:
        path = text(values[-1]).strip("'\"")
        reader.add_import(node, NameScope(), "", f"./{path}" if method == "require_relative" else path)
        return True
    if method in _MIXING and scope.owner:
        reader.define(
            node, NameScope(), scope.name, CLASS, [reader.value(value, scope) for value in values], declared=True
        )
        return True
    if method in _READING and scope.owner:
        for value in values:
            name = text(value).strip(":\"'")
            reader.bind(scope, name, [expr.ATTRIBUTE, [expr.INSTANCE, scope.owner], f"@{name}"])
        return True
    return False


def _called(reader: Reader, node: Node, scope: NameScope, depth: int) -> Expr:
    receiver, method = field(node, "receiver"), field(node, "method")
    if method is not None and method.type == "super":
        return _super(reader, node, scope, depth)
    if receiver is None and text(method) == "new" and scope.enclosing:
        return [expr.ATTRIBUTE, [expr.CLASS_OBJECT, scope.enclosing], "new"]
    return (
        [expr.NAME, text(method)]
        if receiver is None
        else [expr.ATTRIBUTE, reader.value(receiver, scope, depth), text(method)]
    )


def _result(reader: Reader, node: Node, scope: NameScope, depth: int) -> Expr:
    value = _called(reader, node, scope, depth)
    return [expr.CALL, value[1] if value[0] == expr.ATTRIBUTE and value[2] == "new" else value]


def _super(reader: Reader, node: Node, scope: NameScope, depth: int) -> Expr:
    return (
        [expr.ATTRIBUTE, [expr.SUPER, scope.enclosing], scope.name.rpartition(".")[2]]
        if scope.enclosing
        else expr.UNKNOWN
    )


def _variable(reader: Reader, node: Node, scope: NameScope, depth: int) -> Expr:
    return [expr.ATTRIBUTE, [expr.INSTANCE, scope.enclosing], text(node)] if scope.enclosing else expr.UNKNOWN


def _scoped(reader: Reader, node: Node, scope: NameScope, depth: int) -> Expr:
    outer = field(node, "scope")
    name = text(field(node, "name"))
    return [expr.ATTRIBUTE, reader.value(outer, scope, depth), name] if outer is not None else [expr.NAME, name]


RULES = shared_rules.rules(
    nodes={
        _class(CLASS): "class",
        _class(MODULE): "module",
        lambda reader, node, scope: reader.visit(scope, field(node, "body")): "singleton_class",
        _method: "method singleton_method",
        _block: "block do_block lambda",
        _assignment: "assignment operator_assignment",
        _call: "call",
        shared_rules.ignore: "alias",
        lambda reader, node, scope: reader.bind(scope, text(first_child(node, "identifier")), expr.UNKNOWN): (
            "exception_variable"
        ),
        shared_rules.return_value: "return",
        shared_rules.use_attribute("scope"): "scope_resolution",
        shared_rules.pair: "pair",
        shared_rules.use_called: "super identifier",
        shared_rules.use_name: "constant",
    },
    values={
        shared_rules.name: "constant",
        _scoped: "scope_resolution",
        _result: "call",
        shared_rules.this: "self",
        _variable: "instance_variable",
        _super: "super",
        shared_rules.item("object"): "element_reference",
        shared_rules.inner_value(): "parenthesized_statements",
        shared_rules.inner_value("right"): "operator_assignment assignment",
        shared_rules.union("consequence", "alternative"): "conditional",
    },
    types={},
)


# ---- how names are resolved ----------------------------------------------------------------------


class RubyConstants(ModuleResolver):
    """One space of constants for all files."""

    def prepare(self) -> None:
        self._all = (SourceModule("all", tuple(sorted(self.facts))),)

    def find(self, module: str, importer: str, level: int = 0) -> tuple[str, ...]:
        name = module if module.endswith(".rb") else f"{module}.rb"
        if module.startswith("."):
            name = posixpath.normpath(posixpath.join(posixpath.dirname(importer), name))
            return (name,) if name in self.facts else ()
        for path in (name, f"lib/{name}", f"app/{name}"):
            if path in self.facts:
                return (path,)
        return tuple([path for path in self._all[0].paths if path.endswith(f"/lib/{name}")][:1])

    def visible(self, path: str) -> Sequence[SourceModule]:
        return self._all


DIALECT = Dialect(
    "ruby",
    RubyConstants,
    builtins=names("ruby", "builtins"),
    common_methods=names("ruby", "common_methods"),
    explicit_imports=False,
    implicit_this=True,
    open_classes=True,
    parentheses=False,
)
