"""PHP."""

from __future__ import annotations

from autology.codegraph import expressions as expr
from autology.codegraph.dialects import Dialect, names
from autology.codegraph.expressions import Expr
from autology.codegraph.facts import CLASS
from autology.codegraph.parsing import shared_rules
from autology.codegraph.parsing.reader import NameScope, Reader
from autology.codegraph.parsing.syntax_nodes import Node, field, field_children, first_child, text
from autology.codegraph.resolver_base import DeclaredPackages

_VALUES = ("name", "qualified_name", "variable_name")


def _dotted(node: Node | None) -> str:
    return text(node).strip("\\").replace("\\", ".")


def _namespace(reader: Reader, node: Node, scope: NameScope) -> None:
    reader.packages.append(_dotted(field(node, "name")))
    reader.visit(scope, field(node, "body"))


def _use(reader: Reader, node: Node, scope: NameScope) -> None:
    group = field(node, "body")
    prefix = _dotted(first_child(node, "namespace_name"))
    for clause in group.named_children if group else node.named_children:
        if clause.type != "namespace_use_clause":
            continue
        alias = text(field(clause, "alias"))
        path = _dotted(next((child for child in clause.named_children if child.type in _VALUES), None))
        module, _, name = (f"{prefix}.{path}" if prefix else path).rpartition(".")
        reader.add_import(node, scope, alias or name, module, name)


def _type(reader: Reader, node: Node, scope: NameScope) -> None:
    clauses = [first_child(node, "base_clause"), first_child(node, "class_interface_clause")]
    bases = [reader.value(base, scope) for clause in clauses if clause for base in clause.named_children]
    inner = reader.define(node, scope, text(field(node, "name")), shared_rules.kind_of_type(node), bases)
    reader.visit(inner, field(node, "body"))


def _traits(reader: Reader, node: Node, scope: NameScope) -> None:
    traits = [reader.value(trait, scope) for trait in node.named_children if trait.type in _VALUES]
    reader.define(node, NameScope(), scope.name, CLASS, traits, declared=True)


def _case(reader: Reader, node: Node, scope: NameScope) -> None:
    reader.bind(scope, text(field(node, "name")), [expr.INSTANCE, scope.owner])


def _constant(reader: Reader, node: Node, scope: NameScope) -> None:
    name, *value = node.named_children
    reader.bind(scope, text(name), expr.EXTERNAL)
    reader.visit(scope, *value)


def _function(reader: Reader, node: Node, scope: NameScope) -> None:
    returns, name_node = field(node, "return_type"), field(node, "name")
    inner = reader.function(node, scope, text(name_node), reader.type(returns, scope) if returns else None)
    for index, parameter in enumerate(field_children(node, "parameters")):
        type_node, value = field(parameter, "type"), field(parameter, "default_value")
        name = text(field(parameter, "name"))
        default = expr.UNKNOWN if index else reader.callback_arguments.get(node.id, expr.UNKNOWN)
        type = reader.type(type_node, scope) if type_node else default
        type = [expr.COLLECTION, type] if parameter.type == "variadic_parameter" else type
        reader.bind(inner, name, type, typed=type_node is not None)
        if parameter.type == "property_promotion_parameter":
            reader.bind(inner, name.lstrip("$"), type, type_node is not None, owner=scope.owner)
        reader.visit(inner, type_node, value)
    reader.visit(inner, returns, field(node, "body"))


def _property(reader: Reader, node: Node, scope: NameScope) -> None:
    type_node = field(node, "type")
    for element in node.named_children:
        if element.type == "property_element":
            value = field(element, "default_value")
            type = reader.type(type_node, scope) if type_node else reader.value(value, scope)
            reader.bind(scope, text(field(element, "name")).lstrip("$"), type, type_node is not None)
            reader.visit(scope, value)
    reader.visit(scope, type_node)


def _assignment(reader: Reader, node: Node, scope: NameScope) -> None:
    left, right = field(node, "left"), field(node, "right")
    value = reader.value(right, scope)
    if left is not None and left.type == "variable_name":
        reader.bind(scope, text(left), value)
    elif left is not None and text(field(left, "object")) == "$this":
        reader.bind(scope, text(field(left, "name")), value, owner=scope.enclosing)
    else:
        reader.visit(scope, left)
    reader.visit(scope, right)


def _loop(reader: Reader, node: Node, scope: NameScope) -> None:
    iterable, target = node.named_children[:2]
    if target.type == "pair":
        target = target.named_children[-1]
    reader.bind(scope, text(target).lstrip("&"), [expr.ITEM, reader.value(iterable, scope)])
    reader.visit(scope, iterable, field(node, "body"))


_call, _result = shared_rules.method_call("object", "scope")


def _new(reader: Reader, node: Node, scope: NameScope) -> None:
    reader.use(node, scope, shared_rules.inner_value()(reader, node, scope, 0), True)
    reader.visit(scope, *(child for child in node.named_children if child.type not in _VALUES))


def _name(reader: Reader, node: Node, scope: NameScope, depth: int) -> Expr:
    identifier = text(node)
    if identifier in ("static", "self") and scope.enclosing:
        return [expr.CLASS_OBJECT, scope.enclosing]
    return [expr.SUPER, scope.enclosing] if identifier == "parent" and scope.enclosing else [expr.NAME, identifier]


def _variable(reader: Reader, node: Node, scope: NameScope, depth: int) -> Expr:
    return [expr.INSTANCE, scope.enclosing] if text(node) == "$this" and scope.enclosing else [expr.NAME, text(node)]


def _qualified(reader: Reader, node: Node, scope: NameScope, depth: int) -> Expr:
    return [expr.PATH, _dotted(node).split(".")]


def _as_type(reader: Reader, node: Node, scope: NameScope, depth: int) -> Expr:
    value = reader.value(node.named_children[0], scope, depth)
    return [expr.INSTANCE, value[1]] if value[0] == expr.CLASS_OBJECT else value


RULES = shared_rules.rules(
    nodes={
        _namespace: "namespace_definition",
        _use: "namespace_use_declaration",
        _type: "class_declaration trait_declaration enum_declaration interface_declaration",
        _traits: "use_declaration",
        lambda reader, node, scope: reader.visit(scope.block(), *node.named_children): "anonymous_class",
        _case: "enum_case",
        _constant: "const_element",
        _function: "function_definition method_declaration arrow_function anonymous_function",
        _property: "property_declaration",
        _assignment: "assignment_expression",
        _loop: "foreach_statement",
        shared_rules.typed_name: "catch_clause",
        _call: "function_call_expression member_call_expression nullsafe_member_call_expression scoped_call_expression",
        _new: "object_creation_expression",
        shared_rules.use_attribute("object"): "member_access_expression nullsafe_member_access_expression",
        lambda reader, node, scope: reader.visit(scope, *node.named_children[:1]): "class_constant_access_expression",
        lambda reader, node, scope: reader.visit(scope, field(node, "scope")): "scoped_property_access_expression",
        shared_rules.ignore: "variable_name",
        shared_rules.return_value: "return_statement",
        shared_rules.use_whole: "name qualified_name",
    },
    values={
        _name: "name relative_scope",
        _qualified: "qualified_name",
        _variable: "variable_name",
        shared_rules.attribute("object", "name"): "member_access_expression nullsafe_member_access_expression",
        _result: (
            "function_call_expression member_call_expression nullsafe_member_call_expression scoped_call_expression"
        ),
        shared_rules.call_result(""): "object_creation_expression",
        shared_rules.inner_value("right"): "assignment_expression",
        shared_rules.item(): "subscript_expression",
        shared_rules.collection: "array_creation_expression",
        shared_rules.inner_value(last=True): "array_element_initializer",
        shared_rules.union("body", "alternative"): "conditional_expression",
        shared_rules.inner_value(): "clone_expression",
        lambda reader, node, scope, depth: [
            expr.ATTRIBUTE,
            reader.value(node.named_children[0], scope, depth),
            text(node.named_children[-1]),
        ]: "class_constant_access_expression",
    },
    types={
        _as_type: "named_type",
        shared_rules.inner_type(): "optional_type",
        shared_rules.union_type: "type_list",
    },
)


# ---- how names are resolved ----------------------------------------------------------------------


DIALECT = Dialect(
    "php",
    DeclaredPackages,
    common_methods=names("php", "common_methods"),
    explicit_imports=False,
)
