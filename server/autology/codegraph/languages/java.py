"""Java."""

from __future__ import annotations

from autology.codegraph.dialects import Dialect, names
from autology.codegraph.expressions import ATTRIBUTE, COLLECTION, INSTANCE, UNKNOWN, Expr
from autology.codegraph.parsing import shared_rules
from autology.codegraph.parsing.reader import NameScope, Reader
from autology.codegraph.parsing.syntax_nodes import Node, children_of, field, field_children, first_child, text
from autology.codegraph.resolver_base import DeclaredPackages


def _import(reader: Reader, node: Node, scope: NameScope) -> None:
    path = text(first_child(node, "scoped_identifier", "identifier"))
    if first_child(node, "asterisk"):
        reader.add_import(node, scope, "", path, "*")
    else:
        module, _, name = path.rpartition(".")
        reader.add_import(node, scope, name, module, name)


def _type(reader: Reader, node: Node, scope: NameScope) -> None:
    clauses = [field(node, "superclass"), field(node, "interfaces"), first_child(node, "extends_interfaces")]
    children = [child for clause in clauses for child in children_of(clause)]
    bases = [base for child in children for base in (child.named_children if child.type == "type_list" else [child])]
    types = [reader.type(base, scope) for base in bases]
    inner = reader.define(node, scope, text(field(node, "name")), shared_rules.kind_of_type(node), types)
    _type_parameters(reader, node, inner)
    for component in field_children(node, "parameters"):
        reader.declare(inner, component)
    arguments = [child for base in bases if base.type == "generic_type" for child in base.named_children[1:]]
    reader.visit(inner, first_child(node, "modifiers"), *arguments, field(node, "body"))


def _type_parameters(reader: Reader, node: Node, scope: NameScope) -> None:
    for parameter in field_children(node, "type_parameters"):
        bound = first_child(parameter, "type_bound")
        type = reader.type(bound.named_children[0], scope) if bound else UNKNOWN
        reader.bind(scope, text(parameter.named_children[0]), type, typed=True)
        reader.visit(scope, bound)


def _constant(reader: Reader, node: Node, scope: NameScope) -> None:
    """A constant of an enumeration, which is an instance of it."""
    reader.bind(scope, text(field(node, "name")), [INSTANCE, scope.owner])
    reader.visit(scope.block(), field(node, "arguments"), field(node, "body"))


def _method(reader: Reader, node: Node, scope: NameScope) -> None:
    returns = field(node, "type")
    inner = reader.function(node, scope, text(field(node, "name")), reader.type(returns, scope) if returns else None)
    _type_parameters(reader, node, inner)
    _parameters(reader, field(node, "parameters"), inner, UNKNOWN)
    reader.visit(inner, first_child(node, "modifiers"), returns, field(node, "body"))


def _parameters(reader: Reader, parameters: Node | None, scope: NameScope, first: Expr) -> None:
    for index, parameter in enumerate(children_of(parameters)):
        if parameter.type == "identifier":  # of a lambda expression
            reader.bind(scope, text(parameter), UNKNOWN if index else first)
        elif parameter.type == "formal_parameter":
            _typed(reader, parameter, scope)
        elif parameter.type == "spread_parameter":
            type_node = next(iter(child for child in parameter.named_children if child.type != "modifiers"), None)
            declarator = first_child(parameter, "variable_declarator")
            reader.bind(
                scope,
                text(field(declarator, "name")) if declarator else "",
                [COLLECTION, reader.type(type_node, scope)],
                typed=True,
            )
            reader.visit(scope, type_node)


def _typed(reader: Reader, node: Node, scope: NameScope) -> None:
    """A name with its type and value: a parameter, a resource, a pattern."""
    type_node, value = (
        field(node, "type") or first_child(node, "catch_type") or field(node, "right"),
        field(node, "value"),
    )
    name = field(node, "name")
    shared_rules.bind_declared(reader, scope, text(name), type_node, reader.value(value, scope))
    reader.visit_rest(scope, node, name)


def _variables(reader: Reader, node: Node, scope: NameScope) -> None:
    type_node = field(node, "type")
    for declarator in node.children_by_field_name("declarator"):
        value = field(declarator, "value")
        shared_rules.bind_declared(
            reader, scope, text(field(declarator, "name")), type_node, reader.value(value, scope)
        )
        reader.visit(scope, value)
    reader.visit(scope, first_child(node, "modifiers"), type_node)


def _lambda(reader: Reader, node: Node, scope: NameScope) -> None:
    parameters = field(node, "parameters")
    first = reader.callback_arguments.get(node.id, UNKNOWN)
    if parameters is not None and parameters.type == "identifier":
        reader.bind(scope, text(parameters), first)
    else:
        _parameters(reader, parameters, scope, first)
    reader.visit(scope, field(node, "body"))


def _new(reader: Reader, node: Node, scope: NameScope) -> None:
    _construct(reader, node, scope)
    reader.visit(scope.block(), first_child(node, "class_body"))


_construct = shared_rules.construct("arguments")
_call, _result = shared_rules.method_call("object")


def _reference(reader: Reader, node: Node, scope: NameScope) -> None:
    """``Owner::method``."""
    children = node.named_children
    if len(children) == 2:
        reader.use(node, scope, [ATTRIBUTE, reader.value(children[0], scope), text(children[1])], False)
    reader.visit(scope, *children[:1])


RULES = shared_rules.rules(
    nodes={
        shared_rules.package: "package_declaration",
        _import: "import_declaration",
        _type: (
            "class_declaration enum_declaration record_declaration interface_declaration annotation_type_declaration"
        ),
        _constant: "enum_constant",
        _method: "method_declaration constructor_declaration compact_constructor_declaration",
        _variables: "field_declaration constant_declaration local_variable_declaration",
        _typed: "catch_formal_parameter resource type_pattern instanceof_expression",
        shared_rules.for_each("name", "value"): "enhanced_for_statement",
        _lambda: "lambda_expression",
        _call: "method_invocation",
        _new: "object_creation_expression",
        _reference: "method_reference",
        shared_rules.use_attribute("object"): "field_access",
        shared_rules.use_whole: "scoped_type_identifier",
        shared_rules.labeled: "labeled_statement",
        shared_rules.ignore: "break_statement continue_statement",
        shared_rules.pair: "element_value_pair",
        shared_rules.return_value: "return_statement",
    },
    values={
        shared_rules.name: "type_identifier",
        shared_rules.attribute("object", "field"): "field_access",
        _result: "method_invocation",
        shared_rules.instance(): "cast_expression",
        shared_rules.inner_value("right"): "assignment_expression",
        shared_rules.item("array"): "array_access",
        shared_rules.super_: "super",
    },
    types={
        shared_rules.dotted_path: "scoped_type_identifier",
        shared_rules.generic_type(): "generic_type",
        shared_rules.union_type: "catch_type",
        shared_rules.inner_type(last=True): "annotated_type wildcard",
        shared_rules.external: "integral_type floating_point_type boolean_type void_type",
    },
)


# ---- how names are resolved ----------------------------------------------------------------------


DIALECT = Dialect(
    "java",
    DeclaredPackages,
    common_methods=names("java", "common_methods"),
    implicit_this=True,
    wrapper_types=names("java", "wrapper_types"),
    passthrough_methods=names("java", "passthrough_methods"),
)
